"""Control groups of version 2: one hierarchy for all controllers (Documentation/admin-guide/cgroup-v2.rst)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

from sandbox.cgroup_files import counter, make, members, read, rounds, write
from sandbox.cgroup_places import Duty, Place, Standing
from sandbox.errors import SandboxError

__all__ = ["CPU_FILE", "MEMORY_PEAK", "cpu_us", "limit", "memory_kills", "settle_at", "share"]

CPU_FILE = "cpu.stat"
MEMORY_PEAK = "memory.peak"

_CONTROLLERS: dict[Duty, str] = {"memory": "memory", "processes": "pids"}
_LEAF = "tacora-host"
"""The group for processes that stood where groups are to be made."""

_MOVE_S = 2.0
"""Seconds to move them; some may fork meanwhile."""


def settle_at(standing: Standing, trial: str) -> Place:
    """Make ready for groups below the group of this process, trying it with one of the name `trial`.

    Where that needs it, this process and all others of its group move to a leaf of their own, if the group is ours to
    order. OSError, SandboxError.
    """
    own = Path(standing.folder)
    folder = str(own.parent if own.name == _LEAF else own)
    # First, so that nobody is moved where nothing can be made.
    made = f"{folder}/{trial}"
    os.mkdir(made)  # noqa: PTH102
    try:
        # In 5.14 and later.
        kill: tuple[Duty, ...] = ("kill",) if Path(f"{made}/cgroup.kill").exists() else ()
    finally:
        os.rmdir(made)  # noqa: PTH106
    has = read(f"{folder}/cgroup.controllers").split()
    duties = [duty for duty, controller in _CONTROLLERS.items() if controller in has]
    # Only the root of all, which has no type, can have both processes and groups with controllers. The kernel refuses
    # that for some controllers at once; with others it makes the groups unusable.
    if duties and Path(f"{folder}/cgroup.type").exists() and members(folder):
        if not _is_ours(folder):
            raise SandboxError(
                f"the control group {folder} belongs to the system, which has not delegated it: start this in a unit "
                "of its own (systemd-run --scope --property=Delegate=yes …)"
            )
        _clear(folder)
    for duty in duties:
        if _CONTROLLERS[duty] not in read(f"{folder}/cgroup.subtree_control").split():
            write(f"{folder}/cgroup.subtree_control", f"+{_CONTROLLERS[duty]}")
    # Time is counted without a controller.
    return Place(2, folder, (*kill, *duties, "cpu"))


def _is_ours(folder: str) -> bool:
    """Whether a group's processes may be moved by us: its manager has said so, or who sees it as the root of all."""
    # A user's own groups are below one that was delegated; a container sees no other group than its own.
    if _owner(folder) != 0 or os.path.ismount(folder):
        return True
    # https://systemd.io/CGROUP_DELEGATION: which of the two it sets depends on version and kernel
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return False


def _owner(folder: str) -> int:
    return Path(folder).stat().st_uid


def _clear(folder: str) -> None:
    make(f"{folder}/{_LEAF}")
    for _ in rounds(_MOVE_S):
        here = members(folder)
        if not here:
            return
        for pid in here:
            if not pid:
                raise SandboxError(f"{folder} holds processes that can't be seen from here, and so can't be moved")
            with contextlib.suppress(ProcessLookupError):
                write(f"{folder}/{_LEAF}/cgroup.procs", str(pid))
    raise SandboxError(f"{folder} does not get empty: its processes fork faster than they are moved")


def share(folder: str, duties: Collection[Duty]) -> None:
    """Let the groups below one have its controllers; OSError."""
    wanted = " ".join(f"+{controller}" for duty, controller in _CONTROLLERS.items() if duty in duties)
    if wanted:
        write(f"{folder}/cgroup.subtree_control", wanted)


def cpu_us(data: bytes) -> int:
    """µs from what `CPU_FILE` holds."""
    begin = data.index(b"usage_usec ") + 11
    return int(data[begin : data.index(b"\n", begin)])


def limit(folder: str, duties: Collection[Duty], memory_bytes: int, processes: int) -> None:
    """Bound a new group; OSError, SandboxError."""
    if "memory" in duties:
        write(f"{folder}/memory.max", str(memory_bytes))
        # Not there in a kernel that has no swap.
        with contextlib.suppress(FileNotFoundError):
            write(f"{folder}/memory.swap.max", "0")
        # In 4.19 and later.
        with contextlib.suppress(FileNotFoundError):
            write(f"{folder}/memory.oom.group", "1")
        if int(read(f"{folder}/memory.max")) > memory_bytes:
            raise SandboxError(f"a control group does not take the limit {memory_bytes} at {folder}/memory.max")
    if "processes" in duties:
        write(f"{folder}/pids.max", str(processes))


def memory_kills(folder: str, memory_bytes: int) -> int:  # noqa: ARG001
    """Processes that the kernel killed since the group was at its limit."""
    # When memory is short above the group or everywhere, who is killed counts here too; `oom` tells of its own limit.
    events = f"{folder}/memory.events"
    return counter(events, "oom_kill") if counter(events, "oom") else 0
