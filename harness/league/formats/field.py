"""The field: what is known, before a round is paired, of those who are entered in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from harness.league.entrant import Entrant
from harness.ratings import Rating

__all__ = ["Contender", "Field", "new_field"]


@dataclass(frozen=True, slots=True)
class Contender:
    """An entrant with its rating and what it did in the season's rounds before.

    `matches` counts the tables it sat at, `sat_out` the rounds in which it had no table, `seats[j]` how often it sat in
    seat j; later seats may be missing. `division` counts from 1, the top; 0 is none.
    """

    entrant: Entrant
    rating: Rating
    matches: int = 0
    sat_out: int = 0
    seats: tuple[int, ...] = ()
    division: int = 0

    @property
    def id(self) -> str:
        """The bot's id in the league."""
        return self.entrant.id


@dataclass(frozen=True, slots=True)
class Field:
    """Those entered in a round, the rating that a new bot starts with, and how many tables each pair has shared.

    `meetings` holds pairs of ids; one that is not there has not met.
    """

    contenders: tuple[Contender, ...]
    start: Rating
    meetings: Mapping[frozenset[str], int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who is entered, and whose they are."""
        return tuple(contender.entrant for contender in self.contenders)

    @property
    def divisions(self) -> dict[str, int]:
        """The division of each bot that is in one."""
        return {contender.id: contender.division for contender in self.contenders if contender.division}


def new_field(entrants: Iterable[Entrant], start: Rating, divisions: Mapping[str, int] | None = None) -> Field:
    """The field before anything was played or carried over; bots that `divisions` does not name are in none."""
    known = divisions or {}
    return Field(tuple(Contender(entrant, start, division=known.get(entrant.id, 0)) for entrant in entrants), start)
