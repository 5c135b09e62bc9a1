"""Rounds in which bots of one author never share a table, each bot once in every seat, pairs as level as can be.

Column j of a round says who sits in seat j of each table: a permutation of the bots, so seats stay exact. A round
starts from a circle on which an author's bots lie side by side, with seats at least as far apart on it as the longest
such stretch, so nobody meets a bot of the same author; that is possible when the largest author's bots times the seats
are at most n. Then column after column is taken out and put back by matching its bots to the tables anew: two bots of
the column change places, best exchange first, while that levels the meetings of the season and keeps authors apart. The
old column is always one such matching, so there is no dead end.

Draws from `pair/{season seed}/{round}`, groups being the authors' sets of bots and each remaining bot alone, in the
order of their first bots' ids: `shuffled` of the groups; `shuffled` of each group in that order, which gives the
circle; and at the end `shuffled([0, …, n − 1])`, the order in which the tables are played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from harness.game import PairStream, pair_stream
from harness.league.formats.format import size_of_round

__all__ = ["tables_kept_apart"]

_Whole = NDArray[np.int64]
"""Whole numbers: a column of bots, or a count for each pair of them."""

_SWEEPS = 4
"""How often at most all columns of a round are matched anew."""

_FORBIDDEN = 1 << 40
"""The price of two bots of one author at a table: dearer than any sum of meetings, and far from overflow."""


class ApartDesign:
    """The tables of every round for bots 0 … n − 1; each round is built on top of those before."""

    def __init__(self, n: int, groups: tuple[tuple[int, ...], ...], sizes: tuple[int, ...], season_seed: str) -> None:
        self.n = n
        self.sizes = sizes
        self.season_seed = season_seed
        grouped = {bot for group in groups for bot in group}
        self.groups = sorted([*groups, *((bot,) for bot in range(n) if bot not in grouped)])
        self.met: _Whole = np.zeros((n, n), dtype=np.int64)
        self.forbidden: _Whole = np.zeros((n, n), dtype=np.int64)
        np.fill_diagonal(self.forbidden, _FORBIDDEN)
        for group in groups:
            for a, b in combinations(group, 2):
                self.forbidden[a, b] = self.forbidden[b, a] = _FORBIDDEN
        self.rounds: list[tuple[tuple[int, ...], ...]] = []

    def tables(self, round_: int) -> tuple[tuple[int, ...], ...]:
        """The tables of a round, bots by seat, in the order of fixture numbers."""
        while len(self.rounds) < round_:
            self.extend()
        return self.rounds[round_ - 1]

    def extend(self) -> None:
        """Build the next round and count its meetings."""
        round_ = len(self.rounds) + 1
        stream = pair_stream(self.season_seed, round_)
        columns = self.start(stream, size_of_round(self.sizes, round_))
        for a, b in combinations(columns, 2):
            _count(self.met, a, b, 1)
        for _ in range(_SWEEPS):
            if not sum(self.rematch(columns, j) for j in range(len(columns))):
                break
        order = stream.shuffled(range(self.n))
        self.rounds.append(tuple(tuple(int(column[t]) for column in columns) for t in order))

    def start(self, stream: PairStream, size: int) -> list[_Whole]:
        """Columns off the circle of authors, without a conflict."""
        circle = np.array([bot for group in stream.shuffled(self.groups) for bot in stream.shuffled(group)])
        stride = self.n // size
        return [np.roll(circle, -j * stride).astype(np.int64) for j in range(size)]

    def rematch(self, columns: list[_Whole], j: int) -> int:
        """Match column j to the tables anew; how many exchanges that took. Keeps `met` in step."""
        column = columns[j]
        others = columns[:j] + columns[j + 1 :]
        for other in others:
            _count(self.met, column, other, -1)
        # price[bot, table]: what the bot's meetings there add to the sum of squares over pairs.
        price = sum(((2 * self.met + 1 + self.forbidden)[:, other] for other in others), np.zeros_like(self.met))
        exchanges = 0
        while True:
            swapped = price[column, :]  # [t, u]: the bot of table t at table u
            here = np.diagonal(swapped)
            gain = swapped + swapped.T - here[:, None] - here[None, :]
            t, u = divmod(int(np.argmin(gain)), self.n)
            if gain[t, u] >= 0:
                break
            column[t], column[u] = column[u], column[t]
            exchanges += 1
        for other in others:
            _count(self.met, column, other, 1)
        return exchanges


def _count(met: _Whole, a: _Whole, b: _Whole, times: int) -> None:
    """Add the meetings of two columns; a pair can meet twice, at two tables with seats exchanged."""
    np.add.at(met, (a, b), times)
    np.add.at(met, (b, a), times)


def tables_kept_apart(
    bots: Sequence[str], several: Mapping[str, Sequence[str]], round_: int, sizes: Sequence[int], season_seed: str
) -> list[tuple[str, ...]]:
    """The tables of a round by seat, in the order of fixture numbers.

    `bots` ascend; `several` are the ids of each author with more than one of them.
    """
    place = {bot: i for i, bot in enumerate(bots)}
    groups = tuple(sorted(tuple(place[bot] for bot in ids) for ids in several.values()))
    design = _design(len(bots), groups, tuple(sizes), season_seed)
    return [tuple(bots[i] for i in table) for table in design.tables(round_)]


@lru_cache(maxsize=64)
def _design(n: int, groups: tuple[tuple[int, ...], ...], sizes: tuple[int, ...], season_seed: str) -> ApartDesign:
    """The design for these bots; kept, since a round needs those before it, and so does each of many divisions."""
    return ApartDesign(n, groups, sizes, season_seed)
