"""Makes a ring by which calls are made that no filter sees (io_uring).

Known by: the ring comes to be.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Of four entries."""
    call("io_uring_setup", 4, (ctypes.c_uint32 * 64)())
    return "a ring is made"


if __name__ == "__main__":
    attack(main)
