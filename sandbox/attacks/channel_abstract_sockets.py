"""Passes a number to another bot by the names of sockets in the abstract name space.

Known by: the number arrives.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, channel, number_of

PARTNERS = 2
STOPPED_BY = ("network-namespace", "landlock-scopes", "seccomp")


def send(target: Target) -> Callable[[], object]:
    """Take a name a bit."""
    held = [socket.socket(socket.AF_UNIX) for _ in range(16)]
    for place in bits_of(target.number):
        held[place].bind(f"\0{target.word}-{place}")
        held[place].listen()
    return lambda: held


def receive(target: Target) -> int:
    """A name that is taken can't be had, whoever may connect to it."""
    return number_of(place for place in range(16) if _taken(f"\0{target.word}-{place}"))


def _taken(name: str) -> bool:
    with socket.socket(socket.AF_UNIX) as own:
        try:
            own.bind(name)
        except OSError as error:
            if error.errno != 98:
                raise
            return True
    return False


if __name__ == "__main__":
    channel(send, receive)
