"""Handles page faults itself, a means by which kernels are held still while they are attacked (userfaultfd).

Known by: the call succeeds.
"""

from __future__ import annotations

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """For its own memory only."""
    call("userfaultfd", 1)
    return "faults can be handled"


if __name__ == "__main__":
    attack(main)
