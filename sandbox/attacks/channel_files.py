"""Passes a number to another bot by a file in a folder that both may have: temporary, shared, their own.

Known by: the number arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Refused, Target, channel

PARTNERS = 2
STOPPED_BY = ("read-only-root", "landlock-files")

_PLACES = (
    "/dev/shm",
    "/var/tmp",
    "/tmp",
    ".",
    "shared",
    "/run",
    "/run/lock",
    "/run/shm",
    "/dev",
    "/dev/mqueue",
    "/var/lock",
    "/usr",
)


def send(target: Target) -> Callable[[], object]:
    """Write it wherever that can be."""
    wrote = 0
    for place in (*_PLACES, target.outside):
        with suppress(OSError):
            Path(place, f"{target.word}-number").write_text(str(target.number))
            wrote += 1
    if not wrote:
        raise Refused("no place can be written to")
    return lambda: None


def receive(target: Target) -> int:
    """Look in all of them."""
    for place in (*_PLACES, target.outside):
        with suppress(OSError, ValueError):
            return int(Path(place, f"{target.word}-number").read_text())
    return 0


if __name__ == "__main__":
    channel(send, receive)
