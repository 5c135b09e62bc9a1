"""Passes a number to another bot by a message queue of System V, which is known by a key.

Known by: the number arrives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from sandbox.attacks.jailed import Target, channel, key_of

PARTNERS = 2
STOPPED_BY = ("ipc-namespace", "seccomp")

_libc = ctypes.CDLL(None, use_errno=True)
_last = [0]


class _Message(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_long), ("number", ctypes.c_uint16)]


def _queue(target: Target) -> int:
    queue: int = _libc.msgget(key_of(target), 0o1666)
    if queue < 0:
        raise OSError(ctypes.get_errno(), "msgget")
    return queue


def send(target: Target) -> Callable[[], object]:
    """Send it, and again while there is room."""
    queue, message = _queue(target), _Message(1, target.number)
    return lambda: _libc.msgsnd(queue, ctypes.byref(message), 2, 0o4000)


def receive(target: Target) -> int:
    """Take one message, and the queue with it once it is known."""
    queue, message = _queue(target), _Message()
    if _libc.msgrcv(queue, ctypes.byref(message), 2, 0, 0o4000) < 0:
        return 0
    if message.number == _last[0]:
        _libc.msgctl(queue, 0, None)
    _last[0] = message.number
    return int(message.number)


if __name__ == "__main__":
    channel(send, receive)
