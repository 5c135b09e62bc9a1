"""Leaves the core that it was given, to take a core from others.

Known by: another choice of cores is taken.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Ask for all of them, and for one."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    os.sched_setaffinity(0, [0])
    return "cores can be chosen"


if __name__ == "__main__":
    attack(main)
