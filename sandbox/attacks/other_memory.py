"""Reads and writes the memory of the referee, its parent or the jail's first process by a system call.

Known by: the secret in the referee's memory comes back; or the call fails for the address only, not for want of rights.
"""

from __future__ import annotations

import ctypes
import errno
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any, others

STOPPED_BY = ("seccomp",)


class _Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def _read(pid: int, address: int, size: int) -> str:
    data = ctypes.create_string_buffer(size)
    here, there = _Piece(ctypes.addressof(data), size), _Piece(address, size)
    try:
        call("process_vm_readv", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:
            raise
        return "no such address"
    return data.value.decode(errors="replace")


def main(target: Target) -> str:
    """The address is the referee's; at others it need not be anything."""
    return open_any((str(pid), partial(_read, pid, target.address, target.size)) for pid in others(target))


if __name__ == "__main__":
    attack(main)
