"""Keeps and reads keys in the kernel, which belong to the user and outlive the program.

Known by: a key can be added, or a ring read.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)

_GET_RING, _SESSION, _USER = 0, -3, -4


def main(target: Target) -> str:
    """Add one to the ring of the process, ask for that of the session."""
    name = target.word.encode()
    tries = (
        ("add", lambda: call("add_key", b"user", name, b"x", 1, -2)),
        ("session", lambda: call("keyctl", _GET_RING, _SESSION, 0)),
        ("user", lambda: call("keyctl", _GET_RING, _USER, 0)),
        ("request", lambda: call("request_key", b"user", name, ctypes.c_void_p(), 0)),
    )
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
