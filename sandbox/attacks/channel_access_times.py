"""Passes a number to another bot by reading files, which sets the time at which they were last read.

Known by: the number arrives.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from sandbox.attacks.jailed import Target, bits_of, channel, number_of, shared_files

PARTNERS = 2
STOPPED_BY = ("read-only-root",)

_before: list[int] = []


def send(target: Target) -> Callable[[], object]:
    """Read those whose bit is set."""
    paths = [shared_files()[place] for place in bits_of(target.number)]

    def read() -> None:
        for path in paths:
            with open(path, "rb") as file:
                file.read()

    return read


def receive(target: Target) -> int:
    """They were last read before they were last changed: the one case in which every file system notes it."""
    return number_of(
        place for place, path in enumerate(shared_files()) if os.stat(path).st_atime_ns > os.stat(path).st_mtime_ns
    )


if __name__ == "__main__":
    channel(send, receive)
