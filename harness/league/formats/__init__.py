"""Pairing formats, one a file: who sits where in a round, as a pure function of field, round, sizes and seed."""

from __future__ import annotations

from harness.league.formats.authors import pairs_apart
from harness.league.formats.divisions import Divisions
from harness.league.formats.field import Contender, Field, new_field
from harness.league.formats.format import NO_DIVISIONS, Format, Goal, Refusal
from harness.league.formats.gauntlet import Gauntlet
from harness.league.formats.ladder import Ladder
from harness.league.formats.past import Past
from harness.league.formats.round_robin import RoundRobin
from harness.league.formats.spread import Spread, spread

__all__ = [
    "FORMATS",
    "NO_DIVISIONS",
    "Contender",
    "Field",
    "Format",
    "Goal",
    "Past",
    "Refusal",
    "Spread",
    "format_named",
    "new_field",
    "pairs_apart",
    "spread",
]

FORMATS: dict[str, Format] = {format_.name: format_ for format_ in (RoundRobin(), Ladder(), Gauntlet(), Divisions())}
"""The formats by name."""


def format_named(name: str) -> Format:
    """The format of that name; KeyError for a name that is not in FORMATS."""
    return FORMATS[name]
