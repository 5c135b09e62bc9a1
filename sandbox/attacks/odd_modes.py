"""Leaves what can't be removed easily: folders of mode 000, immutable files, pipes, sockets and devices.

Known by: the scratch folder is still there, a device is made, or its removal fails or waits.
"""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from contextlib import suppress

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("seccomp",)

_SET_FLAGS, _IMMUTABLE = 0x40086602, 0x10


def main(target: Target) -> str:
    """One of each."""
    top = scratch()
    for depth in range(4):
        folder = top / "/".join(["closed"] * (depth + 1))
        folder.mkdir()
        (folder / "file").touch(0o000)
    os.mkfifo(top / "pipe", 0o000)
    with suppress(OSError):
        socket.socket(socket.AF_UNIX).bind(str(top / "socket"))
    handle = os.open(top / "closed" / "file-", os.O_CREAT | os.O_RDWR)
    with suppress(OSError):
        fcntl.ioctl(handle, _SET_FLAGS, _IMMUTABLE.to_bytes(8, "little"))
    for depth in range(4, 0, -1):
        (top / "/".join(["closed"] * depth)).chmod(0)
    try:
        os.mknod(top / "device", stat.S_IFCHR | 0o666, os.makedev(1, 1))
    except OSError:
        return ""
    return "a device"


if __name__ == "__main__":
    attack(main)
