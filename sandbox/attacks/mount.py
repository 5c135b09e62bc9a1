"""Mounts a file system, or gets another view of one.

Known by: one of the calls succeeds.
"""

from __future__ import annotations

import ctypes
import os

from sandbox.attacks.jailed import Target, attack, call, open_any, scratch

STOPPED_BY = ("seccomp",)

_TEMPORARY = os.fsencode(scratch())


def main(target: Target) -> str:
    """Over its own scratch folder, so that nothing is hidden from others."""
    tries = (
        ("mount", lambda: call("mount", b"none", _TEMPORARY, b"tmpfs", 0, ctypes.c_void_p())),
        ("tree", lambda: call("open_tree", -100, b"/", 1)),
        ("chroot", lambda: call("chroot", _TEMPORARY)),
    )
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
