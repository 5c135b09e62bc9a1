"""Makes refused calls through the door of 32-bit programs, where other numbers hold (int 0x80).

Known by: a call is made.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("seccomp",)

_GETPID = 20


def main(target: Target) -> str:
    """Seven bytes of machine code: the number, the door, the way back."""
    if platform.machine() != "x86_64":
        raise Refused("this machine has no such door")
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8" + _GETPID.to_bytes(4, "little") + b"\xcd\x80\xc3")
    enter = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    got = enter()
    if got == os.getpid():
        return "the door is open"
    raise Refused(os.strerror(-got) if got < 0 else f"got {got}")


if __name__ == "__main__":
    attack(main)
