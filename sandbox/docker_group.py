"""The control group that a Docker daemon has made for a container, read from this side."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from sandbox.cgroup import KINDS, Cgroup
from sandbox.cgroup_places import Duty, Place, Standing, standings
from sandbox.cgroups_v1 import duties_of
from sandbox.errors import SandboxError
from sandbox.jail import Breach, group_breach
from sandbox.limits import Limits

__all__ = ["ContainerGroup"]


class ContainerGroup:
    """A container's counters. The daemon removes the group when it has noticed the container's end: `keep` them before.

    A program's first instruction is as well counted as its last: the container's init is in there before it.
    """

    __slots__ = ("_counters", "_cpu", "_cpu_us", "_kept", "_limits", "_version")

    def __init__(self, pid: int, container: str, limits: Limits) -> None:
        """That of the process `pid`. SandboxError where it can't be read from here."""
        found = _standings(pid, container)
        if any(duty not in found for duty in ("memory", "processes", "cpu")):
            raise SandboxError("the control groups that the Docker daemon makes can't be read from here")
        self._limits = limits
        self._counters = _counters(found, limits)
        self._version = KINDS[found["cpu"].version]
        self._cpu_us = 0
        self._kept: Breach | None = None
        try:
            self._cpu = os.open(f"{found['cpu'].folder}/{self._version.CPU_FILE}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise SandboxError(f"the CPU time of a container can't be read: {error.strerror}") from error

    def cpu_us(self, fresh: bool = False, now_us: int | None = None) -> int:  # noqa: ARG002
        """µs of CPU time of all that ran in the container, as `Process.cpu_us`; stands still once the group is gone."""
        # Asked for at every answer of every bot.
        if self._cpu >= 0:
            try:
                self._cpu_us = self._version.cpu_us(os.pread(self._cpu, 512, 0))
            except OSError:
                self._release()
        return self._cpu_us

    def peak_kib(self) -> int:
        """The most memory in use at once, scratch space included; 0 where the kernel does not tell."""
        with contextlib.suppress(OSError, SandboxError):
            return self._counters.memory_peak_kib()
        return 0

    def breach(self) -> Breach | None:
        """The limit that the group has hit, as far as it was there to be asked."""
        if self._kept is None:
            with contextlib.suppress(OSError, SandboxError):
                self._kept = group_breach(self._counters, self._limits)
        return self._kept

    def keep(self) -> None:
        """Ask for everything a last time, at the end of the container."""
        self.cpu_us()
        self.breach()
        self._release()

    def _release(self) -> None:
        if self._cpu >= 0:
            os.close(self._cpu)
            self._cpu = -1


def _counters(found: Mapping[str, Standing], limits: Limits) -> Cgroup:
    """The container's group as one of ours, for what it counts; it has no descriptor, and is the daemon's to remove."""
    duties: tuple[Duty, ...] = ("memory", "processes")
    places = [Place(found[duty].version, os.path.dirname(found[duty].folder), (duty,)) for duty in duties]  # noqa: PTH120
    name = os.path.basename(found["memory"].folder)  # noqa: PTH119 - the daemon gives the same in each hierarchy
    return Cgroup(
        places,
        name,
        memory_bytes=(limits.memory_mb + limits.disk_mb) << 20,
        processes=limits.processes + 1,  # init is one
    )


def _standings(pid: int, container: str) -> dict[str, Standing]:
    """Where the process stands for each duty; nothing where that id is, as seen from here, not the container's."""
    try:
        groups, mounts = Path(f"/proc/{pid}/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
    except OSError:
        return {}
    found: dict[str, Standing] = {}
    for each in standings(groups, mounts):
        # The daemon's process ids may count in a namespace that is not ours.
        if container not in each.folder:
            continue
        duties = duties_of(each) if each.version == 1 else ("memory", "processes", "cpu")
        for duty in duties:
            found.setdefault(duty, each)
    return found
