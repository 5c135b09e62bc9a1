"""The end of a program and of all that descends from it."""

from __future__ import annotations

import contextlib
import os
import signal

from sandbox.accounting import Account
from sandbox.errors import SandboxError
from sandbox.orphans import adopts, passes
from sandbox.procfs import await_end, signal_exactly

__all__ = ["DEATH_MS", "bury", "kill_tree"]

_MOST_S = 1.0
"""Seconds of looks at a tree in a process that adopts.

A program that forks faster than it is found would hold up its match, and the end of a run that was asked to stop.
"""

DEATH_MS = 10_000
"""Milliseconds. A process that is killed and lives on that long is stuck in the kernel."""


def kill_tree(pid: int, account: Account) -> None:
    """SIGKILL to a program that is not reaped yet, to its group and its descendants; their end is not awaited."""
    # Stopped first and looked up until nothing new turns up: a tree that stands still keeps its shape, while killing
    # from the top makes orphans faster than they can be found.
    known: set[tuple[int, int]] = set()
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGSTOP)
    try:
        for _ in passes(_MOST_S):
            new = {(stat.pid, stat.started) for stat in account.descendants() if not stat.dead} - known
            if not new:
                break
            for child, started in new:
                signal_exactly(child, started, signal.SIGSTOP)
            known |= new
    finally:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        for child, started in known:
            signal_exactly(child, started, signal.SIGKILL)


def bury(pid: int, account: Account) -> None:
    """See the last of the descendants of a program that has ended; those that this process adopted are reaped.

    What forks on and on is left to the next sweep where this process adopts it. SandboxError if some can't be killed.
    """
    for _ in passes(_MOST_S):
        left = [stat for stat in account.descendants(everywhere=not adopts()) if not stat.dead]
        if not left:
            return
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for stat in left:
                signal_exactly(stat.pid, stat.started, number)
        if not all(await_end(stat.pid, stat.started, DEATH_MS) for stat in left):
            break
    else:
        if adopts():
            return
    raise SandboxError(f"program {pid} leaves processes that can't be killed")
