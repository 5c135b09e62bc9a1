"""Every set of k bots out of n on a circle, in rounds of n: which offsets a round has, so that all sets come up.

With offsets d₀ … dₖ₋₁, table i of a round has the bots (i + dⱼ) mod n: all translates of one set, its orbit. The orbits
share out the sets, so a lap that has each orbit once has every set: once where the orbit is of n sets, n / m times
where it is short, of m sets only, since a round plays all n translates. An orbit is told by its least set in the order
of ascending tuples, which begins with 0. A lap takes next, of the orbits that are left, the one that leaves the sum of
squares of the pairs' meetings in the lap least, of equals the least.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb, gcd

__all__ = ["MAX_ORBITS", "Compositions", "compositions", "orbit_count"]

MAX_ORBITS = 4096
"""Up to so many orbits are listed: a season hardly has as many rounds, and each looks at all that are left."""


class Compositions:
    """The orbits of the k-sets of a circle of n in the order of a lap, which is found as far as it is asked for."""

    def __init__(self, n: int, k: int) -> None:
        self.n = n
        self.count = orbit_count(n, k)
        self._order: list[tuple[int, ...]] = []
        self._met = [0] * (n // 2 + 1)  # by distance, in the lap so far
        # Orbits with the same distances are equally good; mirror images are, to begin with.
        self._left: dict[tuple[tuple[int, int], ...], list[tuple[int, ...]]] = {}
        for offsets in sorted(_orbits(n, k), reverse=True):
            self._left.setdefault(_distances(n, offsets), []).append(offsets)

    def offsets(self, place: int) -> tuple[int, ...]:
        """The offsets of the round at this place of a lap, counted from 0, ascending from 0."""
        while len(self._order) <= place:
            self._extend()
        return self._order[place]

    def _extend(self) -> None:
        best = min(self._left, key=lambda distances: (self._price(distances), self._left[distances][-1]))
        self._order.append(self._left[best].pop())
        if not self._left[best]:
            del self._left[best]
        for d, times in best:
            self._met[d] += times

    def _price(self, distances: tuple[tuple[int, int], ...]) -> int:
        """By how much the sum of squares over pairs grows, in units of n/2: at half the circle there are n/2 pairs."""
        return sum((1 if 2 * d == self.n else 2) * times * (2 * self._met[d] + times) for d, times in distances)


@lru_cache(maxsize=16)
def compositions(n: int, k: int) -> Compositions:
    """The orbits for n and k; kept, since a round needs those before it. It only ever grows by what is determined."""
    return Compositions(n, k)


def orbit_count(n: int, k: int) -> int:
    """How many orbits the k-sets of a circle of n have, 1 ≤ k ≤ n: the necklaces with k of n beads black (Burnside)."""
    common = gcd(n, k)
    fixed = sum(_totient(m) * comb(n // m, k // m) for m in range(1, common + 1) if common % m == 0)
    return fixed // n


def _totient(m: int) -> int:
    return sum(gcd(i, m) == 1 for i in range(1, m + 1))


def _orbits(n: int, k: int) -> list[tuple[int, ...]]:
    """The least set of each orbit."""
    found = []
    for rest in combinations(range(1, n), k - 1):
        offsets = (0, *rest)
        if all(tuple(sorted((d - first) % n for d in offsets)) >= offsets for first in rest):
            found.append(offsets)
    return found


def _distances(n: int, offsets: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(distance, times): how often bots that lie so far apart meet in a round; at half the circle, twice a pair."""
    met: Counter[int] = Counter()
    for a, b in combinations(offsets, 2):
        d = min(b - a, n - b + a)
        met[d] += 2 if 2 * d == n else 1
    return tuple(sorted(met.items()))
