"""Passes a number to another bot by locks on files that both can read (flock).

Known by: the number arrives.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, channel, number_of, shared_files

PARTNERS = 2
STOPPED_BY = ("seccomp",)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(handle, fcntl.LOCK_UN)
    return False


def send(target: Target) -> Callable[[], object]:
    """Hold a lock a bit; locks that others may hold too, lest what is asked for at once be taken for a pretence."""
    handles = [os.open(path, os.O_RDONLY) for path in shared_files()]
    for place in bits_of(target.number):
        fcntl.flock(handles[place], fcntl.LOCK_SH)
    return lambda: None


def receive(target: Target) -> int:
    """See which can't be had."""
    handles = [os.open(path, os.O_RDONLY) for path in shared_files()]
    try:
        return number_of(place for place, handle in enumerate(handles) if _locked(handle))
    finally:
        for handle in handles:
            os.close(handle)


if __name__ == "__main__":
    channel(send, receive)
