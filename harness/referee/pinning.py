"""Which core a referee and its bots share, and how they take turns on it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["cores_at_hand", "pinned", "usable_cores"]


def usable_cores() -> tuple[int, ...]:
    """The numbers of the cores that this process and each bot it starts may use; empty where none can be chosen."""
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()


def cores_at_hand() -> int:
    """How many cores this process, and so each bot it starts, may use; at least 1."""
    return len(usable_cores()) or os.cpu_count() or 1


@contextmanager
def pinned(core: int | None = None) -> Iterator[None]:
    """Keep this process, and every bot that it starts meanwhile, on one core: `core`, or one of those it may use.

    A round trip over a pipe costs 3 µs on one core and 40 µs across two, which is what makes this worth it. All of them
    become batch jobs: nobody is interrupted because somebody else has been written to, so the referee asks all its
    seats before the first of them thinks, and most often wakes to all answers of a turn at once. Where the system
    knows nothing of this (macOS), or does not let us, nothing is done.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    chosen = core if core in allowed else max(allowed)
    policy = os.sched_getscheduler(0)
    os.sched_setaffinity(0, {chosen})
    _schedule(os.SCHED_BATCH)
    try:
        yield
    finally:
        _schedule(policy)
        os.sched_setaffinity(0, allowed)


def _schedule(policy: int) -> None:
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, policy, os.sched_param(0))
