"""Leaves a process behind that holds stdout open, so that who waits for the end of what it says waits for ever.

Known by: the program's end is not noticed, or the process lives after the match.
"""

from __future__ import annotations

import os
import time

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Nothing is closed."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return ""


if __name__ == "__main__":
    attack(main)
