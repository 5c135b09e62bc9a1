"""What the rounds of a season so far mean for the pairing of the next: tables, seats, meetings, rounds sat out.

All of it follows from who was entered in each round and who was seated. A match that was voided counts like any other:
its bots were at a table that round, and pairing them anew in preference would seat the same trouble again and again.

A bot that comes in later, or comes back, begins level with the one of the others that has sat out most; else it would
sit out round after round until it had caught up with rounds in which it was not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

from harness.league.entrant import Entrant
from harness.league.formats.field import Contender, Field
from harness.ratings import Rating

__all__ = ["Past"]


class Past:
    """The rounds of a season as they are added, the first one first; `rounds` says how many."""

    def __init__(self) -> None:
        self.rounds = 0
        self._there: frozenset[str] = frozenset()
        self._sat_out: dict[str, int] = {}
        self._matches: Counter[str] = Counter()
        self._seats: dict[str, list[int]] = {}
        self._meetings: Counter[frozenset[str]] = Counter()

    def add_round(self, entered: Collection[str], tables: Iterable[Sequence[str]]) -> None:
        """The next round: who was entered, and the bots of each of its tables by seat."""
        sat_out = self._levelled(entered)
        seated: set[str] = set()
        for table in tables:
            seated.update(table)
            self._matches.update(table)
            self._meetings.update(frozenset(pair) for pair in combinations(table, 2))
            for seat, bot in enumerate(table):
                times = self._seats.setdefault(bot, [])
                times.extend([0] * (seat + 1 - len(times)))
                times[seat] += 1
        for bot in entered:
            self._sat_out[bot] = sat_out[bot] + (bot not in seated)
        self._there = frozenset(entered)
        self.rounds += 1

    def field(
        self,
        entrants: Iterable[Entrant],
        ratings: Mapping[str, Rating],
        start: Rating,
        divisions: Mapping[str, int] | None = None,
    ) -> Field:
        """The field of the next round; a bot without a rating has that of the start, one without a division is in none.

        `divisions` is the division of each bot that is in one, 1 the top.
        """
        found = list(entrants)
        known = divisions or {}
        sat_out = self._levelled([entrant.id for entrant in found])
        contenders = tuple(
            Contender(
                entrant,
                ratings.get(entrant.id, start),
                self._matches[entrant.id],
                sat_out[entrant.id],
                tuple(self._seats.get(entrant.id, ())),
                known.get(entrant.id, 0),
            )
            for entrant in found
        )
        return Field(contenders, start, MappingProxyType(dict(self._meetings)))

    def _levelled(self, entered: Collection[str]) -> dict[str, int]:
        """Rounds sat out by those entered next, with those who were not there in the last round brought level."""
        most = max((self._sat_out[bot] for bot in entered if bot in self._there), default=0)
        return {
            bot: self._sat_out[bot] if bot in self._there else max(self._sat_out.get(bot, 0), most) for bot in entered
        }
