"""Every error that a user can meet, each with its exit status and the sentence that says what to do.

    HarnessError                3  the harness or the machine failed
    ├── AnswerIsNo              1  a check failed, a replay does not verify
    ├── BadInput                2  what the user gave can't be used
    │   ├── EditionError           an edition breaks the bounds of the contract
    │   ├── LeagueFileError        a league file, or what it names
    │   ├── BotError               a bot folder, file, manifest or archive
    │   ├── ReplayError            a replay or season file that can't be read
    │   └── StoreError             a store that can't be used: locked, newer, damaged, no such league
    ├── HarnessFailure          3  ours: no sandbox, a worker lost, the disk full
    └── Interrupted           130  SIGINT, SIGTERM or SIGHUP; what was played is kept

The message of each is one sentence that names where, what and what to do, as in "nova/bot.toml: name: missing; write
name = ...". It begins without a capital (but for names) and ends without a full stop; the command line prints it as it
stands, so it never holds a line break.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "AnswerIsNo",
    "BadInput",
    "BotError",
    "EditionError",
    "HarnessError",
    "HarnessFailure",
    "Interrupted",
    "LeagueFileError",
    "ReplayError",
    "StoreError",
]


class HarnessError(Exception):
    """Anything that ends a command; `exit_status` is the contract's, `sentence` what the user reads."""

    exit_status: ClassVar[int] = 3

    def __init__(self, sentence: str) -> None:
        # A line break inside (a path, a parser's message) would make two lines of the promised one.
        self.sentence = " ".join(sentence.split())
        super().__init__(self.sentence)


class AnswerIsNo(HarnessError):
    """The question was understood and the answer is no."""

    exit_status = 1


class BadInput(HarnessError):
    """Bad usage or bad input."""

    exit_status = 2


class EditionError(BadInput):
    """An edition that breaks the bounds of the contract.

    `place` is the field, such as "edition.hazards[2].copies", or "" where it is no field; `reason` says what is wrong
    there and what would be right. The sentence is both.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason


class LeagueFileError(BadInput):
    """A league file that can't be used, or something that it names."""


class BotError(BadInput):
    """A bot folder, file, manifest or archive that can't be used."""


class ReplayError(BadInput):
    """A replay or season file that can't be read."""


class StoreError(BadInput):
    """A store that can't be used: held by another run, written by a newer harness, damaged, without such a league."""


class HarnessFailure(HarnessError):
    """The harness or the machine failed; nobody's bot is to blame."""

    exit_status = 3


class Interrupted(HarnessError):
    """Stopped by SIGINT, SIGTERM or SIGHUP; what was played is kept."""

    exit_status = 130
