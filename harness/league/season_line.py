"""A line of a season file: how it is named, what is kept of it, and that it can't be."""

from __future__ import annotations

from dataclasses import dataclass

from harness.protocol import visible
from harness.referee import Problem

__all__ = ["StatedSeed", "Stop", "TakenLine", "place_of"]


class Stop(Exception):
    """The first thing that can't be."""

    def __init__(self, place: str, sentence: str) -> None:
        self.problem = Problem(place, sentence)
        super().__init__(str(self.problem))


@dataclass(frozen=True, slots=True)
class TakenLine:
    """A line that was taken: the field that stands for it, the match that it names, and the chains' head after it.

    `field` is what the results chain takes of it, `outcome` of a record; `match` is "" for none.
    """

    field: str
    match: str
    head: str


@dataclass(frozen=True, slots=True)
class StatedSeed:
    """The seed that stands in the record of a line."""

    line: int
    match: str
    round: int
    number: int
    seed: str


def place_of(line: int, match: str = "") -> str:
    """How a line is named: `line 17`, or `line 17 (starter/1/2/5)` where it names a match."""
    return f"line {line} ({visible(match, 80)})" if match else f"line {line}"
