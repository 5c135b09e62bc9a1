"""The pairings of the format `round-robin` for small fields, by trying all offsets; uses nothing of the harness.

Authors are not kept apart here: where they are, the tables are those of another design.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

from tests.second.gauntlet import draws, shuffled

Met = Counter[tuple[int, int]]


def round_robin_tables(bots: Sequence[str], round_: int, sizes: Sequence[int], seed: str) -> list[list[str]]:
    """The tables of a round, ids by seat."""
    ids, n = sorted(bots), len(bots)
    offsets, lap = offsets_and_lap(n, tuple(sizes), round_)
    circle = shuffled(ids, draws(seed, lap))
    drawn = draws(seed, round_)
    shuffled(ids, drawn)
    seated = shuffled(offsets, drawn)
    return [[circle[(start + offset) % n] for offset in seated] for start in shuffled(range(n), drawn)]


@cache
def offsets_and_lap(n: int, sizes: tuple[int, ...], round_: int) -> tuple[list[int], int]:
    """The offsets of a round, and the round from which on its circle stands."""
    pairs = list(combinations(range(n), 2))
    total: Met = Counter()
    own: dict[int, Met] = {size: Counter() for size in sizes}
    lap = 1
    chosen: tuple[int, ...] = ()
    for r in range(1, round_ + 1):
        if all(len({met[pair] for pair in pairs}) == 1 for met in (total, *own.values())):
            lap = r
        size = sizes[(r - 1) % len(sizes)]
        prices: dict[tuple[int, ...], int] = {}
        for rest in combinations(range(1, n), size - 1):
            new = meetings(n, (0, *rest))
            prices[(0, *rest)] = sum(
                1000 * (total[pair] + new[pair]) ** 2 + (own[size][pair] + new[pair]) ** 2 for pair in pairs
            )
        best = sorted(offsets for offsets, price in prices.items() if price == min(prices.values()))[:32]
        chosen = best[(r - 1) // len(sizes) % len(best)]
        total += meetings(n, chosen)
        own[size] += meetings(n, chosen)
    return list(chosen), lap


@cache
def meetings(n: int, offsets: tuple[int, ...]) -> Met:
    """How often two places of the circle meet in a round."""
    tables = [sorted((start + offset) % n for offset in offsets) for start in range(n)]
    return Counter(pair for table in tables for pair in combinations(table, 2))
