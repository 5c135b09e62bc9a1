"""Leaves a daemon behind: forked twice, in a session of its own, its pipes closed, its signals ignored.

Known by: a process of the attack lives after the match.
"""

from __future__ import annotations

import os
import signal
import time

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """The daemon computes nothing; it is only there."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 256)
        time.sleep(60)
        os._exit(0)
    return ""


if __name__ == "__main__":
    attack(main)
