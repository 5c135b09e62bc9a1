"""Looks for open files that it was not meant to get.

Known by: there is one beyond stdin, stdout and stderr, or one of these is more than a pipe.
"""

from __future__ import annotations

import os
import stat

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Ask each number."""
    found: list[str] = []
    for number in range(1024):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if number > 2 or not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            found.append(f"{number}: {mode:o}")
    if not found:
        raise Refused("three pipes and nothing else")
    return ", ".join(found)


if __name__ == "__main__":
    attack(main)
