"""Processes that outlive their parents: adopted by this process, told from its own children, killed and reaped."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Collection, Iterator
from time import monotonic
from typing import Protocol

from sandbox.procfs import Stat, children_of, read_stat, signal_exactly

__all__ = ["adopted", "adopts", "become_subreaper", "living", "passes", "sweep"]

_PR_SET_CHILD_SUBREAPER = 36
_PASSES = 500
"""Looks at most; each finds what was forked since the last."""

_MOST_S = 5.0
"""Seconds that a sweep may take: strays that fork faster than they are found must not keep a run from going on or
ending.
"""

_subreaper_pid = 0


class Owner(Protocol):
    """The process tree of one program."""

    def owns(self, stat: Stat) -> bool:
        """Whether that process descends from the program."""


living: dict[int, Owner] = {}
"""Programs started here and not yet reaped, by process id. Their ids can't be reused: their zombies are ours."""


def become_subreaper() -> bool:
    """Have descendants whose parents die adopted by this process. False where the system has no such thing."""
    global _subreaper_pid
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        done = bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False
    if done:
        _subreaper_pid = os.getpid()
    return done


def adopts() -> bool:
    """Whether orphans come to this process. The kernel's mark is not inherited by a fork, so neither is ours."""
    return os.getpid() in (_subreaper_pid, 1)


def adopted() -> list[Stat]:
    """Children of this process that no program here accounts for yet and that did not start in its own session.

    Every program starts in a session of its own and none can join an older one, so what shares this process' session is
    no program's descendant.
    """
    if not adopts():
        return []
    ours = os.getsid(0)
    # The kernel gives orphans to the first thread, so its children are enough.
    strangers = [pid for pid in children_of(os.getpid(), threads=1) if pid not in living]
    return [stat for pid in strangers if (stat := read_stat(pid)) and stat.session != ours]


def passes(most_s: float) -> Iterator[None]:
    """Yield for each look at what may fork meanwhile: one at least.

    In a process that adopts there is none after `most_s` seconds: what is left is an orphan, for the next sweep.
    """
    begun = monotonic()
    for _ in range(_PASSES):
        yield
        if adopts() and monotonic() - begun >= most_s:
            return


def sweep(spare: Collection[int] = ()) -> int:
    """Kill and reap the orphans adopted by this process; how many there were.

    Left alone are living programs and their descendants, children in this process' own session, and the ids in
    `spare`: name there what was started from here in a session of its own by other means (a worker). Without
    `become_subreaper` nothing is adopted and nothing is done. It ends in any case: what is not caught by then is left
    to the next sweep.
    """
    reaped = 0
    for _ in passes(_MOST_S):
        strays = [
            stat
            for stat in adopted()
            if stat.pid not in spare and not any(owner.owns(stat) for owner in list(living.values()))
        ]
        if not strays:
            break
        # Stopped first: a stray that forks would stay ahead of us.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for stat in strays:
                if not stat.dead:
                    signal_exactly(stat.pid, stat.started, number)
        for stat in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(stat.pid, 0)
                reaped += 1
    return reaped
