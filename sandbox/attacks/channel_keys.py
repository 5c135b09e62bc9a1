"""Passes a number to another bot by a key in the ring of their user.

Known by: the number arrives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from sandbox.attacks.jailed import Target, call, channel

PARTNERS = 2
STOPPED_BY = ("seccomp",)

_SEARCH, _READ, _USER = 10, 11, -4


def send(target: Target) -> Callable[[], object]:
    """Add it."""
    data = b"%05d" % target.number
    call("add_key", b"user", target.extra["key"].encode(), data, len(data), _USER)
    return lambda: None


def receive(target: Target) -> int:
    """Look for it."""
    data = ctypes.create_string_buffer(5)
    key = call("keyctl", _SEARCH, _USER, b"user", target.extra["key"].encode(), 0)
    call("keyctl", _READ, key, data, 5)
    return int(data.raw)


if __name__ == "__main__":
    channel(send, receive)
