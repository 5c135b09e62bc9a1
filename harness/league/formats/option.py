"""What a format's own options may be: each kind says how it is read from its `[format.NAME]` table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from harness.league.fields import Fields

__all__ = ["Flag", "Number", "Option", "Value", "Whole", "Word"]

Value = bool | int | float | str
"""What an option comes to: plain JSON, since a season that goes on compares the stored one with the file's."""


class Option(Protocol):
    """One option of a format."""

    def read(self, fields: Fields, key: str, *, chosen: bool) -> Value | None:
        """What the file states, else the default; None where there is neither.

        `Refused` for a value that can't be used, and for one that is missing but must be there in the chosen format.
        """


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    default: bool = False

    def read(self, fields: Fields, key: str, *, chosen: bool) -> bool:
        """The flag; it is never missing."""
        del chosen
        return fields.flag(key, self.default)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, of `what`."""

    default: int
    low: int
    high: int
    what: str

    def read(self, fields: Fields, key: str, *, chosen: bool) -> int:
        """The number; it is never missing."""
        del chosen
        return fields.whole(key, self.low, self.high, what=self.what) if key in fields else self.default


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `low` to `high`."""

    default: float
    low: float
    high: float

    def read(self, fields: Fields, key: str, *, chosen: bool) -> float:
        """The number; it is never missing."""
        del chosen
        return fields.number_between(key, self.low, self.high) if key in fields else self.default


@dataclass(frozen=True, slots=True)
class Word:
    """A word like a bot's id, which must be stated; `advice` tells somebody who did not what to write."""

    advice: str

    def read(self, fields: Fields, key: str, *, chosen: bool) -> str | None:
        """The word; None where it is missing from a format that is not the chosen one."""
        if key not in fields and not chosen:
            return None
        fields.required(key, self.advice)
        return fields.word(key)
