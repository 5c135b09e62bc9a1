"""Passes a number to another bot by locks that belong to an open file and not to a process (fcntl, F_OFD_SETLK).

Known by: the number arrives.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, channel, number_of, shared_files

PARTNERS = 2
STOPPED_BY = ("seccomp",)

_GET, _SET = 36, 37


def send(target: Target) -> Callable[[], object]:
    """Hold a lock a bit, for reading."""
    handle = os.open(shared_files()[0], os.O_RDONLY)
    for place in bits_of(target.number):
        fcntl.fcntl(handle, _SET, struct.pack("hhqqi", fcntl.F_RDLCK, 0, place, 1, 0))
    return lambda: None


def receive(target: Target) -> int:
    """Ask who would be in the way of a lock for writing."""
    handle = os.open(shared_files()[0], os.O_RDONLY)
    try:
        return number_of(place for place in range(16) if _locked(handle, place))
    finally:
        os.close(handle)


def _locked(handle: int, place: int) -> bool:
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, 0, place, 1, 0)
    return bool(struct.unpack("hhqqi", fcntl.fcntl(handle, _GET, asked))[0] != fcntl.F_UNLCK)


if __name__ == "__main__":
    channel(send, receive)
