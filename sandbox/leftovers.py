"""What programs leave whose harness was killed before it could put them away."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.cgroups import Groups
from sandbox.cgroups import remove_leftovers as remove_left_groups
from sandbox.orphans import passes
from sandbox.procfs import all_pids, await_end, environment_of, read_stat, signal_exactly

if TYPE_CHECKING:
    from sandbox.probe import Probe

__all__ = ["end_strays", "remove_leftovers"]

_MOST_S = 5.0
_DEATH_MS = 2000


def remove_leftovers(found: Probe) -> int:
    """Remove the control groups and containers of owners that are dead; how many there were.

    `found` is the backend that they used. SandboxError where its daemon can't be asked.
    """
    if found.backend == "docker":
        from sandbox.docker_daemon import remove_leftovers as remove_left_containers

        return remove_left_containers(found.settings["host"])
    groups = Groups.from_settings(found.settings) if "cgroups" in found.settings else None
    return remove_left_groups(groups) if groups is not None else 0


def end_strays(folder: Path) -> int:
    """Kill the programs that were started with HOME and TMPDIR in `folder`; how many were found.

    For programs outside of namespaces: those inside end with their jail.
    """
    marks = tuple(f"{name}={folder}/".encode("utf-8", "surrogateescape") for name in ("HOME", "TMPDIR"))
    ended: set[int] = set()
    for _ in passes(_MOST_S):
        strays = [
            stat
            for pid in all_pids()
            if pid != os.getpid() and _marked(pid, marks) and (stat := read_stat(pid)) and not stat.dead
        ]
        if not strays:
            break
        # Stopped first: one that forks would stay ahead of us.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for stat in strays:
                signal_exactly(stat.pid, stat.started, number)
        for stat in strays:
            await_end(stat.pid, stat.started, _DEATH_MS)
            ended.add(stat.pid)
    return len(ended)


def _marked(pid: int, marks: tuple[bytes, ...]) -> bool:
    environment = environment_of(pid)
    return all(any(line.startswith(mark) for line in environment) for mark in marks)
