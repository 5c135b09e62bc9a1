"""Limits that programs inherit from the process that runs them, since no shell can set them."""

from __future__ import annotations

from typing import Final

from sandbox.errors import SandboxError
from sandbox.limits import Limits

__all__ = ["MOST_SIGNALS", "bound_signals", "check_descriptors"]

MOST_SIGNALS: Final = 256
"""Signals and timers that a user may have waiting. The kernel counts those of a program for whoever made its user
namespace as well: without a bound of its own it would use up what root has.
"""


def check_descriptors(limits: Limits) -> None:
    """SandboxError if this process may not let a program have as many descriptors as `limits` say."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < limits.open_files:
        raise SandboxError(
            f"open_files is {limits.open_files}, and no process here may have more than {hard} descriptors: "
            "raise that (ulimit -Hn), or ask for fewer"
        )


def bound_signals() -> None:
    """Let this process, which does nothing but run programs, and all that it starts have few signals waiting."""
    import resource  # not everywhere

    hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
    most = MOST_SIGNALS if hard == resource.RLIM_INFINITY else min(hard, MOST_SIGNALS)
    resource.setrlimit(resource.RLIMIT_SIGPENDING, (most, most))
