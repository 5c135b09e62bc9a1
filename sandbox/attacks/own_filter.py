"""Adds a filter of system calls with a listener, by which it answers the calls of what it starts.

Known by: the filter is taken.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ("seccomp",)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def main(target: Target) -> str:
    """One that allows everything."""
    code = ctypes.create_string_buffer(b"\x06\x00\x00\x00\x00\x00\xff\x7f", 8)
    program = _Program(1, ctypes.addressof(code))
    call("seccomp", 1, 1 << 3, ctypes.byref(program))
    return "a filter with a listener"


if __name__ == "__main__":
    attack(main)
