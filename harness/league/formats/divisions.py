"""Divisions: bots of like strength play a round robin among themselves, newcomers play placement with hosts from all.

Who is in which division is fixed for a season. A division with at least as many bots as a table of the round seats
plays: it has the tables that the format `round-robin` would give to its bots alone, with the season's seed and the
round's number as they are, and with each size that it can't fill replaced by the largest of the league that it can.
Where no division plays, as in a league's first season, where nobody is in one, all bots play one round robin together.

The others, those in no division and those whose division is too small by now, play placement: s tables each in a round
of tables of s, one in each seat, beside hosts from the divisions that play. `pair/{season seed}/{round}`, begun anew,
draws

1. `shuffled` of all ids, ascending, is the lot of the round; those who play placement take turns in its order.
2. For each, the tables in which it sits in seat 0, 1, …, s − 1 are filled one after another, with s − 1 hosts each. The
   next host is the one, of those not at the table and not by an author who is, from whose division fewest sit there, of
   equals the one that shared fewest tables with this newcomer, of equals the one that shared fewest with all those who
   play placement this round, added up, of equals the first in the lot. Tables of this round count.
3. `shuffled` of the hosts, in the order in which they were chosen, fills the other seats in their order; then they are
   exchanged as `seating.py` tells, by how often each has been where in the season, the placement tables of this round
   that come before included; the newcomer stays.

So a newcomer meets the hosts of a division equally often, give or take one, and no two newcomers share a table. A
division that keeps authors apart has at least s of them (a bot of nobody's is its own), so a host is always left.

Fixtures are the tables of division 1, those of division 2 and so on, then the placement tables as they were filled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from harness.game import pair_stream
from harness.league.entrant import Entrant
from harness.league.formats.authors import apart_keys
from harness.league.formats.field import Field
from harness.league.formats.format import (
    NO_DIVISIONS,
    Goal,
    Refusal,
    check_pairable,
    crowded,
    size_of_round,
    too_few,
)
from harness.league.formats.option import Flag, Option, Whole
from harness.league.formats.round_robin import RoundRobin
from harness.league.formats.seating import levelled_seats

__all__ = ["Divisions"]

MAX_DIVISIONS = 16
"""Divisions of a league at most."""


class Divisions:
    """The format `divisions`.

    `count` is how many divisions there are at most, `move` how many bots of each change places with as many of the one
    below at a season's end. `same_author`: may bots of one author share a table?
    """

    name = "divisions"
    options: Mapping[str, Option] = MappingProxyType(
        {
            "count": Whole(2, 2, MAX_DIVISIONS, "divisions"),
            "move": Whole(1, 0, 8, "bots to be promoted"),
            "same_author": Flag(),
        }
    )
    by_rating = False
    needs_past = True

    def refusal(
        self,
        entrants: Sequence[Entrant],
        sizes: Sequence[int],
        options: Mapping[str, Any],
        divisions: Mapping[str, int] = NO_DIVISIONS,
    ) -> Refusal | None:
        """Too few bots for a table, or an author with more in a division than can be kept apart."""
        if (refused := too_few(len(entrants), max(sizes))) is not None:
            return refused
        for size in sorted(set(sizes)):
            playing = _playing({entrant.id for entrant in entrants}, size, divisions)
            for number, bots in playing.items():
                refused = crowded([each for each in entrants if each.id in bots], size, options, self.name)
                if refused is not None:
                    return replace(refused, reason=f"division {number}: {refused.reason}") if number else refused
        return None

    def matches(self, bots: Collection[str], size: int, divisions: Mapping[str, int]) -> int:
        """One for each bot whose division plays, `size` for each of the others."""
        playing = sum(len(members) for members in _playing(bots, size, divisions).values())
        return playing + size * (len(bots) - playing)

    def goal(self, options: Mapping[str, Any]) -> Goal | None:
        """None: all rounds are played."""
        del options
        return None

    def tables(
        self, field: Field, round_: int, sizes: Sequence[int], season_seed: str, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The tables of the divisions, then those of placement."""
        check_pairable(self, field, round_, sizes, options)
        by_id = {contender.id: contender for contender in field.contenders}
        size = size_of_round(sizes, round_)
        tables: list[tuple[str, ...]] = []
        division_of: dict[str, int] = {}
        for number, bots in _playing(by_id, size, field.divisions).items():
            members = replace(field, contenders=tuple(by_id[bot] for bot in bots))
            fitting = max(each for each in sizes if each <= len(bots))
            own_sizes = [each if each <= len(bots) else fitting for each in sizes]
            tables += RoundRobin().tables(members, round_, own_sizes, season_seed, options)
            division_of |= dict.fromkeys(bots, number)
        if len(division_of) < len(by_id):
            tables += _Placement(field, division_of, round_, size, season_seed, options).tables()
        return tables


def _playing(bots: Collection[str], size: int, divisions: Mapping[str, int]) -> dict[int, list[str]]:
    """The bots of each division that plays at tables of `size`, by its number; number 0 with all, where none does."""
    members: dict[int, list[str]] = {}
    for bot in sorted(bots):
        if divisions.get(bot):
            members.setdefault(divisions[bot], []).append(bot)
    playing = {number: members[number] for number in sorted(members) if len(members[number]) >= size}
    return playing or {0: sorted(bots)}


class _Placement:
    """The placement tables of a round; `division_of` is the division of each host."""

    def __init__(
        self,
        field: Field,
        division_of: Mapping[str, int],
        round_: int,
        size: int,
        season_seed: str,
        options: Mapping[str, Any],
    ) -> None:
        self.size = size
        self.division_of = division_of
        self.stream = pair_stream(season_seed, round_)
        self.lot = self.stream.shuffled(sorted(contender.id for contender in field.contenders))
        self.newcomers = [bot for bot in self.lot if bot not in division_of]
        self.hosts = [bot for bot in self.lot if bot in division_of]
        self.met = Counter(dict(field.meetings))
        self.been = {each.id: [*each.seats, *[0] * size] for each in field.contenders}
        self.author = apart_keys(field.entrants, options)
        self.hosted = {
            host: sum(self.met[frozenset((host, newcomer))] for newcomer in self.newcomers) for host in self.hosts
        }

    def tables(self) -> Iterator[tuple[str, ...]]:
        """The tables in the order in which they are filled."""
        for newcomer in self.newcomers:
            for seat in range(self.size):
                yield self._table(newcomer, seat)

    def _table(self, newcomer: str, seat: int) -> tuple[str, ...]:
        hosts: list[str] = []
        authors = {self.author[newcomer]}
        while len(hosts) < self.size - 1:
            sitting = Counter(self.division_of[host] for host in hosts)
            host = min(
                (host for host in self.hosts if self.author[host] not in authors),
                key=lambda host: (
                    sitting[self.division_of[host]],
                    self.met[frozenset((host, newcomer))],
                    self.hosted[host],
                ),
            )
            hosts.append(host)
            authors.add(self.author[host])
        for host in hosts:
            self.met[frozenset((host, newcomer))] += 1
            self.hosted[host] += 1
        order = self.stream.shuffled(hosts)
        order.insert(seat, newcomer)
        table = levelled_seats(order, self.been, [j for j in range(self.size) if j != seat])
        for j, bot in enumerate(table):
            self.been[bot][j] += 1
        return tuple(table)
