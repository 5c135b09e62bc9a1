"""What a backend puts around one program that runs on this machine, as its process needs to know it."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sandbox.accounting import Account, Tree, WallAccount
from sandbox.cgroups import Cgroup
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.procfs import CPU_CLOCKS

__all__ = ["Breach", "Jail", "disk_breach", "group_breach"]


@dataclass(frozen=True, slots=True)
class Breach:
    """A limit that a program has hit, and in `evidence` how that is known."""

    kind: Literal["memory", "processes", "disk"]
    evidence: str


class Jail:
    """Holds nothing: what a program gets whose backend is bare, and what the others build on."""

    def account(self, pid: int, home: str) -> Account:
        """Who bills the program that was started as `pid` with its HOME at `home`."""
        return Tree(pid, home) if CPU_CLOCKS else WallAccount()

    def first_pid(self, pid: int) -> int | None:
        """The program's own first process, where `pid` is the one that was started; None if there is none (yet)."""
        return pid

    def status(self, raw: int) -> int:
        """The program's exit status or negative signal, from that of what was started.

        SandboxError if the jail failed before the program was reached.
        """
        return raw

    def breach(self, status: int | None) -> Breach | None:  # noqa: ARG002
        """The limit that the program has hit, if that can be proved; `status` as far as it has ended.

        SandboxError if the evidence can't be read.
        """
        return None

    def kill(self) -> None:
        """Kill all that the jail holds, by its own means."""

    def close(self) -> None:
        """Everything in it is reaped: take it away. SandboxError if that can't be."""


def group_breach(group: Cgroup | None, limits: Limits) -> Breach | None:
    """What the counters of a program's group tell. SandboxError if they can't be read."""
    if group is None:
        return None
    try:
        kills, peak_kib, refused = group.memory_kills(), group.memory_peak_kib(), group.processes_refused()
    except OSError as error:
        raise SandboxError(f"a control group's counters can't be read: {error.strerror}") from error
    if kills:
        peak = peak_kib / 1024
        return Breach(
            "memory", f"memory_mb is {limits.memory_mb}: {kills} killed for want of memory, {peak:.1f} MiB at the most"
        )
    if refused:
        return Breach("processes", f"processes is {limits.processes}: {refused} more refused")
    return None


def disk_breach(status: int | None, scratch: Path | None, limits: Limits) -> Breach | None:
    """Whether the program died of a file that grew too large, or its scratch space, a mount of its own, is full.

    SandboxError if that can't be looked at.
    """
    if status == -signal.SIGXFSZ:
        return Breach("disk", f"disk_mb is {limits.disk_mb}: ended by the signal for a file that grows beyond that")
    if scratch is not None:
        try:
            space = os.statvfs(scratch)
        except OSError as error:
            raise SandboxError(f"the scratch folder {scratch} can't be looked at: {error.strerror}") from error
        if not space.f_bavail:
            return Breach("disk", f"disk_mb is {limits.disk_mb}: the scratch folder is full")
        if not space.f_favail:
            return Breach("disk", f"the scratch folder holds the {limits.files} files that it may")
    return None
