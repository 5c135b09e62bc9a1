"""Control groups of version 1: a hierarchy for each controller (Documentation/admin-guide/cgroup-v1)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sandbox.cgroup_files import counter, read, write
from sandbox.cgroup_places import Duty, Standing
from sandbox.errors import SandboxError

__all__ = ["CPU_FILE", "MEMORY_PEAK", "cpu_us", "duties_of", "limit", "memory_kills", "share"]

CPU_FILE = "cpuacct.usage"
MEMORY_PEAK = "memory.max_usage_in_bytes"

_CONTROLLERS: dict[str, Duty] = {"memory": "memory", "pids": "processes", "cpuacct": "cpu"}


def duties_of(standing: Standing) -> tuple[Duty, ...]:
    """What the hierarchy can do."""
    return tuple(_CONTROLLERS[word] for word in sorted(standing.controllers & _CONTROLLERS.keys()))


def share(folder: str, duties: Collection[Duty]) -> None:
    """Let the groups below one have its controllers: they do."""


def cpu_us(data: bytes) -> int:
    """µs from what `CPU_FILE` holds."""
    return int(data) // 1000


def limit(folder: str, duties: Collection[Duty], memory_bytes: int, processes: int) -> None:
    """Bound a new group; OSError, SandboxError."""
    if "memory" in duties:
        # In this order: the kernel holds the limit of memory to that of memory and swap, which is endless at first.
        _bound(f"{folder}/memory.limit_in_bytes", memory_bytes)
        if Path(f"{folder}/memory.memsw.limit_in_bytes").exists():
            _bound(f"{folder}/memory.memsw.limit_in_bytes", memory_bytes)
        else:
            write(f"{folder}/memory.swappiness", "0")
        # Inherited; a program out of memory would stand still for ever.
        if counter(f"{folder}/memory.oom_control", "oom_kill_disable"):
            write(f"{folder}/memory.oom_control", "0")
    if "processes" in duties:
        write(f"{folder}/pids.max", str(processes))


def _bound(path: str, value: int) -> None:
    write(path, str(value))
    # The kernel rounds to pages, and has been seen to accept a value and not to take it.
    if int(read(path)) > value:
        raise SandboxError(f"a control group does not take the limit {value} at {path}; it holds {read(path).strip()}")


def memory_kills(folder: str, memory_bytes: int) -> int:
    """Processes that the kernel killed since the group was at its limit."""
    # When memory is short above the group or everywhere, who is killed counts here just so.
    if int(read(f"{folder}/{MEMORY_PEAK}")) < memory_bytes // 100 * 95:
        return 0
    return counter(f"{folder}/memory.oom_control", "oom_kill")
