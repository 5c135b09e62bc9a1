"""Switches its pipes to another mode, which would reach the referee if they were shared with it, and makes them huge.

Known by: the referee's end is of another mode or size afterwards.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Blocking, then not; and as large as may be."""
    for number in (0, 1, 2):
        with suppress(OSError):
            os.set_blocking(number, False)
            os.set_blocking(number, True)
        with suppress(OSError):
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, 1 << 20)
    return ""


if __name__ == "__main__":
    attack(main)
