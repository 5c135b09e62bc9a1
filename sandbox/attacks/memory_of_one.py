"""Takes sixteen times the memory that it may, in one process.

Known by: it is all there.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("group-memory", "rlimits")
LIMITS = {"memory_mb": 32}


def main(target: Target) -> str:
    """Take it MiB by MiB, none of them alike or empty."""
    held = [os.urandom(1 << 16) * 16 for _ in range(16 * target.memory_mb)]
    return f"{len(held)} MiB in one process"


if __name__ == "__main__":
    attack(main)
