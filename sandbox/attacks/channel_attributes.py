"""Passes a number to another bot by the times, modes and attributes of files that both can read.

Known by: the number arrives.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from sandbox.attacks.jailed import Target, channel, open_any, shared_files

PARTNERS = 2
STOPPED_BY = ("read-only-root", "landlock-files", "seccomp")

_EPOCH = 1_000_000_000


def send(target: Target) -> Callable[[], object]:
    """Set the time of a file of the bot's own folder, and an attribute."""
    path = shared_files()[0]
    when = _EPOCH + target.number
    open_any(
        (
            ("times", lambda: os.utime(path, (when, when))),
            ("attribute", lambda: os.setxattr(path, "user.number", str(target.number).encode())),
        )
    )
    return lambda: None


def receive(target: Target) -> int:
    """Read them."""
    path = shared_files()[0]
    when = int(os.stat(path).st_mtime) - _EPOCH
    if 0 < when < 1 << 16:
        return when
    try:
        return int(os.getxattr(path, "user.number"))
    except OSError:
        return 0


if __name__ == "__main__":
    channel(send, receive)
