"""Starts a process in namespaces of its own, by each call that starts processes.

Known by: the process comes to be, or is refused for other reasons than that.
"""

from __future__ import annotations

import ctypes
import errno
import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)

_CHILD = 17  # SIGCHLD
_CLONE3 = 435
_KINDS = (0x10000000, 0x10020000, 0x10000000 | 0x20000000, 0x10000000 | 0x40000000)
_HIGH = 1 << 40  # a flag that clone does not know; a filter that looks at half of the argument takes it for none


def _clone(flags: int) -> None:
    child = call("clone", flags | _CHILD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _clone3(flags: int) -> None:
    words = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, _CHILD)
    child = ctypes.CDLL(None, use_errno=True).syscall(_CLONE3, words, ctypes.sizeof(words))
    if child == 0:
        os._exit(0)
    if child < 0:
        number = ctypes.get_errno()
        raise OSError(number, errno.errorcode.get(number, ""))
    os.waitpid(child, 0)


def main(target: Target) -> str:
    """Each call with each set of flags."""
    tries = [(f"clone {kind:#x}", partial(_clone, kind)) for kind in (*_KINDS, _HIGH | _KINDS[0])]
    tries += [(f"clone3 {kind:#x}", partial(_clone3, kind)) for kind in _KINDS]
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
