"""Raises its own resource limits, and sets those of others.

Known by: a limit is above what it was, or another process' limit can be set.
"""

from __future__ import annotations

import resource
from functools import partial

from sandbox.attacks.jailed import Target, attack, near, open_any

STOPPED_BY = ("rlimits",)

_KINDS = ("NOFILE", "CORE", "FSIZE", "MEMLOCK", "DATA", "NPROC", "AS")


def _raise(kind: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY:
        raise OSError(0, "has no limit")
    try:
        resource.setrlimit(kind, (hard + 1, hard + 1))
    except ValueError as error:  # so Python calls it
        raise OSError(0, str(error)) from error


def _lower_for(pid: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def main(target: Target) -> str:
    """Try each kind on itself, one on others; and there must be one for descriptors and cores."""
    for name in ("CORE", "NOFILE"):
        if resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] == resource.RLIM_INFINITY:
            return f"{name} has no limit"
    tries = [(kind, partial(_raise, getattr(resource, f"RLIMIT_{kind}"))) for kind in _KINDS]
    tries += [(str(pid), partial(_lower_for, pid)) for pid in near(target)]
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
