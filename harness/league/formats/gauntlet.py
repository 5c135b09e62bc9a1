"""Gauntlet: one candidate against all others, at tables of every composition, until it is known how strong it is.

A round of n opponents at tables of s has n tables. The candidate sits at all of them, and in the same seat: seat
q mod s, where q counts the rounds of this size before. Each opponent sits at s − 1 of them, once in each of the other
seats; so after s rounds of a size the candidate has been equally often in every seat, and so has every opponent.

The opponents of a table are a composition of k = s − 1. They stand on a circle; table i has those at (i + dⱼ) mod n of
it, with the offsets d at place q mod m of a lap, m being the number of orbits, as `compositions.py` tells it from n
and k alone. So a lap of m rounds of a size has every composition, and after it every two opponents have met nearly
equally often. Sizes do not look at each other. Then `pair/{season seed}/{round}` draws

1. `shuffled(ids)` of the opponents' ids, ascending: the circle of this size from this round on, if it is the first of a
   lap; in any other round the circle stays, and the draw has no effect;
2. where there are more than 4,096 orbits, so that no lap would ever end: each round is a lap of its own, and d are the
   first k of `shuffled([0, …, n − 1])`, ascending;
3. `shuffled(d)` of the ascending offsets: which offset sits in which of the other seats, in their order;
4. `shuffled([0, …, n − 1])`: the k-th number of it is the table that is played as fixture k.

An opponent that comes or leaves changes n, and pairings go on as if it had been so from round 1.

Where some author has several opponents that must be kept apart, `kept_apart.py` pairs them, each size s of the league
less one: its tables are those of the round, its columns the other seats in their order. It levels pairs, and does not
promise every composition. Other bots of the candidate's own author could never sit, so that they are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from harness.game import pair_stream
from harness.league.entrant import Entrant
from harness.league.formats.authors import several_by_author
from harness.league.formats.compositions import MAX_ORBITS, compositions, orbit_count
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
from harness.league.formats.option import Flag, Number, Option, Word

__all__ = ["Gauntlet", "rounds_of_lap"]


class Gauntlet:
    """The format `gauntlet`.

    `bot` is the candidate, `width` the half-width of the 95 % interval of its strength at which the season is over, in
    points of μ; the rounds of the league are the budget. `same_author`: may bots of one author share a table?
    """

    name = "gauntlet"
    options: Mapping[str, Option] = MappingProxyType(
        {
            "bot": Word("write the id of the bot that plays all others, such as bot = 'mybot'"),
            "width": Number(1.0, 0.001, 1000.0),
            "same_author": Flag(),
        }
    )
    by_rating = False
    needs_past = False

    def refusal(
        self,
        entrants: Sequence[Entrant],
        sizes: Sequence[int],
        options: Mapping[str, Any],
        divisions: Mapping[str, int] = NO_DIVISIONS,
    ) -> Refusal | None:
        """No candidate, too few bots for a table, or an author with more than can be kept apart."""
        del divisions
        candidate, largest = options["bot"], max(sizes)
        ids = [entrant.id for entrant in entrants]
        if candidate not in ids:
            near = get_close_matches(candidate, sorted(ids), n=1)
            return Refusal(
                f"the candidate {candidate!r} is not entered",
                f"enter it, or name another as `bot` under [format.gauntlet]{f', such as {near[0]!r}' if near else ''}",
                missing=candidate,
            )
        if (refused := too_few(len(ids), largest)) is not None:
            return refused
        for author, by_one in several_by_author(entrants, options).items():
            if candidate in by_one:
                others = [bot for bot in by_one if bot != candidate]
                return Refusal(
                    f"the candidate {candidate!r} is by {author!r}, and so are {', '.join(others)}, which could sit at "
                    "no table",
                    "take them out, give them another `author`, or write `same_author = true` under [format.gauntlet]",
                )
        opponents = [entrant for entrant in entrants if entrant.id != candidate]
        return crowded(opponents, largest, options, self.name, candidate=candidate)

    def matches(self, bots: Collection[str], size: int, divisions: Mapping[str, int]) -> int:
        """As many as there are opponents, whatever the size."""
        del size, divisions
        return len(bots) - 1

    def goal(self, options: Mapping[str, Any]) -> Goal:
        """The candidate's strength, known as well as was asked."""
        return Goal(options["bot"], options["width"])

    def tables(
        self, field: Field, round_: int, sizes: Sequence[int], season_seed: str, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The n tables of a round of n opponents."""
        check_pairable(self, field, round_, sizes, options)
        candidate = options["bot"]
        opponents = [entrant for entrant in field.entrants if entrant.id != candidate]
        before = _rounds_before(sizes, round_)
        seat = before % size_of_round(sizes, round_)
        bots = sorted(each.id for each in opponents)
        several = several_by_author(opponents, options)
        if several:
            # Only then: it needs numpy, which costs more than the rest of a command's start-up.
            from harness.league.formats.kept_apart import tables_kept_apart

            beside = tables_kept_apart(bots, several, round_, [size - 1 for size in sizes], season_seed)
        else:
            beside = _composed(bots, before, round_, sizes, season_seed)
        return [(*others[:seat], candidate, *others[seat:]) for others in beside]


def rounds_of_lap(n: int, size: int) -> int | None:
    """Rounds at tables of `size` until n opponents have sat in every composition; None where that is left to chance."""
    count = orbit_count(n, size - 1)
    return count if count <= MAX_ORBITS else None


def _composed(
    opponents: Sequence[str], before: int, round_: int, sizes: Sequence[int], season_seed: str
) -> list[tuple[str, ...]]:
    """The opponents of each table by seat, off the circle."""
    n, size = len(opponents), size_of_round(sizes, round_)
    lap = rounds_of_lap(n, size) or 1
    place = before % lap
    circle = pair_stream(season_seed, _round_after(sizes, size, before - place)).shuffled(opponents)
    stream = pair_stream(season_seed, round_)
    stream.shuffled(opponents)
    if rounds_of_lap(n, size) is None:
        offsets = tuple(sorted(stream.shuffled(range(n))[: size - 1]))
    else:
        offsets = compositions(n, size - 1).offsets(place)
    seated = stream.shuffled(offsets)
    return [tuple(circle[(i + offset) % n] for offset in seated) for i in stream.shuffled(range(n))]


def _rounds_before(sizes: Sequence[int], round_: int) -> int:
    """How many rounds before this one had its size."""
    cycles, place = divmod(round_ - 1, len(sizes))
    size = sizes[place]
    return cycles * list(sizes).count(size) + list(sizes[:place]).count(size)


def _round_after(sizes: Sequence[int], size: int, before: int) -> int:
    """The round with so many of its size before it."""
    places = [place for place, other in enumerate(sizes) if other == size]
    cycles, nth = divmod(before, len(places))
    return cycles * len(sizes) + places[nth] + 1
