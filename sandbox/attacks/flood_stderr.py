"""Writes to stderr without end, to fill the referee's memory or to hold it up.

Known by: more of it is kept than the limit says, or the referee does not get to see the end.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """32 MiB in one go."""
    piece = b"x" * (1 << 16)
    for _ in range(512):
        os.write(2, piece)
    return ""


if __name__ == "__main__":
    attack(main)
