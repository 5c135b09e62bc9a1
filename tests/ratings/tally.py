"""Adds records up one by one: what the store's sums in SQL are held against."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from harness.ratings import Totals, seat_totals


def tally(records: Iterable[Mapping[str, Any]]) -> dict[str, Totals]:
    """By bot, whatever the order in which the records come."""
    sums = defaultdict[str, Counter[str]](Counter)
    for record in records:
        for seat, totals in zip(record["seats"], seat_totals(record), strict=True):
            sums[seat["bot"]].update(asdict(totals))
    return {bot: Totals(**counted) for bot, counted in sums.items()}
