"""Makes refused calls by the numbers of the x32 kind, which the kernel takes for the same calls.

Known by: the call is made. Its number is that of `unshare`, which a filter that knows only one kind lets through.
"""

from __future__ import annotations

import ctypes
import os
import platform

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("seccomp",)

_X32, _UNSHARE, _GETPID = 0x40000000, 272, 39


def main(target: Target) -> str:
    """Also a harmless call: that it is let through says that the kind is."""
    if platform.machine() != "x86_64":
        raise Refused("this machine has no other numbers")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(_X32 | _GETPID)) == os.getpid():
        return "the numbers are taken"
    if libc.syscall(ctypes.c_long(_X32 | _UNSHARE), ctypes.c_long(0x10000000)) == 0:
        return "a user namespace is made"
    raise Refused(os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    attack(main)
