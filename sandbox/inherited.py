"""Limits that programs inherit from the process that runs them, since no shell can set them."""

from __future__ import annotations

from typing import Final

__all__ = ["MOST_SIGNALS", "bound_signals"]

MOST_SIGNALS: Final = 256
"""Signals and timers that a user may have waiting. The kernel counts those of a program for whoever made its user
namespace as well: without a bound of its own it would use up what root has.
"""


def bound_signals() -> None:
    """Let this process, which does nothing but run programs, and all that it starts have few signals waiting."""
    import resource  # not everywhere

    hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
    most = MOST_SIGNALS if hard == resource.RLIM_INFINITY else min(hard, MOST_SIGNALS)
    resource.setrlimit(resource.RLIMIT_SIGPENDING, (most, most))
