"""Where a hostile program is tried: what there is for it to attack, and the witnesses that know what it did.

What a program says of itself counts against it only; a witness needs no word of it. The targets are processes and files
of their own, so that nothing that gets through meets the harness.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sandbox.attacks import Attack
from sandbox.attacks.jailed import ADMISSION, Target
from sandbox.errors import SandboxError
from sandbox.limits import Limits

__all__ = ["Grounds", "grounds"]

_SECONDS = 20.0
_GONE_S = 2.0
"""How long a killed process may take to go."""

_OPEN_TO_ALL: Final = (
    *("/", "/usr", "/usr/local/bin", "/etc", "/run", "/run/lock", "/var", "/var/lib", "/home", "/root", "/dev"),
    *("/var/tmp", "/tmp", "/dev/shm", "/dev/mqueue"),  # noqa: S108 - to look whether anything lies there
)
"""Where a file of an attack would lie if it got out."""

_SHARED_FILES = 16


class Grounds:
    """The targets of one attack."""

    def __init__(self, place: Path, attack: Attack, limits: Limits) -> None:
        self.attack = attack.name
        self.word = f"{attack.name.replace('_', '-')}-{secrets.token_hex(6)}"
        self.limits = limits
        self._paths = attack.paths
        self.secrets = {kind: secrets.token_hex(7) for kind in _SECRETS}
        self.root = place / self.word
        self.homes = self.root / self.secrets["the path of a folder"]
        self.folder = self.homes / "bot"
        self._outside = self.root / "outside"
        self._files = {
            "a private file": self.root / "private" / "secret",
            "a public file": self._outside / "public",
            "the folder of another bot": self.root / "neighbour" / "main.py",
            "the store": self.root / "store.sqlite",
        }
        self._lay_out(attack)
        self._referee = _Referee(self)
        self._before = self._seen()
        self._standing = self._referee.standing()

    def _lay_out(self, attack: Attack) -> None:
        package = self.folder / "sandbox" / "attacks"
        package.mkdir(parents=True)
        (self.homes / "scratch").mkdir()
        (self.folder / ADMISSION).write_text(self.word)
        for file in attack.files:
            shutil.copyfile(file, package / file.name)
        for kind, file in self._files.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(self.secrets[kind])
        self._files["a private file"].chmod(0o600)
        self._files["a private file"].parent.chmod(0o700)
        self._outside.chmod(0o777)
        shared = self.folder / "shared"
        shared.mkdir()
        for number in range(_SHARED_FILES):
            file = shared / str(number)
            file.write_bytes(bytes(4096))
            # Read before it was changed, and not in memory: the two states in which reading it leaves a trace.
            handle = os.open(file, os.O_RDONLY)
            try:
                os.fsync(handle)
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
                os.utime(handle, (1, 2))
            finally:
                os.close(handle)

    def target(self, **more: Any) -> str:
        """What a program is told, in JSON."""
        told: dict[str, Any] = {
            "word": self.word,
            "group": os.getpgrp(),
            "abstract": self.word[-12:],
            "socket": str(self._outside / "socket"),
            "secrets": [str(file) for file in self._files.values()],
            "outside": str(self._outside),
            **{name: getattr(self.limits, name) for name in ("memory_mb", "processes", "disk_mb", "files")},
            "extra": {"port": 20_000 + int(self.word[-3:], 16), "key": self.word[-12:]},
            **self._referee.told,
            **more,
        }
        return json.dumps(asdict(Target(**told)))

    def leaks(self, said: str) -> Iterator[str]:
        """What of the secrets is in what a program said."""
        for kind, secret in self.secrets.items():
            if secret in said and (self._paths or kind != "the path of a folder"):
                yield f"it knows {kind}"

    def traces(self) -> Iterator[str]:
        """What a program did that can be seen from outside; to be asked when it and all of it should be gone."""
        yield from self._survivors()
        yield from self._referee.harm(self._standing)
        after = self._seen()
        for path in sorted(self._before.keys() | after.keys()):
            if self._before.get(path) != after.get(path):
                yield f"{Path(path).relative_to(self.root)} is changed"
        for folder in _OPEN_TO_ALL:
            with contextlib.suppress(OSError):
                for name in os.listdir(folder):  # noqa: PTH208
                    if self.word in name and Path(folder, name) != self.root:
                        yield f"{folder}/{name} is left"
                        with contextlib.suppress(OSError):
                            Path(folder, name).unlink()
        yield from _shared_objects(int(self.word[-12:-5], 16))

    def close(self) -> None:
        """End the referee and remove everything."""
        self._referee.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def _survivors(self) -> Iterator[str]:
        end = time.monotonic() + _GONE_S
        while (found := _processes_with(self.word)) and time.monotonic() < end:
            with contextlib.suppress(OSError):
                handle = os.pidfd_open(found[0])
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                poll.poll(100)
                os.close(handle)
        for pid in found:
            yield f"process {pid} is left"
            with contextlib.suppress(OSError):
                os.kill(pid, 9)

    def _seen(self) -> dict[str, tuple[int, ...]]:
        """Everything below the root but scratch folders, as it can be told without reading it."""
        found: dict[str, tuple[int, ...]] = {}
        for place, folders, files in os.walk(self.root):
            if place == str(self.homes):
                folders[:] = ["bot"]
            for name in (*folders, *files):
                if name == "scratch":
                    continue
                status = os.lstat(os.path.join(place, name))  # noqa: PTH118
                times = (status.st_mtime_ns, status.st_ctime_ns)
                found[f"{place}/{name}"] = (status.st_mode, status.st_size, status.st_nlink, status.st_uid, *times)
        return found


class _Referee:
    """The sham referee, from outside."""

    def __init__(self, grounds: Grounds) -> None:
        known = grounds.secrets
        program = Path(__file__).with_name("sham_referee.py")
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(program), known["the referee's command line"]],
            env={"PATH": os.defpath, "STORE_PASSWORD": known["the referee's environment"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
        given = {
            "name": known["the referee's name"],
            "memory": known["the referee's memory"],
            "file": str(grounds.root / "private" / "secret"),
            "abstract": grounds.word[-12:],
            "socket": str(grounds.root / "outside" / "socket"),
        }
        told = self._asked(json.dumps(given))
        if told is None:
            self.close()
            raise SandboxError("the process that stands for the referee does not start")
        self.told = {"referee": self._process.pid, **told}

    def _asked(self, line: str) -> dict[str, Any] | None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(line.encode() + b"\n")
            stdin.flush()
            poll = select.poll()
            poll.register(stdout, select.POLLIN)
            said = stdout.readline() if poll.poll(_SECONDS * 1000) else b""
        except OSError:
            return None
        return json.loads(said) if said else None

    def standing(self) -> dict[str, str]:
        """What others may have changed about it."""
        pid = self._process.pid
        found = {}
        for name in ("oom_score_adj", "limits"):
            with contextlib.suppress(OSError):
                found[name] = Path(f"/proc/{pid}/{name}").read_text()
        with contextlib.suppress(OSError):
            found["cores"] = str(os.sched_getaffinity(pid))
            found["priority"] = str(os.getpriority(os.PRIO_PROCESS, pid))
        return found

    def harm(self, before: dict[str, str]) -> Iterator[str]:
        """What has happened to it."""
        with contextlib.suppress(OSError):
            if " T " in Path(f"/proc/{self._process.pid}/stat").read_text():
                yield "the referee is stopped"
                return
        if self._process.poll() is not None:
            yield "the referee is dead"
            return
        for name, value in self.standing().items():
            if before.get(name) != value:
                yield f"the referee's {name} is changed"
        said = self._asked("")
        if said is None:
            yield "the referee does not answer"
            return
        yield from (f"the referee was reached over {name}" for name in said["contacts"])
        if said["signals"]:
            yield "the referee got a signal"

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


_SECRETS: Final = (
    "a private file",
    "a public file",
    "the folder of another bot",
    "the store",
    "the path of a folder",
    "the referee's command line",
    "the referee's environment",
    "the referee's memory",
    "the referee's name",
)


@contextlib.contextmanager
def grounds(place: Path, attack: Attack, limits: Limits) -> Iterator[Grounds]:
    """The targets of one attack, in a folder below `place` that all may enter; gone afterwards."""
    made = Grounds(place, attack, limits)
    try:
        yield made
    finally:
        made.close()


def _processes_with(word: str) -> list[int]:
    """Living processes in whose command line the word stands."""
    found: list[int] = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with contextlib.suppress(OSError):
                if word.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                    found.append(int(name))
    return found


def _shared_objects(key: int) -> Iterator[str]:
    """Objects of System V that outlive their makers; removed."""
    libc = ctypes.CDLL(None)
    for kind in ("shm", "msg", "sem"):
        with contextlib.suppress(OSError):
            for line in Path("/proc/sysvipc", kind).read_text().splitlines()[1:]:
                words = line.split()
                if int(words[0]) & 0xFFFFFFFF == key:
                    yield f"{kind} {words[1]} of System V is left"
                    arguments = (int(words[1]), 0, 0) if kind == "sem" else (int(words[1]), 0, None)
                    getattr(libc, f"{kind}ctl")(*arguments)
