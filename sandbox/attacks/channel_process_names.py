"""Passes a number to another bot by the name of a process, which all can read who see it.

Known by: the number arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, channel

PARTNERS = 2
STOPPED_BY = ("pid-namespace", "landlock-files")


def send(target: Target) -> Callable[[], object]:
    """Take it for a name."""
    Path("/proc/self/comm").write_text(f"number{target.number:05d}")
    return lambda: None


def receive(target: Target) -> int:
    """Read all names."""
    for file in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            name = file.read_text().strip()
            if name.startswith("number") and name[6:].isdigit():
                return int(name[6:])
    return 0


if __name__ == "__main__":
    channel(send, receive)
