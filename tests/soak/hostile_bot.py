"""A bot that means harm, at the first question it gets: `python hostile_bot.py HOW MARK`.

All that it makes bears the mark, by which it is known from outside; so does its command line. Those that get no fault
play on as if nothing were.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HOME = Path(os.environ.get("TMPDIR", "/nonexistent"))
MIB = 1 << 20
IPC_CREAT = 0o1000


def wait() -> None:
    while True:
        signal.pause()


def spins() -> None:
    for _ in range(4):
        if os.fork() == 0:
            break
    while True:
        pass


def forks() -> None:
    while True:
        with suppress(OSError):
            os.fork()


def hogs() -> None:
    for _ in range(4):
        if os.fork() == 0:
            block = b"x" * (30 * MIB)
            wait()
            block[0]
    # Not by waiting: on a busy machine that would be over before the memory is.
    while True:
        os.sched_yield()


def fills() -> None:
    with suppress(OSError):
        for number in range(1000):
            with (HOME / f"{mark}-{number}").open("wb", buffering=0) as file:
                while file.tell() < MIB:
                    file.write(bytes(65536))
    wait()


def scatters() -> None:
    with suppress(OSError):
        for number in range(100_000):
            (HOME / f"{mark}-{number}").touch()
    wait()


def stays() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            for descriptor in range(256):
                with suppress(OSError):
                    os.close(descriptor)
            wait()
        os._exit(0)


def floods() -> None:
    with suppress(OSError):
        while True:
            os.write(2, b"!" * 65536)
            os.write(1, b"\n" * 1000)
    wait()


def signals() -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in (-1, os.getppid(), 1, 0):
            with suppress(OSError):
                os.kill(pid, number)


def litters() -> None:
    deep = HOME
    for _ in range(20):
        deep /= mark
    deep.mkdir(parents=True)
    for number, aim in enumerate(("/", "/etc/passwd", "..", mark, "/nonexistent")):
        (HOME / f"link-{number}").symlink_to(aim)
        deep.joinpath(f"link-{number}").symlink_to(aim)
    os.mkfifo(HOME / "fifo")
    with suppress(OSError), socket.socket(socket.AF_UNIX) as made:
        made.bind(str(HOME / "socket"))
    for number, mode in enumerate((0o000, 0o111, 0o1777, 0o4755)):
        (HOME / f"file-{number}").write_text(mark)
        folder = HOME / f"folder-{number}"
        folder.mkdir()
        (folder / "file").write_text(mark)
        for path in (HOME / f"file-{number}", folder / "file", folder):
            with suppress(OSError):
                path.chmod(mode)
    with suppress(OSError):
        Path("/dev/shm", mark).write_text(mark)
    libc = ctypes.CDLL(None)
    libc.shmget(int(mark, 16), MIB, IPC_CREAT | 0o666)
    libc.msgget(int(mark, 16), IPC_CREAT | 0o666)
    libc.semget(int(mark, 16), 1, IPC_CREAT | 0o666)


DEEDS: dict[str, Callable[[], None]] = {
    "spins": spins,
    "forks": forks,
    "hogs": hogs,
    "fills": fills,
    "scatters": scatters,
    "stays": stays,
    "floods": floods,
    "sleeps": wait,
    "signals": signals,
    "litters": litters,
}


def say(message: object) -> None:
    print(json.dumps(message, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    how, mark = sys.argv[1:]
    struck = False
    say({"type": "ready"})
    for line in sys.stdin.buffer:
        told = json.loads(line)
        if told["type"] == "decide":
            if not struck:
                struck = True
                DEEDS[how]()
            action = "leave" if len(told["path"]) >= 4 else "continue"
            say({"type": "decision", "turn": told["turn"], "action": action})
