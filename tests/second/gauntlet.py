"""The pairings of the format `gauntlet`, made from the words at the head of its module; uses nothing of the harness.

Authors are not kept apart here: where they are, the tables are those of another design.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any

from tests.second.rules import words

LISTED = 4096
"""With more orbits than this, offsets are drawn."""


def draws(seed: str, round_: int) -> Iterator[int]:
    """The words of a round's stream."""
    yield from words(f"pair/{seed}/{round_}", 1 << 12)


def shuffled(things: Sequence[Any], drawn: Iterator[int]) -> list[Any]:
    """Fisher and Yates, from the last place down; a word too large to be fair is passed over."""
    deck = list(things)
    for last in reversed(range(1, len(deck))):
        fair = (1 << 64) // (last + 1) * (last + 1)
        other = next(word for word in drawn if word < fair) % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def gauntlet_tables(
    bots: Sequence[str], candidate: str, round_: int, sizes: Sequence[int], seed: str
) -> list[list[str]]:
    """The tables of a round, ids by seat."""
    opponents = sorted(set(bots) - {candidate})
    n = len(opponents)
    of_size = [r for r in range(1, round_ + 1) if sizes[(r - 1) % len(sizes)] == sizes[(round_ - 1) % len(sizes)]]
    size, before = sizes[(round_ - 1) % len(sizes)], len(of_size) - 1
    lap = how_many_orbits(n, size - 1)
    place = before % lap if lap <= LISTED else 0
    circle = shuffled(opponents, draws(seed, of_size[before - place]))
    drawn = draws(seed, round_)
    shuffled(opponents, drawn)
    if lap <= LISTED:
        offsets = list(next(islice(lap_of(n, size - 1), place, None)))
    else:
        offsets = sorted(shuffled(range(n), drawn)[: size - 1])
    seated = shuffled(offsets, drawn)
    tables = []
    for start in shuffled(range(n), drawn):
        table = [circle[(start + offset) % n] for offset in seated]
        table.insert(before % size, candidate)
        tables.append(table)
    return tables


@cache
def how_many_orbits(n: int, k: int) -> int:
    """Orbits of the k-sets, counted one by one as far as `LISTED` matters; each has at most n of all sets."""
    sets = 1
    for i in range(k):
        sets = sets * (n - i) // (i + 1)
    return len(orbits(n, k)) if sets <= LISTED * n else LISTED + 1


@cache
def orbits(n: int, k: int) -> list[tuple[int, ...]]:
    """The least set of each orbit, ascending."""
    seen: set[tuple[int, ...]] = set()
    least = []
    for one in combinations(range(n), k):
        if one[0]:
            break
        if one not in seen:
            least.append(one)
            seen.update(translates(n, one))
    return least


def translates(n: int, one: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A set moved round the circle, n times."""
    for by in range(n):
        yield tuple(sorted((place + by) % n for place in one))


def lap_of(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """The orbits in the order in which a lap has them: by the meetings of all pairs, counted table by table."""
    met: Counter[tuple[int, int]] = Counter()
    left = list(orbits(n, k))
    while left:
        best: tuple[int, tuple[int, ...], Counter[tuple[int, int]]] | None = None
        for one in left:
            round_ = Counter(pair for table in translates(n, one) for pair in combinations(table, 2))
            squares = sum((met[pair] + times) ** 2 - met[pair] ** 2 for pair, times in round_.items())
            if best is None or (squares, one) < best[:2]:
                best = squares, one, round_
        assert best is not None
        left.remove(best[1])
        met += best[2]
        yield best[1]
