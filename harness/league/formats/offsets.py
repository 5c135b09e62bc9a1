"""Offsets of the cyclic design: which distances on the circle of bots meet in a round.

With n bots on a circle and offsets d₀ … dₛ₋₁, table i seats bot (i + dⱼ) mod n in seat j, so a round has n tables and
every bot sits once in each seat. Each unordered pair of offsets makes every two bots that lie their difference apart
share one table more, twice where the difference is n/2, since those two meet from both sides. So all meetings of a
season are told by one count a distance 1 … ⌊n/2⌋, and levelling the pairs is levelling that short list.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb

__all__ = ["CyclicDesign", "cyclic_design"]

_EXHAUSTIVE = 6000
"""Up to so many all sets of offsets are tried; beyond, sets are improved one offset at a time from several starts."""

_STARTS = 8
"""How many pairs of first offsets are built on where not all sets are tried."""

_KEPT = 32
"""How many equally good sets are kept, to be taken in turn."""

_ALL_SIZES_WEIGHT = 1000
"""Meetings over all sizes come first; those at this size only decide between sets that are equal in that."""


class CyclicDesign:
    """The offsets of every round for n bots and a sequence of sizes; each round is chosen on top of those before."""

    def __init__(self, n: int, sizes: tuple[int, ...]) -> None:
        self.n = n
        self.sizes = sizes
        self.rounds: list[tuple[int, ...]] = []
        self.laps: list[int] = []  # by round, the first round of its lap
        self.total = (0,) * (n // 2)
        self.by_size = dict.fromkeys(sizes, self.total)

    def offsets(self, round_: int) -> tuple[int, ...]:
        """The offsets of that round, ascending from 0."""
        while len(self.rounds) < round_:
            self.extend()
        return self.rounds[round_ - 1]

    def lap(self, round_: int) -> int:
        """The first round of the lap that this round belongs to: before it all bots had met equally often."""
        self.offsets(round_)
        return self.laps[round_ - 1]

    def extend(self) -> None:
        """Choose the next round's offsets: the most level ones, taken in turn where several are equally good."""
        level = all(len(set(counts)) == 1 for counts in (self.total, *self.by_size.values()))
        self.laps.append(len(self.rounds) + 1 if level else self.laps[-1])
        size = self.sizes[len(self.rounds) % len(self.sizes)]
        own = self.by_size[size]
        best = _level_offsets(self.n, size, _from_least(self.total), _from_least(own))
        chosen = best[len(self.rounds) // len(self.sizes) % len(best)]
        self.total = _with_meetings(self.n, self.total, chosen)
        self.by_size[size] = _with_meetings(self.n, own, chosen)
        self.rounds.append(chosen)


@lru_cache(maxsize=16)
def cyclic_design(n: int, sizes: tuple[int, ...]) -> CyclicDesign:
    """The design for n bots; kept, since a round needs those before it. It only ever grows by what is determined."""
    return CyclicDesign(n, sizes)


def _distance(n: int, a: int, b: int) -> int:
    """How far apart two places of the circle are, counted from 0 for neighbours."""
    d = (a - b) % n
    return min(d, n - d) - 1


def _with_meetings(n: int, counts: tuple[int, ...], offsets: tuple[int, ...]) -> tuple[int, ...]:
    """The counts after a round with these offsets."""
    after = list(counts)
    for a, b in combinations(offsets, 2):
        d = _distance(n, a, b)
        after[d] += 2 if 2 * (d + 1) == n else 1
    return tuple(after)


def _from_least(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Counts less the least of them: what matters for the choice, and it recurs."""
    least = min(counts)
    return tuple(count - least for count in counts)


def _unevenness(n: int, counts: tuple[int, ...]) -> int:
    """Sum of squares over pairs, in units of n/2: a distance has n pairs of bots, that of half the circle n/2."""
    return sum(count * count * (1 if 2 * (d + 1) == n else 2) for d, count in enumerate(counts))


@lru_cache(maxsize=4096)
def _level_offsets(n: int, size: int, total: tuple[int, ...], own: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The sets of offsets that leave the meetings most level, at most _KEPT of them, in ascending order."""
    if comb(n - 1, size - 1) <= _EXHAUSTIVE:
        candidates = {(0, *rest) for rest in combinations(range(1, n), size - 1)}
    else:
        meetings = _Meetings(n, total, own)
        candidates = {meetings.improved(start, size) for start in _starts(total)}
    costs = {
        offsets: _ALL_SIZES_WEIGHT * _unevenness(n, _with_meetings(n, total, offsets))
        + _unevenness(n, _with_meetings(n, own, offsets))
        for offsets in candidates
    }
    least = min(costs.values())
    return tuple(sorted(offsets for offsets, cost in costs.items() if cost == least)[:_KEPT])


def _starts(total: tuple[int, ...]) -> list[tuple[int, int]]:
    """First two offsets to build on: the distances met least so far."""
    return [(0, d + 1) for d in sorted(range(len(total)), key=total.__getitem__)[:_STARTS]]


def _midways(n: int, both: int) -> tuple[int, ...]:
    """The places x of the circle with 2x ≡ both (mod n)."""
    if n % 2:
        return (both * (n + 1) // 2 % n,)
    return () if both % 2 else (both // 2 % n, (both + n) // 2 % n)


class _Meetings:
    """Meetings by distance before a round, and what one offset more would cost."""

    def __init__(self, n: int, total: tuple[int, ...], own: tuple[int, ...]) -> None:
        self.n = n
        self.count = [_ALL_SIZES_WEIGHT * a + b for a, b in zip(total, own, strict=True)]

    def prices(self, offsets: list[int]) -> dict[int, int]:
        """By how much the unevenness grows when one more offset joins, for each that is not there yet."""
        n, whole = self.n, _ALL_SIZES_WEIGHT + 1
        met = Counter(_distance(n, a, b) for a, b in combinations(offsets, 2))
        # Of one meeting more at each distance; at half the circle it counts double, over half as many pairs.
        one = [2 * count + whole * (2 * met[d] + 1) for d, count in enumerate(self.count)]
        if n % 2 == 0:
            one[-1] += whole * (2 * met[n // 2 - 1] + 1)
        round_about = [0, *one, *reversed(one[: (n - 1) // 2])]
        price = [
            sum(parts) for parts in zip(*(round_about[n - a :] + round_about[: n - a] for a in offsets), strict=True)
        ]
        for a, b in combinations(offsets, 2):
            # Midway between two offsets the new one makes two meetings at one distance, dearer by the square.
            for x in _midways(n, a + b):
                price[x] += 2 * whole
        return {x: price[x] for x in range(1, n) if x not in offsets}

    def improved(self, start: tuple[int, ...], size: int) -> tuple[int, ...]:
        """The start filled up to `size` with the cheapest each time, then exchanged one by one while that helps."""
        offsets = list(start)
        while len(offsets) < size:
            prices = self.prices(offsets)
            offsets.append(min(prices, key=prices.__getitem__))
        better = True
        while better:
            better = False
            for j in range(1, size):
                prices = self.prices(offsets[:j] + offsets[j + 1 :])
                cheapest = min(prices, key=prices.__getitem__)
                if prices[cheapest] < prices[offsets[j]]:
                    offsets[j] = cheapest
                    better = True
        return tuple(sorted(offsets))
