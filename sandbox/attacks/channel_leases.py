"""Passes a number to another bot by leases on files that both can read: who opens such a file makes itself known.

Known by: the number arrives.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, channel, number_of, shared_files

PARTNERS = 2
STOPPED_BY = ("seccomp",)

_held: list[int] = []


def send(target: Target) -> Callable[[], object]:
    """Hold a lease a bit, for reading."""
    for place in bits_of(target.number):
        _held.append(os.open(shared_files()[place], os.O_RDONLY))
        fcntl.fcntl(_held[-1], fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return lambda: None


def receive(target: Target) -> int:
    """A file under a lease can't be leased for writing as well."""
    return number_of(place for place, path in enumerate(shared_files()) if _leased(path))


def _leased(path: str) -> bool:
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except BlockingIOError:
        return True
    else:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False
    finally:
        os.close(handle)


if __name__ == "__main__":
    channel(send, receive)
