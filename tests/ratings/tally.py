"""Adds records up one by one, game by game: what the sums of the harness are held against."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from itertools import permutations
from typing import Any

from harness.ratings import Totals, seat_totals

Record = Mapping[str, Any]
Sums = tuple[int, int, Fraction, int, int, int]
"""Matches, games, wins, points, ranks, faults."""


def tally(records: Iterable[Record]) -> dict[str, Totals]:
    """By bot, whatever the order in which the records come."""
    sums = defaultdict[str, Counter[str]](Counter)
    for record in records:
        for seat, totals in zip(record["seats"], seat_totals(record), strict=True):
            sums[seat["bot"]].update(asdict(totals))
    return {bot: Totals(**counted) for bot, counted in sums.items()}


def parts(records: Iterable[Record], keys: Callable[[Record, str], Iterable[Hashable]]) -> dict[Any, Sums]:
    """By (bot, key), what the bot came to; `keys` says to which parts a record counts for it.

    Counted from ranks, scores and faults alone, by other means than the harness: a win is a fraction, and who has
    forfeited stands in `faults`.
    """
    found: dict[Any, Sums] = {}
    for record in records:
        names = [seat["bot"] for seat in record["seats"]]
        out_in = {fault["seat"]: fault["game"] for fault in record["faults"]}
        for seat, bot in enumerate(names):
            sums = (
                1,
                len(record["games"]),
                Fraction(0),
                0,
                0,
                sum(fault["seat"] == seat for fault in record["faults"]),
            )
            for number, game in enumerate(record["games"], start=1):
                somebody_left = any(out_in.get(other, number + 1) > number for other in range(len(names)))
                won = game["ranks"][seat] == 1 and somebody_left
                share = Fraction(1, game["ranks"].count(1)) if won else Fraction(0)
                sums = _plus(sums, (0, 0, share, game["scores"][seat], game["ranks"][seat], 0))
            for key in keys(record, bot):
                found[bot, key] = _plus(found.get((bot, key), (0, 0, Fraction(0), 0, 0, 0)), sums)
    return found


def pairs(records: Iterable[Record]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """By two bots, in how many games the first was before the other, level with it, behind it."""
    found = defaultdict[tuple[str, str], list[int]](lambda: [0, 0, 0])
    for record in records:
        for game in record["games"]:
            finish = zip((seat["bot"] for seat in record["seats"]), game["ranks"], strict=True)
            for (bot, rank), (other, other_rank) in permutations(finish, 2):
                found[bot, other][0 if rank < other_rank else 1 if rank == other_rank else 2] += 1
    return {pair: (won, level, lost) for pair, (won, level, lost) in found.items()}


def _plus(a: Sums, b: Sums) -> Sums:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]
