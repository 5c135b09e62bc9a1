"""Takes eight times the memory that it may, in files without a name that lie in memory and in no process.

Known by: all of it is there.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("group-memory",)
LIMITS = {"memory_mb": 32}


def main(target: Target) -> str:
    """Fill file after file, each within the limit for one."""
    handles: list[int] = []
    piece = os.urandom(1 << 20)
    for number in range(8 * target.memory_mb):
        if number % 4 == 0:
            handles.append(os.memfd_create(f"{target.word}-{number}"))
        os.write(handles[-1], piece)
    return f"{8 * target.memory_mb} MiB in {len(handles)} files"


if __name__ == "__main__":
    attack(main)
