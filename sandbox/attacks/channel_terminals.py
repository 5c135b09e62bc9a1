"""Passes a number to another bot by a terminal of its own making, which lies in a folder with the numbers of all.

Known by: the number arrives.
"""

from __future__ import annotations

import os
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, channel

PARTNERS = 2
STOPPED_BY = ("read-only-root", "landlock-files")


def send(target: Target) -> Callable[[], object]:
    """Make one and have the number wait in it."""
    ours, theirs = os.openpty()
    mode = termios.tcgetattr(theirs)
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    os.fchmod(theirs, 0o666)
    return lambda: os.write(ours, b"<%05d>" % target.number)


def receive(target: Target) -> int:
    """Read from all that there are."""
    for path in Path("/dev/pts").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
            try:
                text = os.read(handle, 4096)
            finally:
                os.close(handle)
            return int(text[text.rindex(b"<") + 1 : text.rindex(b">")])
    return 0


if __name__ == "__main__":
    channel(send, receive)
