"""The control group of one program: a group of the same name in each hierarchy that is used."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from sandbox import cgroups_v1, cgroups_v2
from sandbox.cgroup_files import counter, members, read, rounds, subgroups, write
from sandbox.cgroup_places import Duty, Place
from sandbox.errors import SandboxError
from sandbox.killing import DEATH_MS
from sandbox.procfs import await_end, read_stat

__all__ = ["KINDS", "Cgroup"]

KINDS: dict[int, ModuleType] = {1: cgroups_v1, 2: cgroups_v2}

_KILL_S = 1.0
"""Seconds of looks for what forks while it is killed, in a kernel that can't kill a group as one."""

_LOOK_MS = 200
"""Milliseconds to wait for the end of what is killed before the next look at what there is."""

_BUSY_S = 5.0
"""Seconds in which a group that has no processes any more may still be in use: the last is on its way out."""


class _Counters(NamedTuple):
    """What the counters said last."""

    memory_kills: int
    refused: int
    memory_peak_kib: int


class Cgroup:
    """What the kernel does for all processes of one program together, from before its first instruction.

    Its counters can be asked for when it is removed, too. A descriptor is held for CPU time, and one whose lock tells
    other processes that this one is about.
    """

    __slots__ = (
        "_cpu",
        "_cpu_kind",
        "_cpu_us",
        "_folders",
        "_killed_at",
        "_last",
        "_lock",
        "_memory",
        "_processes",
        "join",
        "name",
    )

    def __init__(
        self, places: Sequence[Place], name: str, *, memory_bytes: int = 0, processes: int = 0, lock: int = -1
    ) -> None:
        """Take over groups that are there, `name` below each place: that of their owner, a slash, that of the program.

        `lock` is closed with it.
        """
        self.name = name
        """Told from that of any other by the end of each path in /proc/PID/cgroup."""
        self._folders = [(place, f"{place.folder}/{name}") for place in places]
        # What kills as one comes first: what is in any of them is in that, then.
        self._folders.sort(key=lambda each: "kill" not in each[0].duties)
        self.join = tuple(f"{folder}/cgroup.procs" for _, folder in self._folders)
        """Files to which a launcher writes 0 to join, in this order, before the program's first instruction."""
        self._memory = memory_bytes
        self._processes = processes
        self._lock = lock
        self._cpu = -1
        self._cpu_us = 0
        self._killed_at: int | None = None  # forks refused by then
        self._last: _Counters | None = None
        where = self._with("cpu")
        if where is not None:
            self._cpu_kind = KINDS[where[0]]
            self._cpu = os.open(f"{where[1]}/{self._cpu_kind.CPU_FILE}", os.O_RDONLY | os.O_CLOEXEC)

    def cpu_us(self) -> int:
        """µs of CPU time of all processes, ended ones too; never decreasing. What is on a core is known to a tick."""
        # Asked for at every answer of every bot.
        if self._cpu >= 0:
            try:
                self._cpu_us = self._cpu_kind.cpu_us(os.pread(self._cpu, 512, 0))
            except OSError as error:
                raise SandboxError(f"CPU time of control group {self.name} can't be read: {error.strerror}") from error
        return self._cpu_us

    def memory_kills(self) -> int:
        """Processes that the kernel killed because the group was at its own limit of memory."""
        if self._last is not None:
            return self._last.memory_kills
        where = self._with("memory")
        kills: int = 0 if where is None else KINDS[where[0]].memory_kills(where[1], self._memory)
        return kills

    def processes_refused(self) -> int:
        """Forks that failed because the group was at its own limit of processes; what `kill` refuses does not count."""
        if self._last is not None:
            return self._last.refused
        where = self._with("processes")
        if self._killed_at is not None or where is None:
            return self._killed_at or 0
        # A fork that a limit above refuses counts here in some kernels. Where the highest number is told, it tells them
        # apart.
        with contextlib.suppress(FileNotFoundError):
            if int(read(f"{where[1]}/pids.peak")) < self._processes:
                return 0
        return counter(f"{where[1]}/pids.events", "max")

    def memory_peak_kib(self) -> int:
        """The most memory in use at once, scratch space included; 0 where the kernel does not tell (v2 before 5.19)."""
        if self._last is not None:
            return self._last.memory_peak_kib
        where = self._with("memory")
        if where is None:
            return 0
        try:
            return int(read(f"{where[1]}/{KINDS[where[0]].MEMORY_PEAK}")) // 1024
        except FileNotFoundError:
            return 0

    def members(self) -> list[int]:
        """Ids of its living processes, as far as they can be seen from here."""
        return sorted({pid for _, folder in self._folders for pid in members(folder, below=True) if pid})

    def populated(self) -> bool:
        """Whether there is a living process in it."""
        if not self._folders:
            return False
        # What can kill as one was joined first, so all are in that.
        folders = self._folders[:1] if "kill" in self._folders[0][0].duties else self._folders
        return any(_populated(place, folder) for place, folder in folders)

    def kill(self) -> None:
        """SIGKILL to all of its processes, however fast they fork. Does not wait for their end."""
        where = self._with("processes")
        if self._killed_at is None:
            with contextlib.suppress(OSError):
                self._killed_at = self.processes_refused()
        for place, folder in self._folders:
            if "kill" in place.duties:
                with contextlib.suppress(OSError):
                    write(f"{folder}/cgroup.kill", "1")
                    return
        if where is not None:
            with contextlib.suppress(OSError):
                write(f"{where[1]}/pids.max", "0")  # what is there stays, and forks no more
        for place, folder in self._folders:
            if place.version == 2:
                with contextlib.suppress(OSError):
                    write(f"{folder}/cgroup.freeze", "1")  # SIGKILL reaches what is frozen
        self._kill_each()

    def remove(self) -> None:
        """Kill what is left, wait for its end and take the groups away. Safe to repeat.

        SandboxError where that can't be: the kernel holds a process.
        """
        if not self._folders:
            return
        try:
            self._await_none()
            with contextlib.suppress(OSError, SandboxError):
                self.cpu_us()
                self._last = _Counters(self.memory_kills(), self.processes_refused(), self.memory_peak_kib())
            folders, self._folders = self._folders, []
            for _, folder in folders:
                _remove(folder)
            for _, folder in folders:
                # That of the owner goes with its last program; while there are others it is busy.
                with contextlib.suppress(OSError):
                    os.rmdir(os.path.dirname(folder))  # noqa: PTH106, PTH120
        finally:
            descriptors, self._cpu, self._lock = (self._cpu, self._lock), -1, -1
            for descriptor in descriptors:
                if descriptor >= 0:
                    os.close(descriptor)

    def _await_none(self) -> None:
        for _ in rounds(DEATH_MS / 1000):
            if not self.populated():
                return
            self.kill()
            for place, folder in self._folders:
                _await_empty(place, folder)
        raise SandboxError(f"control group {self.name} has processes that can't be killed; the kernel holds them")

    def _with(self, duty: Duty) -> tuple[int, str] | None:
        return next(((place.version, folder) for place, folder in self._folders if duty in place.duties), None)

    def _kill_each(self) -> None:
        known: set[int] = set()
        for _ in rounds(_KILL_S):
            handles: dict[int, int] = {}
            try:
                for pid in self.members():
                    if pid not in known:
                        with contextlib.suppress(OSError):
                            handles[pid] = os.pidfd_open(pid)
                if not handles:
                    return
                # Looked up again with the handles in hand: an id that went to a stranger meanwhile is not in it now.
                for pid in handles.keys() & set(self.members()):
                    with contextlib.suppress(OSError):
                        signal.pidfd_send_signal(handles[pid], signal.SIGKILL)
                known |= handles.keys()
            finally:
                for handle in handles.values():
                    os.close(handle)


def _populated(place: Place, folder: str) -> bool:
    try:
        if place.version == 2:
            return counter(f"{folder}/cgroup.events", "populated") > 0
        return bool(read(f"{folder}/cgroup.procs").strip()) or any(
            _populated(place, f"{folder}/{name}") for name in subgroups(folder)
        )
    except OSError:
        return False


def _await_empty(place: Place, folder: str) -> None:
    """Wait for the end of processes that are killed, but not for long: there may be one that was just being forked."""
    if place.version == 1:
        for pid in filter(None, members(folder, below=True)):
            if (stat := read_stat(pid)) is not None:
                await_end(pid, stat.started, _LOOK_MS)
        return
    with contextlib.suppress(OSError), Path(f"{folder}/cgroup.events").open("rb", buffering=0) as events:
        poll = select.poll()
        # An exceptional event tells that the file has changed since it was last read.
        poll.register(events, select.POLLPRI)
        while b"populated 1" in os.pread(events.fileno(), 512, 0) and poll.poll(_LOOK_MS):
            pass


def _remove(folder: str) -> None:
    """Remove a group and those below it. SandboxError where it is in use."""
    why: str | None = None
    for _ in rounds(_BUSY_S):
        try:
            os.rmdir(folder)  # noqa: PTH106 - a path of our own, and cheap
        except FileNotFoundError:
            return
        except OSError as error:
            why = error.strerror
            if error.errno != errno.EBUSY:
                break
            for name in subgroups(folder):
                _remove(f"{folder}/{name}")
        else:
            return
    raise SandboxError(f"the control group {folder} can't be removed: {why}")
