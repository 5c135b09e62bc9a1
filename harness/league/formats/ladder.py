"""Ladder: near ratings meet, the unsure ones first, and a heavy tail keeps the whole field linked.

A round of n bots at tables of s has ⌊n / s⌋ of them, and every bot sits at most once. What of a rating counts here is
rounded first (to the nearest whole number, halves to the even one), so that a last digit decides nothing: its level is
μ less the starting μ in hundredths of the starting σ, its doubt is σ in tenths of the starting σ.
`pair/{season seed}/{round}` draws, in this order:

1. `shuffled` of the ids in ascending order is the lot of the round: where bots are equal below, the first in it comes
   first.
2. The n mod s who have sat out fewest rounds sit out.
3. The ⌊n / s⌋ with the largest doubt, of equals those with fewest matches, are the first bots of one table each, in
   that order; so newcomers are spread over the field and don't fill a table of their own. Doubt comes before matches,
   since a new version has matches behind it and is unknown all the same.
4. The tables are filled one after another. For each seat more, those of the other bots that may sit there are put in
   order of |level − level of the table's first|, and two of them (one, if there is but one) are drawn: the one at place
   ⌊m / (1 + below(m))⌋ − 1, with m how many are left, is taken out. So the k nearest are passed over with a chance of
   about 1/(k + 1), however large k is: half of the draws are the nearest bot, and yet every two bots meet in the long
   run. The drawn one that has shared fewest tables with those at the table, added up, sits down; of equals the one
   drawn first.
5. A table that is full is the next fixture. `shuffled` of its bots in the order in which they sat down gives the seats;
   then, as long as there are two of them whose exchange makes the sum of squares of how often each has been in its seat
   smaller, the first such two (seat a, then seat b > a) change places.

Who may sit: where bots of one author are kept apart, none whose author is at the table. And an author must come to this
table who has as many bots (the first ones of tables counted) at tables that are not filled yet or at none as there are
such tables; as soon as no more seats are free than such authors are missing, only their bots may sit. So behind each
table no author has more bots left than there are tables, and as every table has a seat for each author who must come,
there is no dead end if that holds at the start (`refusal`). A bot of nobody's is alone with itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from harness.game import pair_stream
from harness.league.entrant import Entrant
from harness.league.formats.authors import apart_keys, several_by_author
from harness.league.formats.field import Contender, Field
from harness.league.formats.format import NO_DIVISIONS, Goal, Refusal, check_pairable, size_of_round, too_few
from harness.league.formats.option import Flag, Option
from harness.league.formats.seating import levelled_seats

__all__ = ["Ladder"]

_LEVELS = 100
"""Steps of level in a starting σ."""

_DOUBTS = 10
"""Steps of doubt in a starting σ. Coarse, so that bots about which about as much is known take turns by matches."""

_POOL = 2
"""Bots drawn for a seat. With three, meetings are so level in a field of 24 that ratings hardly tell any more."""


class Ladder:
    """The format `ladder`; its one option is `same_author`: may bots of one author share a table?"""

    name = "ladder"
    options: Mapping[str, Option] = MappingProxyType({"same_author": Flag()})
    by_rating = True
    needs_past = True

    def refusal(
        self,
        entrants: Sequence[Entrant],
        sizes: Sequence[int],
        options: Mapping[str, Any],
        divisions: Mapping[str, int] = NO_DIVISIONS,
    ) -> Refusal | None:
        """Too few bots for a table, or an author with more of them than there are tables."""
        del divisions
        n, largest = len(entrants), max(sizes)
        if (refused := too_few(n, largest)) is not None:
            return refused
        tables = n // largest
        for author, ids in several_by_author(entrants, options).items():
            if len(ids) > tables:
                return Refusal(
                    f"{len(ids)} of {n} bots are by {author!r} ({', '.join(ids)}), too many to keep apart at the "
                    f"{tables} tables of {largest} in a round",
                    f"enter at least {len(ids) * largest} bots, give some another `author`, or write "
                    "`same_author = true` under [format.ladder]",
                )
        return None

    def matches(self, bots: Collection[str], size: int, divisions: Mapping[str, int]) -> int:
        """As many tables as the bots fill."""
        del divisions
        return len(bots) // size

    def goal(self, options: Mapping[str, Any]) -> Goal | None:
        """None: all rounds are played."""
        del options
        return None

    def tables(
        self, field: Field, round_: int, sizes: Sequence[int], season_seed: str, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The ⌊n / size⌋ tables of a round of n bots."""
        check_pairable(self, field, round_, sizes, options)
        return _Round(field, round_, size_of_round(sizes, round_), season_seed, options).tables()


class _Round:
    """A round being paired; bots are told by their place in the lot."""

    def __init__(self, field: Field, round_: int, size: int, season_seed: str, options: Mapping[str, Any]) -> None:
        self.size = size
        self.stream = pair_stream(season_seed, round_)
        by_id = {contender.id: contender for contender in field.contenders}
        lot: list[Contender] = [by_id[bot] for bot in self.stream.shuffled(sorted(by_id))]
        self.lot = lot
        self.meetings = field.meetings
        self.level = [round(_LEVELS * (each.rating.mu - field.start.mu) / field.start.sigma) for each in lot]
        self.doubt = [round(_DOUBTS * each.rating.sigma / field.start.sigma) for each in lot]
        keys = apart_keys(field.entrants, options)
        self.author = [keys[each.id] for each in lot]

    def tables(self) -> list[tuple[str, ...]]:
        """The tables, in the order in which they are filled."""
        n = len(self.lot)
        out = set(sorted(range(n), key=lambda i: self.lot[i].sat_out)[: n % self.size])
        left = [i for i in range(n) if i not in out]
        firsts = sorted(left, key=lambda i: (-self.doubt[i], self.lot[i].matches, i))[: n // self.size]
        tables: list[tuple[str, ...]] = []
        for place, first in enumerate(firsts):
            table = self._table(first, left, set(firsts[place:]))
            left = [i for i in left if i not in table]
            tables.append(tuple(self.lot[i].id for i in self._seated(table)))
        return tables

    def _table(self, first: int, left: Sequence[int], firsts: Collection[int]) -> list[int]:
        """The bots of a table in the order in which they sit down, out of those `left`, `firsts` among them."""
        counts = Counter(self.author[i] for i in left)
        must = {author for author, count in counts.items() if count == len(firsts)}
        others = [i for i in left if i not in firsts]
        table = [first]
        while len(table) < self.size:
            near = sorted(self._may_sit(others, table, must), key=lambda i: (abs(self.level[i] - self.level[first]), i))
            pool = [self._drawn(near) for _ in range(min(_POOL, len(near)))]
            table.append(min(pool, key=lambda i: self._met(i, table)))
        return table

    def _may_sit(self, others: Sequence[int], table: Sequence[int], must: set[str]) -> list[int]:
        """Who may take the next seat, with `must` the authors of whom one has to be at this table."""
        here = {self.author[i] for i in table}
        only = must - here if self.size - len(table) <= len(must - here) else None
        return [i for i in others if self.author[i] not in here and (only is None or self.author[i] in only)]

    def _drawn(self, near: list[int]) -> int:
        """One of them, taken out: the first with a chance of a half, the k-th or a later one with one of about 1/k."""
        m = len(near)
        return near.pop(m // (1 + self.stream.below(m)) - 1)

    def _met(self, i: int, table: Sequence[int]) -> int:
        return sum(self.meetings.get(frozenset((self.lot[i].id, self.lot[j].id)), 0) for j in table)

    def _seated(self, table: Sequence[int]) -> list[int]:
        """The bots by seat: as drawn, then exchanged as long as that levels who has been where."""
        been = {i: [*self.lot[i].seats, *[0] * self.size] for i in table}
        return levelled_seats(self.stream.shuffled(table), been, range(self.size))
