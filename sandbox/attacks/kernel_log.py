"""Reads the kernel's log.

Known by: its size or its contents come back.
"""

from __future__ import annotations

import ctypes
import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)


def _read(path: str) -> str:
    data = os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 100)
    if not data:
        raise OSError(0, "is empty")
    return data.decode(errors="replace")


def _size() -> int:
    return call("syslog", 10, ctypes.c_void_p(), 0)


def main(target: Target) -> str:
    """By the call and by its files."""
    files = ("/dev/kmsg", "/proc/kmsg", "/var/log/kern.log", "/var/log/syslog")
    return open_any([("size", _size), *((path, partial(_read, path)) for path in files)])


if __name__ == "__main__":
    attack(main)
