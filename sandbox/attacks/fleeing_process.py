"""Becomes another process a thousand times a second, so that who looks it up and kills it always comes too late.

Known by: a process of the attack lives after the match.
"""

from __future__ import annotations

import os
import time

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """The child goes on, its parent ends."""
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 8
        while time.monotonic() < end:
            try:
                if os.fork() != 0:
                    os._exit(0)
            except OSError:
                continue
    else:
        return ""
    os._exit(0)


if __name__ == "__main__":
    attack(main)
