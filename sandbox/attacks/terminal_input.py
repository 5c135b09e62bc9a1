"""Types into the terminal from which the harness was started.

Known by: a terminal can be opened or a letter pushed into one.
"""

from __future__ import annotations

import fcntl
import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("seccomp",)

_PUSH, _MENU, _TAKE = 0x5412, 0x541C, 0x540E


def _open() -> None:
    os.close(os.open("/dev/tty", os.O_RDWR))


def _push(number: int, request: int) -> None:
    fcntl.ioctl(number, request, b"x")


def main(target: Target) -> str:
    """Through the descriptors that it has, and those that it may open."""
    requests = [(number, request) for number in range(3) for request in (_PUSH, _MENU, _TAKE)]
    pushes = [(f"{request:#x} on {number}", partial(_push, number, request)) for number, request in requests]
    return open_any([("terminal", _open), *pushes])


if __name__ == "__main__":
    attack(main)
