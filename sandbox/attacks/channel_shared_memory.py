"""Passes a number to another bot by shared memory of System V, which is known by a key.

Known by: the number arrives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from sandbox.attacks.jailed import Refused, Target, channel, key_of

PARTNERS = 2
STOPPED_BY = ("ipc-namespace", "seccomp")

_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p


def _memory(target: Target, flags: int) -> ctypes.c_uint16:
    segment = _libc.shmget(key_of(target), 4096, 0o666 | flags)
    if segment < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    address = _libc.shmat(segment, None, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise Refused("shmat")
    return ctypes.c_uint16.from_address(address)


def send(target: Target) -> Callable[[], object]:
    """Write it, into memory that is made where there is none."""
    place = _memory(target, 0o1000)

    def write() -> None:
        place.value = target.number

    return write


def receive(target: Target) -> int:
    """Read it."""
    if not _place:
        _place.append(_memory(target, 0o1000))
    return _place[0].value


_place: list[ctypes.c_uint16] = []


if __name__ == "__main__":
    channel(send, receive)
