"""Raises its priority: nicer to itself, a real-time class, a better class of disk access.

Known by: one of them is taken.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Try each."""
    tries = (
        ("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)),
        ("fifo", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))),
        ("batch", lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))),
        ("disk", lambda: call("ioprio_set", 1, 0, 1 << 13)),
    )
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
