"""CPU time of all processes of a control group, as the kernel counts it."""

from __future__ import annotations

import contextlib
import os

from sandbox.cgroup import Cgroup
from sandbox.cgroup_files import read
from sandbox.orphans import adopted
from sandbox.procfs import Stat, read_stat

__all__ = ["GroupAccount"]


class GroupAccount:
    """An account by the group that a program was put in before its first instruction.

    Nothing is looked up to be billed, so nothing can hide: what a process used stays with the group when it has ended.
    """

    __slots__ = ("_group", "_known")

    def __init__(self, group: Cgroup) -> None:
        self._group = group
        self._known: dict[int, int] = {}  # start times: in version 1 what has ended is in no group any more

    def owns(self, stat: Stat) -> bool:
        """Whether that process is, or before its end was, in the group."""
        return self._known.get(stat.pid) == stat.started or self._holds(stat.pid)

    def sample(self, fresh: bool = False, now_us: int | None = None) -> int:  # noqa: ARG002
        """µs so far, never decreasing; also when the group is removed."""
        return self._group.cpu_us()

    def descendants(self, everywhere: bool = False) -> list[Stat]:  # noqa: ARG002
        """What lives in the group, the program itself too; what has ended and came to this process is reaped."""
        for pid in self._group.members():
            if (stat := read_stat(pid)) and self._holds(pid):
                self._known[pid] = stat.started
        for stat in adopted():
            if stat.dead and self.owns(stat):
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(stat.pid, os.WNOHANG)
        living: list[Stat] = []
        for pid, started in list(self._known.items()):
            now = read_stat(pid)
            if now is None or now.started != started:
                del self._known[pid]
            elif not now.dead:
                living.append(now)
        return living

    def settle(self, used_us: int) -> None:
        """The program has been reaped. What that says of its time includes what it used before it joined."""

    def _holds(self, pid: int) -> bool:
        try:
            lines = read(f"/proc/{pid}/cgroup").splitlines()
        except OSError:
            return False
        # The paths begin with what this process may not see; a program may have made groups below its own.
        name = f"/{self._group.name}"
        return any(line.endswith(name) or f"{name}/" in line for line in lines)
