"""Makes namespaces of its own, in which it would be root and could reach much more of the kernel.

Known by: one is made.
"""

from __future__ import annotations

import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)

_KINDS = {
    "user": 0x10000000,
    "mount": 0x20000,
    "pid": 0x20000000,
    "network": 0x40000000,
    "ipc": 0x8000000,
    "names": 0x4000000,
    "groups": 0x2000000,
    "time": 0x80,
}


def _in_child(flags: int) -> None:
    """In a process of its own, so that one that is made does not change the next try."""
    child = os.fork()
    if child == 0:
        try:
            call("unshare", flags)
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise OSError(status, os.strerror(status))


def main(target: Target) -> str:
    """Try each alone and together with a user namespace."""
    tries = [(name, partial(_in_child, kind)) for name, kind in _KINDS.items()]
    tries += [(f"user and {name}", partial(_in_child, kind | 0x10000000)) for name, kind in _KINDS.items()]
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
