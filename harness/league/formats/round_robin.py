"""Round robin: in a round of n bots each sits once in every seat, and over the rounds every two meet equally often.

A round is n tables. Bots stand on a circle; table i seats bot (i + dⱼ) mod n of it in seat j, with offsets d that
`offsets.py` chooses from n and the sizes of the rounds so far alone. Then `pair/{season seed}/{round}` draws

1. `shuffled(ids)` of the ascending bot ids: the circle from this round on, if all bots have met equally often before
   it, overall and at each size (so it is in round 1); in any other round the circle stays, and the draw has no effect;
2. `shuffled(d)` of the ascending offsets: which offset sits in which seat;
3. `shuffled([0, …, n − 1])`: the k-th number of it is the table that is played as fixture k.

The circle decides which threes and fours meet. It is drawn, and drawn anew, so that this is no matter of names.

Where bots of one author must be kept apart and some author has several, `kept_apart.py` builds the round instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from harness.game import pair_stream
from harness.league.entrant import Entrant
from harness.league.formats.authors import several_by_author
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
from harness.league.formats.offsets import cyclic_design
from harness.league.formats.option import Flag, Option

__all__ = ["RoundRobin"]


class RoundRobin:
    """The format `round-robin`; its one option is `same_author`: may bots of one author share a table?"""

    name = "round-robin"
    options: Mapping[str, Option] = MappingProxyType({"same_author": Flag()})
    by_rating = False
    needs_past = False

    def refusal(
        self,
        entrants: Sequence[Entrant],
        sizes: Sequence[int],
        options: Mapping[str, Any],
        divisions: Mapping[str, int] = NO_DIVISIONS,
    ) -> Refusal | None:
        """Too few bots for a table, or an author with more than can be kept apart."""
        del divisions
        largest = max(sizes)
        return too_few(len(entrants), largest) or crowded(entrants, largest, options, self.name)

    def matches(self, bots: Collection[str], size: int, divisions: Mapping[str, int]) -> int:
        """As many as there are bots, whatever the size."""
        del size, divisions
        return len(bots)

    def goal(self, options: Mapping[str, Any]) -> Goal | None:
        """None: all rounds are played."""
        del options
        return None

    def tables(
        self, field: Field, round_: int, sizes: Sequence[int], season_seed: str, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The n tables of a round of n bots."""
        check_pairable(self, field, round_, sizes, options)
        entrants = field.entrants
        bots = sorted(entrant.id for entrant in entrants)
        several = several_by_author(entrants, options)
        if several:
            # Only then: it needs numpy, which costs more than the rest of a command's start-up.
            from harness.league.formats.kept_apart import tables_kept_apart

            return tables_kept_apart(bots, several, round_, sizes, season_seed)
        n = len(bots)
        cyclic = cyclic_design(n, tuple(sizes))
        circle = pair_stream(season_seed, cyclic.lap(round_)).shuffled(bots)
        stream = pair_stream(season_seed, round_)
        stream.shuffled(bots)
        offsets = stream.shuffled(cyclic.offsets(round_))
        assert len(offsets) == size_of_round(sizes, round_)
        return [tuple(circle[(i + offset) % n] for offset in offsets) for i in stream.shuffled(range(n))]
