"""Results broken down: what each bot came to by size of table, by who sat there, by division, round or opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal, get_args

from harness.ratings.rating import Rating
from harness.ratings.standings import WHOLE_WIN, Totals

__all__ = ["MIXED", "NONE", "VIEWS", "Breakdown", "Key", "SeatSums", "TableSums", "View", "breakdown"]

View = Literal["size", "composition", "division", "round", "opponent"]
"""By what results are broken down."""

VIEWS: tuple[View, ...] = get_args(View)
"""All of them."""

MIXED, NONE = "mixed", "none"
"""Divisions of a table: its bots are of several, or of none."""

Key = int | str | tuple[str, ...]
"""Which part it is: a size, a division from 1 or one of the two words, a round, an opponent, or all opponents by id."""


@dataclass(frozen=True, slots=True)
class SeatSums:
    """What a match added to one of its bots, and the rating that it had afterwards."""

    bot: str
    totals: Totals
    after: Rating


@dataclass(frozen=True, slots=True)
class TableSums:
    """What a match of that round added, by seat."""

    round: int
    seats: tuple[SeatSums, ...]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What a bot came to in one part of its matches.

    `expected_parts` is what its win parts would be were all bots equal: in each game one of as many as sat there.
    `after` is the rating after the last of these matches.
    """

    bot: str
    key: Key
    totals: Totals
    expected_parts: int
    after: Rating

    @property
    def expected_share(self) -> float:
        """The mean win share of a game were all bots equal."""
        return self.expected_parts / (WHOLE_WIN * self.totals.games) if self.totals.games else 0.0


_COUNTED = [each.name for each in fields(Totals)]
_counts = attrgetter(*_COUNTED)


@dataclass(slots=True)
class _Sum:
    after: Rating
    totals: list[int] = field(default_factory=lambda: [0] * len(_COUNTED))
    expected: int = 0


def breakdown(
    tables: Iterable[TableSums],
    view: View,
    *,
    bot: str | None = None,
    size: int | None = None,
    divisions: Mapping[str, int] | None = None,
) -> list[Breakdown]:
    """The parts that `view` makes, by bot id and then by key; of one `bot` or one `size` of table where given.

    `tables` are in canonical order, `divisions` by bot id. By opponent a match counts once for each of them; in all
    other views it is in one part, so that the parts of a bot add up to its line of the ladder.
    """
    division_of = divisions or {}
    keys = _KEYS[view]
    sums: dict[tuple[str, Key], _Sum] = {}
    for table in tables:
        seats = len(table.seats)
        if size is not None and seats != size:
            continue
        for seat in table.seats:
            if bot is not None and seat.bot != bot:
                continue
            added = _counts(seat.totals)
            for key in keys(table, seat.bot, division_of):
                part = sums.get((seat.bot, key))
                if part is None:
                    part = sums[seat.bot, key] = _Sum(seat.after)
                part.totals = [one + more for one, more in zip(part.totals, added, strict=True)]
                part.expected += seat.totals.games * (WHOLE_WIN // seats)
                part.after = seat.after
    ordered = sorted(sums.items(), key=lambda item: (item[0][0], _place(item[0][1])))
    return [Breakdown(who, key, Totals(*part.totals), part.expected, part.after) for (who, key), part in ordered]


def _place(key: Key) -> tuple[bool, Any]:
    """Numbers in their order, and behind them words."""
    return not isinstance(key, int), key


def _opponents(table: TableSums, bot: str) -> list[str]:
    return sorted(seat.bot for seat in table.seats if seat.bot != bot)


def _division(table: TableSums, divisions: Mapping[str, int]) -> Key:
    found = {divisions.get(seat.bot, 0) for seat in table.seats}
    if len(found) > 1:
        return MIXED
    return found.pop() or NONE


_KEYS: dict[View, Callable[[TableSums, str, Mapping[str, int]], list[Key]]] = {
    "size": lambda table, _bot, _divisions: [len(table.seats)],
    "composition": lambda table, bot, _divisions: [tuple(_opponents(table, bot))],
    "division": lambda table, _bot, divisions: [_division(table, divisions)],
    "round": lambda table, _bot, _divisions: [table.round],
    "opponent": lambda table, bot, _divisions: [*_opponents(table, bot)],
}
"""The parts to which a match counts for one of its bots."""
