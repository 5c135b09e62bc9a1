"""Leaves folders in folders, deeper than any path can name.

Known by: the scratch folder is still there, or its removal fails.
"""

from __future__ import annotations

import os
from contextlib import suppress

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("seccomp",)
LIMITS = {"files": 4096}


def main(target: Target) -> str:
    """As deep as the limit on files lets it be, with names as long as they may be."""
    os.chdir(scratch())
    with suppress(OSError):
        for _ in range(3000):
            os.mkdir("x" * 250)
            os.chdir("x" * 250)
    return ""


if __name__ == "__main__":
    attack(main)
