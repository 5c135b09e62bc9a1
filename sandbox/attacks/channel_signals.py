"""Passes a number to another bot by signals, of which some carry a value.

Known by: the number arrives.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, bits_of, channel, number_of

PARTNERS = 2
STOPPED_BY = ("pid-namespace", "landlock-scopes")

_FIRST = 40
_ALL = [_FIRST + place for place in range(16)]
_WORD = re.compile(r"SigBlk:\s*([0-9a-f]+)")


def send(target: Target) -> Callable[[], object]:
    """A signal a bit, to everybody who is of this attack."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ALL)

    def put() -> None:
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if int(folder.name) != os.getpid() and _waits(folder, target.word):
                    for place in bits_of(target.number):
                        os.kill(int(folder.name), _FIRST + place)

    return put


def _waits(folder: Path, word: str) -> bool:
    """Whether that is the receiver, and it holds back the signals: before that they would end it."""
    blocked = _WORD.search((folder / "status").read_text())
    return word in (folder / "cmdline").read_text() and blocked is not None and bool(int(blocked[1], 16) >> _FIRST - 1)


def receive(target: Target) -> int:
    """They wait until they are asked for."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ALL)
    return number_of(number - _FIRST for number in signal.sigpending() if number >= _FIRST)


if __name__ == "__main__":
    channel(send, receive)
