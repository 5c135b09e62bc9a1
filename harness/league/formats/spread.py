"""How evenly tables spread meetings, seats and matches over the bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Spread", "spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Least and most over the bots, or over their pairs: tables shared, times in one seat, matches.

    `seats` is that of the seat in which bots differ most, since with tables of several sizes later seats are rarer.
    `pairs_mean` is the mean number of tables that a pair of bots which may meet shares.
    """

    pairs: tuple[int, int]
    pairs_mean: float
    seats: tuple[int, int]
    matches: tuple[int, int]


def spread(
    tables: Iterable[Sequence[str]],
    ids: Collection[str] = (),
    apart: Collection[frozenset[str]] = frozenset(),
    uncounted: Collection[str] = (),
) -> Spread:
    """The spread of tables given as bot ids by seat.

    `ids` adds bots that may sit at none of them, `apart` takes out the pairs that may not meet, `uncounted` the bots
    that are not looked at, such as a candidate that sits at every table. Without a table everything is 0.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    matches: Counter[str] = Counter(dict.fromkeys(ids, 0))
    largest = 0
    for table in tables:
        largest = max(largest, len(table))
        matches.update(table)
        pairs.update(combinations(sorted(table), 2))
        seats.update((bot, seat) for seat, bot in enumerate(table))
    for bot in uncounted:
        del matches[bot]
    bots = sorted(matches)
    met = [pairs[pair] for pair in combinations(bots, 2) if frozenset(pair) not in apart] or [0]
    sat = [[seats[bot, seat] for bot in bots] for seat in range(largest)] or [[0]]
    uneven = max(sat, key=lambda counts: max(counts) - min(counts))
    played = list(matches.values()) or [0]
    return Spread(
        pairs=(min(met), max(met)),
        pairs_mean=sum(met) / len(met),
        seats=(min(uneven), max(uneven)),
        matches=(min(played), max(played)),
    )
