"""The tables of a season beside its ladder: the official one, head to head, and results by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.ratings import Breakdown, HeadToHead, Strength, View, breakdown, head_to_head

if TYPE_CHECKING:
    from harness.store import SeasonRow, Store

__all__ = ["breakdown_of", "head_to_head_of", "official_table_of"]


def official_table_of(store: Store, row: SeasonRow) -> list[Strength]:
    """The table that was kept at the season's end; while it runs, that over the matches applied so far."""
    kept = store.official(row.id) if row.state == "ended" else []
    return kept or store.season_table(row.id)


def head_to_head_of(store: Store, row: SeasonRow, size: int | None = None) -> list[HeadToHead]:
    """How often each bot finishes before each, over the rounds that are over; with `size`, at tables of that size."""
    rounds = frozenset(store.shown_rounds(row.id))
    return head_to_head(
        match
        for match in store.match_ranks(row.id)
        if match.round in rounds and (size is None or len(match.seats) == size)
    )


def breakdown_of(
    store: Store, row: SeasonRow, view: View, *, size: int | None = None, bot: str | None = None
) -> list[Breakdown]:
    """Results by the parts that `view` makes, over the rounds that are over; of one `bot`, at tables of `size`."""
    return breakdown(store.table_sums(row.id), view, bot=bot, size=size, divisions=row.divisions)
