"""What the hostile programs share: they refuse to run outside a jail, know their targets and answer in one line.

Everything here and beside it needs nothing but Python itself, since it is copied into the folder of a jailed program.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

__all__ = [
    "ADMISSION",
    "ADMITTED",
    "LISTEN_S",
    "Refused",
    "Target",
    "answer",
    "attack",
    "bits_of",
    "call",
    "channel",
    "key_of",
    "near",
    "number_of",
    "open_any",
    "others",
    "scratch",
    "shared_files",
    "until_seen",
]

ADMITTED: Final = "only-in-a-jail"
"""What the trial passes as the first argument; nobody types it by accident."""

ADMISSION: Final = "admission"
"""The file in the folder of a program in which the trial has put the word that it passes on."""

MOST_SAID: Final = 6000
"""Characters of an answer."""

LISTEN_S: Final = 1.0
"""How long a receiver listens for its sender."""

_SEND_S: Final = 30.0

_CALLS: Final = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clone": (56, 220),
    "fanotify_init": (300, 262),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "setns": (308, 268),
    "sysinfo": (99, 179),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
"""Numbers of system calls on x86_64 and aarch64 (include/uapi/asm-generic/unistd.h and the x86 table)."""

_libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """What was tried did not come about; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """What there is to attack. Process ids are those of the machine, paths those outside the jail."""

    word: str
    """In the command line of every process of this attack, and in the names that it leaves."""
    referee: int = 0
    group: int = 0
    """The process group of the harness."""
    address: int = 0
    """Where the referee keeps a secret in its memory."""
    size: int = 0
    descriptor: int = 0
    """The number under which it holds a secret file open."""
    tcp: int = 0
    udp: int = 0
    vsock: int = 0
    abstract: str = ""
    socket: str = ""
    secrets: tuple[str, ...] = ()
    """Files that are none of a program's business."""
    outside: str = ""
    """A folder in which everybody may write."""
    memory_mb: int = 0
    processes: int = 0
    disk_mb: int = 0
    files: int = 0
    role: str = ""
    """"send" or "receive"."""
    number: int = 0
    """What the sender is to send, of 16 bits and not 0."""
    extra: dict[str, Any] = field(default_factory=dict)


def attack(main: Callable[[Target], str]) -> NoReturn:
    """Run a hostile program; what it returns got through, an empty string, OSError or `Refused` did not."""
    target = _admitted()
    through, what = False, ""
    try:
        what = main(target)
        through = bool(what)
    except (OSError, MemoryError, Refused) as error:
        what = str(error) or type(error).__name__
    answer({"through": through, "what": what[:MOST_SAID]})


def channel(send: Callable[[Target], Callable[[], object]], receive: Callable[[Target], int]) -> NoReturn:
    """Run one end of a channel between two jails.

    `send` puts the number where it can be seen, as often as it is called; what it returns keeps it there. `receive`
    returns the number that it sees now, 0 if there is none.
    """
    target = _admitted()
    try:
        if target.role == "send":
            keep = send(target)
            _say({"sent": True})
            # The receiver is started only now, and the trial ends this program once that has answered.
            end = time.monotonic() + _SEND_S
            while time.monotonic() < end:
                keep()
                time.sleep(0.005)
            os._exit(0)
        answer({"number": until_seen(lambda: receive(target))})
    except (OSError, MemoryError, Refused) as error:
        answer({"through": False, "what": str(error) or type(error).__name__})


def answer(said: dict[str, Any]) -> NoReturn:
    """Say it in one line, and end without cleaning up."""
    _say(said)
    os._exit(0)


def _say(said: dict[str, Any]) -> None:
    with suppress(OSError):
        sys.stdout.flush()
        os.write(1, json.dumps(said).encode() + b"\n")


def until_seen(look: Callable[[], int]) -> int:
    """The first number other than 0 that is seen while a receiver listens, else 0; OSError if it can't look.

    A number counts when it has been seen twice, since its bits may come one by one.
    """
    end = time.monotonic() + LISTEN_S
    before = 0
    while True:
        late = time.monotonic() > end
        try:
            number = look()
        except OSError as error:
            # What is refused for good is not asked for again.
            if late or error.errno in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT):
                raise
            number = 0
        if late or (number and number == before):
            return number
        before = number
        time.sleep(0.01)


def call(name: str, *arguments: Any) -> int:
    """Make a system call by its number, past all that the C library thinks of it. OSError."""
    numbers = _CALLS[name]
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64"):
        raise Refused(f"the number of {name} is not known on {machine}")
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    ctypes.set_errno(0)
    result: int = _libc.syscall(ctypes.c_long(numbers[machine == "aarch64"]), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def open_any(tries: Iterable[tuple[str, Callable[[], object]]]) -> str:
    """The names of those tries that did not fail, with what they returned; `Refused` if all failed."""
    got: list[str] = []
    failed: list[str] = []
    for name, attempt in tries:
        try:
            what = attempt()
        except (OSError, Refused) as error:
            strerror = getattr(error, "strerror", None)
            failed.append(f"{name}: {strerror or error}")
        else:
            got.append(name if what is None else f"{name}: {what}")
    if not got:
        raise Refused("; ".join(failed))
    return "; ".join(got)


def near(target: Target) -> list[int]:
    """The referee, the parent and the first process: for what would do harm to a stranger who is in reach."""
    return [pid for pid in dict.fromkeys((target.referee, os.getppid(), 1)) if pid not in (0, os.getpid())]


def others(target: Target) -> list[int]:
    """Processes that are not this one: the referee, the parent, the first, and whatever else can be seen."""
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in dict.fromkeys((target.referee, os.getppid(), 1, *seen)) if pid not in (0, os.getpid())]


def scratch() -> Path:
    """The scratch folder."""
    return Path(os.environ["TMPDIR"])


def shared_files() -> list[str]:
    """Sixteen files that the jails of both ends of a channel show."""
    return [str(Path.cwd() / "shared" / str(place)) for place in range(16)]


def key_of(target: Target) -> int:
    """A key that both ends of a channel know and nobody else has."""
    return int(target.word.rpartition("-")[2][:7], 16)


def bits_of(number: int) -> list[int]:
    """The places of the bits that are set."""
    return [place for place in range(16) if number >> place & 1]


def number_of(places: Iterable[int]) -> int:
    """The number in which the bits at those places are set."""
    return sum(1 << place for place in places)


def _admitted() -> Target:
    """The target, where this is a jail and the trial's; else the program ends with a sentence on stderr."""
    status: dict[str, str] = {}
    with suppress(OSError):
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    given: dict[str, Any] = {}
    admission = ""
    if sys.argv[1:2] == [ADMITTED] and (status.get("NoNewPrivs"), status.get("Seccomp")) == ("1", "2"):
        with suppress(OSError, ValueError, IndexError):
            given = json.loads(sys.argv[2])
            admission = Path(ADMISSION).read_text(encoding="ascii")
    if not admission or given.get("word") != admission:
        sys.stderr.write("this is a hostile program: it runs nowhere but in a jail, started by harness doctor\n")
        raise SystemExit(2)
    return Target(**{**given, "secrets": tuple(given.get("secrets", ()))})
