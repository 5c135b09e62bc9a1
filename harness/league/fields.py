"""Fields of a parsed file, read one by one with the sentence for each that can't be used."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.protocol import ID_PATTERN, visible

__all__ = ["Fields", "Refused", "nearest", "shown"]

_WORD_SENTENCE = "a word is 1 to 32 of a-z, 0-9 and -, and does not start with -"
"""The rule of `ID_PATTERN`, for people."""


class Refused(Exception):
    """A field that can't be used; `sentence` starts with its place where it has one."""

    def __init__(self, place: str | None, sentence: str) -> None:
        self.sentence = f"{place}: {sentence}" if place else sentence
        super().__init__(self.sentence)


def shown(value: object, limit: int = 60) -> str:
    """A value as a TOML writer knows it, on one line, cut to `limit` characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return visible(repr(value) if isinstance(value, str | int | float) else str(value), limit)


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?`, or all the known words where none is near."""
    words = list(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.0)
    near = bool(close) and difflib.SequenceMatcher(None, word, close[0]).ratio() >= 0.5
    if near:
        return f"did you mean {close[0]!r}?"
    return f"known: {', '.join(words)}"


class Fields:
    """One table of the file and its `place` (None at the top); unknown keys are refused at once."""

    def __init__(self, data: Mapping[str, Any], place: str | None, known: Sequence[str]) -> None:
        self.data = data
        self.place = place
        for key in data:
            if key not in known:
                raise Refused(self.where(visible(key, 60)), f"unknown key; {_unknown(key, known)}")

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def where(self, key: str) -> str:
        """The place of a field."""
        return f"{self.place}.{key}" if self.place else key

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def get(self, key: str) -> Any:
        """The value as parsed, None where it is missing."""
        return self.data.get(key)

    def wrong(self, key: str, value: object, wanted: str) -> Refused:
        """The refusal of a value of another type."""
        return Refused(self.where(key), f"{shown(value)} is not {wanted}")

    def required(self, key: str, advice: str) -> Any:
        """A value that must be there."""
        if key not in self.data:
            raise Refused(self.where(key), f"missing; {advice}")
        return self.data[key]

    def text(self, key: str, longest: int) -> str:
        """A text of 1 to `longest` characters."""
        value = self.required(key, "write it as text in quotes")
        if not isinstance(value, str):
            raise self.wrong(key, value, "a text; write it in quotes")
        if not value or len(value) > longest:
            raise Refused(self.where(key), f"{len(value)} characters; write 1 to {longest}")
        if "\0" in value:
            raise Refused(self.where(key), "holds a NUL character; take it out")
        return value

    def word(self, key: str) -> str:
        """A word like a bot's id."""
        value = self.required(key, _WORD_SENTENCE)
        if not isinstance(value, str):
            raise self.wrong(key, value, "a word in quotes")
        if not re.fullmatch(ID_PATTERN, value):
            raise Refused(self.where(key), f"{shown(value)} is no word; {_WORD_SENTENCE}")
        return value

    def whole(self, key: str, low: int, high: int, *, what: str) -> int:
        """A whole number in the bounds, which are inclusive."""
        value = self.required(key, f"write how many {what}, {low} to {high}")
        if type(value) is not int:
            raise self.wrong(key, value, "a whole number")
        if not low <= value <= high:
            raise Refused(self.where(key), f"{shown(value)} {what}; write {low} to {high}")
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        value = self.required(key, "write a number")
        if type(value) not in (int, float):
            raise self.wrong(key, value, "a number")
        # A whole number beyond the doubles can't be converted, which is no overflow of ours.
        if type(value) is int and abs(value) > 10**300:
            raise Refused(self.where(key), f"{shown(value)} is too large")
        if not math.isfinite(value):
            raise Refused(self.where(key), f"{shown(value)} is not finite; write a number")
        return float(value)

    def number_between(self, key: str, low: float, high: float) -> float:
        """A number in the bounds, which are inclusive."""
        value = self.number(key)
        if not low <= value <= high:
            raise Refused(self.where(key), f"{shown(self.get(key))}; write {low:g} to {high:g}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """A true or false, the default where it is missing."""
        value = self.data.get(key, default)
        if type(value) is not bool:
            raise self.wrong(key, value, "true or false; write one of them without quotes")
        return value

    def listed(self, key: str, what: str, shortest: int, longest: int) -> list[Any]:
        """A list of `shortest` to `longest` items of any type."""
        value = self.required(key, f"write {what}")
        if not isinstance(value, list):
            raise self.wrong(key, value, what)
        if not shortest <= len(value) <= longest:
            raise Refused(self.where(key), f"{len(value)} items; write {what}, {shortest} to {longest} items")
        return value

    def table(self, key: str, known: Sequence[str], advice: str | None = None) -> Fields:
        """A table of its own; without `advice` a missing one is empty."""
        value = self.required(key, advice) if advice is not None else self.data.get(key, {})
        if not isinstance(value, Mapping):
            raise self.wrong(key, value, f"a table; write [{self.where(key)}]")
        return Fields(value, self.where(key), known)

    def tables(self, key: str, known: Sequence[str]) -> list[Fields]:
        """An array of tables, `[[key]]`; empty where it is missing."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, value, f"a list of tables; write [[{self.where(key)}]]")
        found = []
        for i, item in enumerate(value):
            place = f"{self.where(key)}[{i}]"
            if not isinstance(item, Mapping):
                raise Refused(place, f"{shown(item)} is not a table; write [[{self.where(key)}]]")
            found.append(Fields(item, place, known))
        return found


def _unknown(key: str, known: Sequence[str]) -> str:
    """What to write instead of an unknown key: the nearest known one always stands in it."""
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    return f"the nearest known one is `{close[0]}`" if close else "this table has none"
