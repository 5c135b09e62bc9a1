"""Loads a program into the kernel, or makes one of its tables (bpf).

Known by: the call succeeds, or is refused for its contents only.
"""

from __future__ import annotations

import ctypes
import errno

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """A table of one row."""
    words = (ctypes.c_uint32 * 32)(2, 4, 4, 1)
    try:
        call("bpf", 0, words, ctypes.sizeof(words))
    except OSError as error:
        if error.errno == errno.EINVAL:
            return "reached the kernel's own check"
        raise
    return "a table is made"


if __name__ == "__main__":
    attack(main)
