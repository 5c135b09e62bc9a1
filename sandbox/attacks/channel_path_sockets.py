"""Passes a number to another bot by a socket in a folder that both may have.

Known by: the number arrives.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

from sandbox.attacks.jailed import Target, channel

PARTNERS = 2
STOPPED_BY = ("read-only-root", "landlock-files")

_PLACES = ("/tmp", "/dev/shm", "/var/tmp", ".", "/run")
_held: list[socket.socket] = []


def send(target: Target) -> Callable[[], object]:
    """Send it to each place where the other might listen."""
    sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def put() -> None:
        for place in (*_PLACES, target.outside):
            with suppress(OSError):
                sender.sendto(str(target.number).encode(), f"{place}/{target.word}-s")

    return put


def receive(target: Target) -> int:
    """Listen wherever that can be."""
    if not _held:
        for place in (*_PLACES, target.outside):
            own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            own.setblocking(False)
            with suppress(OSError):
                own.bind(f"{place}/{target.word}-s")
                _held.append(own)
    for own in _held:
        with suppress(OSError):
            return int(own.recv(16))
    return 0


if __name__ == "__main__":
    channel(send, receive)
