"""Passes a number to another bot by opening files that the other watches (inotify, fanotify).

Known by: the number arrives.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, call, channel, number_of, shared_files

PARTNERS = 2
STOPPED_BY = ("seccomp",)

_OPENED = 0x20
_watches: dict[int, int] = {}


def send(target: Target) -> Callable[[], object]:
    """Open those whose bit is set, again and again."""
    paths = [shared_files()[place] for place in bits_of(target.number)]

    def touch() -> None:
        for path in paths:
            os.close(os.open(path, os.O_RDONLY))

    return touch


def receive(target: Target) -> int:
    """See which are opened."""
    if not _watches:
        watch = call("inotify_init1", os.O_NONBLOCK)
        for place, path in enumerate(shared_files()):
            _watches[call("inotify_add_watch", watch, os.fsencode(path), _OPENED)] = place
        _watches[0] = watch
    try:
        data = os.read(_watches[0], 65536)
    except BlockingIOError:
        return 0
    seen = [struct.unpack_from("i", data, place)[0] for place in range(0, len(data), 16)]
    return number_of({_watches[one] for one in seen})


if __name__ == "__main__":
    channel(send, receive)
