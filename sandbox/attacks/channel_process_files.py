"""Passes a number to another bot by a pipe that it opens through /proc: the other's descriptors are files there.

Known by: the number arrives.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, channel

PARTNERS = 2
STOPPED_BY = ("pid-namespace", "landlock-files")


def send(target: Target) -> Callable[[], object]:
    """Hold a file without a name that the other may open."""
    handle = os.memfd_create("number")
    os.write(handle, str(target.number).encode())
    return lambda: None


def receive(target: Target) -> int:
    """Look at the descriptors of everybody who is of this attack."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            if int(folder.name) != os.getpid() and target.word in (folder / "cmdline").read_text():
                for link in (folder / "fd").iterdir():
                    if "memfd:number" in os.readlink(link):
                        return int(link.read_text())
    return 0


if __name__ == "__main__":
    channel(send, receive)
