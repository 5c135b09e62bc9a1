"""Pair counts of a set of matches: how often either of two versions finished first, and how often they tied."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.ratings.outcome import MatchRanks

__all__ = ["Pairs", "count_pairs"]

Entrant: TypeAlias = tuple[str, str]
"""A bot's id and its version: what a strength is estimated of."""

_OUTCOMES = 3
"""The first of the pair ahead, the second ahead, tied."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Who met whom with what result, match by match; whole numbers, whatever the order in which matches came.

    `entrants` are sorted, `games` counts all games each sat in and `rated` those of them that count for ratings with
    it, `matches` are the names of the matches, sorted. `first`
    and `second`, shape (pairs,), are places in `entrants`. The last three have a place for each match and cell that it
    counts in, cell 3·p + o being outcome o of pair p, and how often.
    """

    entrants: tuple[Entrant, ...]
    games: tuple[int, ...]
    rated: tuple[int, ...]
    matches: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    match: NDArray[np.int64]
    cell: NDArray[np.int64]
    count: NDArray[np.int64]

    def counts(self, weights: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Shape (pairs, 3): how often the first was ahead, the second was, they tied.

        `weights`, shape (matches,), says how often each match is counted; once if none are given. Sums of whole
        numbers, so doubles are exact.
        """
        added = self.count if weights is None else self.count * weights[self.match]
        cells = np.bincount(self.cell, added, _OUTCOMES * len(self.first)).astype(np.float64)
        return cells.reshape(-1, _OUTCOMES)


def count_pairs(matches: Iterable[MatchRanks]) -> Pairs:
    """The counts of all pairs of each game that counts for ratings; each match has a name of its own."""
    entrants: dict[Entrant, int] = {}
    games: list[int] = []
    rated: Counter[int] = Counter()
    met: dict[tuple[int, int], int] = {}
    names: list[str] = []
    where, cells, counts = array("q"), array("q"), array("q")
    for place, match in enumerate(matches):
        names.append(match.match)
        here = [entrants.setdefault(seat, len(entrants)) for seat in match.seats]
        games.extend([0] * (len(entrants) - len(games)))
        for one in here:
            games[one] += len(match.games)
        finishes = match.finishes()
        rated.update(here[seat] for finish in finishes for _, seat in finish)
        for cell, count in _cells(finishes, here, met).items():
            where.append(place)
            cells.append(cell)
            counts.append(count)
    played = [(count, rated[one]) for one, count in enumerate(games)]
    return _in_order(list(entrants), played, list(met), names, [_whole(each) for each in (where, cells, counts)])


def _cells(finishes: list[list[tuple[int, int]]], here: list[int], met: dict[tuple[int, int], int]) -> dict[int, int]:
    """A match's counts by cell, pairs numbered as they are first met."""
    found: dict[int, int] = {}
    for finish in finishes:
        for (rank, seat), (other_rank, other_seat) in combinations(finish, 2):
            one, other = here[seat], here[other_seat]
            outcome = 2 if rank == other_rank else int(rank > other_rank)
            if one > other:
                one, other, outcome = other, one, (1, 0, 2)[outcome]
            cell = _OUTCOMES * met.setdefault((one, other), len(met)) + outcome
            found[cell] = found.get(cell, 0) + 1
    return found


def _in_order(
    entrants: list[Entrant],
    played: list[tuple[int, int]],
    met: list[tuple[int, int]],
    names: list[str],
    counted: list[NDArray[np.int64]],
) -> Pairs:
    """The same counts with entrants, pairs and matches in an order of their own instead of that of arrival."""
    match, cell, count = counted
    by_name = sorted(range(len(entrants)), key=entrants.__getitem__)
    place = _places(by_name)
    pairs = place[np.array(met, dtype=np.int64).reshape(-1, 2)]
    turned = pairs[:, 0] > pairs[:, 1]
    pairs.sort(axis=1)
    by_pair = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pair, outcome = np.divmod(cell, _OUTCOMES)
    outcome = np.where(turned[pair], np.array([1, 0, 2])[outcome], outcome)
    cell = _OUTCOMES * _places(by_pair)[pair] + outcome
    by_match = sorted(range(len(names)), key=names.__getitem__)
    match = _places(by_match)[match]
    by_cell = np.lexsort((cell, match))
    return Pairs(
        entrants=tuple(entrants[one] for one in by_name),
        games=tuple(played[one][0] for one in by_name),
        rated=tuple(played[one][1] for one in by_name),
        matches=tuple(names[one] for one in by_match),
        first=pairs[by_pair, 0],
        second=pairs[by_pair, 1],
        match=match[by_cell],
        cell=cell[by_cell],
        count=count[by_cell],
    )


def _places(order: NDArray[np.int64] | list[int]) -> NDArray[np.int64]:
    """The inverse of a permutation."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def _whole(numbers: array[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)
