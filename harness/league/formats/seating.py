"""Who takes which seat of a table whose bots are known: exchanges that level how often each has been where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

__all__ = ["levelled_seats"]

T = TypeVar("T")


def levelled_seats(order: Sequence[T], been: Mapping[T, Sequence[int]], open_seats: Sequence[int]) -> list[T]:
    """The order by seat, with those in the open seats exchanged as long as that helps; the others stay.

    `been[who][j]` says how often it has been in seat j, for all seats of the table. As long as there are two whose
    exchange makes the sum of squares of how often each has been in its seat smaller, the first such two (open seat a,
    then b behind it) change places.
    """
    seats = list(order)
    while True:
        for a, b in combinations(open_seats, 2):
            one, other = been[seats[a]], been[seats[b]]
            # One more time in a seat adds 2·times + 1 to the sum of squares; the ones cancel out.
            if one[b] + other[a] < one[a] + other[b]:
                seats[a], seats[b] = seats[b], seats[a]
                break
        else:
            return seats
