"""Traces the referee, its parent or the jail's first process, as debuggers do.

Known by: one of them can be attached to.
"""

from __future__ import annotations

import ctypes
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, near, open_any

STOPPED_BY = ("seccomp",)

_SEIZE, _ATTACH, _DETACH = 0x4206, 16, 17


def _attach(pid: int) -> None:
    call("ptrace", _SEIZE, pid, ctypes.c_void_p(), ctypes.c_void_p())


def main(target: Target) -> str:
    """Seize does not stop who is seized; whoever traces ends, lets go."""
    return open_any((str(pid), partial(_attach, pid)) for pid in near(target))


if __name__ == "__main__":
    attack(main)
