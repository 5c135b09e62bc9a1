"""Opens sockets of families that reach the kernel, the wire or its devices: netlink, packet, raw, crypto, bluetooth.

Known by: a socket can be had.
"""

from __future__ import annotations

import functools
import socket

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("seccomp",)

_KINDS = {
    "netlink": (16, 3, 0),
    "packet": (17, 3, 0),
    "raw": (2, 3, 1),
    "ping": (2, 2, 1),
    "crypto": (38, 5, 0),
    "bluetooth": (31, 3, 1),
    "can": (29, 3, 1),
    "ipv6": (10, 1, 0),
    "kernel connections": (32, 2, 0),
    "inter-process": (41, 5, 0),
    "express data path": (44, 3, 0),
}


def _open(family: int, kind: int, protocol: int) -> None:
    socket.socket(family, kind, protocol).close()


def main(target: Target) -> str:
    """Try each."""
    return open_any((name, functools.partial(_open, *kind)) for name, kind in _KINDS.items())


if __name__ == "__main__":
    attack(main)
