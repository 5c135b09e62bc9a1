"""Passes a number to another bot by a semaphore of System V, which is known by a key.

Known by: the number arrives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from sandbox.attacks.jailed import Target, channel, key_of

PARTNERS = 2
STOPPED_BY = ("ipc-namespace", "seccomp")

_libc = ctypes.CDLL(None, use_errno=True)
_GET_VALUE, _SET_VALUE, _REMOVE = 12, 16, 0
_last = [0]


def _semaphore(target: Target) -> int:
    found: int = _libc.semget(key_of(target), 1, 0o1666)
    if found < 0:
        raise OSError(ctypes.get_errno(), "semget")
    return found


def send(target: Target) -> Callable[[], object]:
    """Half of the number is what it holds: it ends at 32767."""
    found = _semaphore(target)
    if _libc.semctl(found, 0, _SET_VALUE, target.number >> 1) < 0:
        raise OSError(ctypes.get_errno(), "semctl")
    return lambda: None


def receive(target: Target) -> int:
    """The other half is anybody's guess, and the trial knows that it is never 1."""
    found = _semaphore(target)
    number: int = _libc.semctl(found, 0, _GET_VALUE) << 1
    if number > 0 and number == _last[0]:
        _libc.semctl(found, 0, _REMOVE)
    _last[0] = number
    return max(0, number)


if __name__ == "__main__":
    channel(send, receive)
