"""What the kernel tells of other processes: /proc, process CPU clocks, signals that can't hit a reused process id."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from typing import NamedTuple

from sandbox.errors import MACHINE_ERRNOS, SandboxError

__all__ = [
    "CPU_CLOCKS",
    "Stat",
    "all_pids",
    "await_end",
    "children_of",
    "clock_of",
    "clock_us",
    "environment_of",
    "own_number",
    "read_namespace_pid",
    "read_queued_us",
    "read_stat",
    "signal_exactly",
    "start_time",
    "threads_exiting",
]

_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_PF_EXITING = 0x4  # include/linux/sched.h


class Stat(NamedTuple):
    """The fields of /proc/PID/stat that matter here; times in µs, `started` in ticks since boot."""

    pid: int
    state: str
    parent: int
    session: int
    flags: int
    own_us: int
    children_us: int  # user and system time of children that it has waited for, and of theirs
    threads: int
    started: int

    @property
    def dead(self) -> bool:
        """A zombie; one whose first thread has ended while others run is none."""
        return self.state in "ZX" and self.threads <= 1


def _read(path: str) -> bytes:
    # Bare calls: half the price of open(), and this is the hot part of a scan.
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in MACHINE_ERRNOS:
            # Not to be taken for a process that is gone: its time would be counted twice.
            raise SandboxError(f"processes can't be watched: {error.strerror}") from error
        raise
    try:
        data = os.read(descriptor, 65536)
        while len(data) % 65536 == 0 and (more := os.read(descriptor, 65536)):
            data += more
        return data
    finally:
        os.close(descriptor)


def _parse(data: bytes) -> Stat:
    # The name, in brackets, may hold spaces and brackets of its own.
    head, _, rest = data.rpartition(b")")
    f = rest.split()
    return Stat(
        pid=int(head.split(b" ", 1)[0]),
        state=chr(f[0][0]),
        parent=int(f[1]),
        session=int(f[3]),
        flags=int(f[6]),
        own_us=(int(f[11]) + int(f[12])) * _TICK_US,
        children_us=(int(f[13]) + int(f[14])) * _TICK_US,
        threads=int(f[17]),
        started=int(f[19]),
    )


def read_stat(pid: int) -> Stat | None:
    """The process with this id, None where there is none."""
    try:
        return _parse(_read(f"/proc/{pid}/stat"))
    except (OSError, ValueError, IndexError):
        return None


def start_time(pid: int) -> int | None:
    """Clock ticks from boot to the start of a process, which tells it from a later one of the same id.

    None where there is no such process, where it has ended and only waits to be reaped, and where there is no /proc.
    """
    stat = read_stat(pid)
    return None if stat is None or stat.dead else stat.started


def children_of(pid: int, threads: int) -> list[int]:
    """Ids of the children of a process with that many threads; a child that forks or ends meanwhile may be missed."""
    if threads == 1:
        tasks = [str(pid)]
    else:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names, and cheap
        except OSError:
            return []
    found: list[int] = []
    for task in tasks:
        with contextlib.suppress(OSError):
            found += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return found


def own_number() -> int:
    """The id of this process by /proc, which is another where that belongs to another PID namespace; 0 without one."""
    try:
        return int(os.readlink("/proc/self"))  # noqa: PTH115
    except OSError:
        return 0


def all_pids() -> list[int]:
    """Every process id that can be seen, none where there is no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []


def environment_of(pid: int) -> list[bytes]:
    """NAME=value as the process was started with them; empty where that can't be read."""
    try:
        return _read(f"/proc/{pid}/environ").split(b"\0")
    except OSError:
        return []


def read_namespace_pid(pid: int) -> int | None:
    """The id that a process has in the innermost of its PID namespaces; None where it is gone."""
    try:
        status = _read(f"/proc/{pid}/status")
        return int(status[status.index(b"\nNSpid:") :].split(b"\n", 2)[1].split()[-1])
    except (OSError, ValueError, IndexError):
        return None


def read_queued_us(pid: int) -> int | None:
    """µs that the first thread of a process was ready and had no core; None where the kernel does not tell."""
    try:
        return int(_read(f"/proc/{pid}/schedstat").split()[1]) // 1000
    except (OSError, ValueError, IndexError):
        return None


def threads_exiting(pid: int) -> bool:
    """Whether every thread of the process has begun to end, or the process is gone."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names, and cheap
    except OSError:
        return read_stat(pid) is None
    for task in tasks:
        try:
            stat = _parse(_read(f"/proc/{pid}/task/{task}/stat"))
        except (OSError, ValueError, IndexError):
            continue
        if not stat.flags & _PF_EXITING and stat.state not in "ZX":
            return False
    return True


def clock_of(pid: int) -> int:
    """The clock id of a process' CPU time (Linux: include/linux/posix-timers_types.h, CPUCLOCK_SCHED)."""
    return ((~pid) << 3) | 2


def clock_us(clock: int) -> int | None:
    """CPU time in µs of all threads, dead ones too, children apart; None where the process is gone."""
    try:
        return time.clock_gettime_ns(clock) // 1000
    except OSError:
        return None


CPU_CLOCKS = os.path.exists("/proc/self/stat") and bool(clock_us(clock_of(os.getpid())))  # noqa: PTH110
"""Whether this machine tells the CPU time of another process and what its descendants are."""


def signal_exactly(pid: int, started: int, number: int) -> bool:
    """Send a signal to the process that has this id and start time, never to a later one with the same id.

    False where it is gone or not ours to signal.
    """
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):
        return False
    try:
        # The handle came first: if the start time read now is the one wanted, the handle is of that process or of one
        # before it that is gone by now, which a signal can't hurt.
        stat = read_stat(pid)
        if stat is None or stat.started != started:
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def await_end(pid: int, started: int, milliseconds: int) -> bool:
    """Wait until that process has ended, as a zombie or for good; False if it has not by then."""
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):
        return True
    try:
        stat = read_stat(pid)
        if stat is None or stat.started != started:
            return True
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(milliseconds))
    finally:
        os.close(handle)
