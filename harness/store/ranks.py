"""How the matches of a season that count finished, read without their records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from harness.ratings import RANK_LETTERS, MatchRanks
from harness.store.tables import FIXTURES, RECORDS, same_match

if TYPE_CHECKING:
    from harness.store.database import Database

__all__ = ["all_ranks", "match_ranks", "ranks_after"]

_BATCH = 1024
"""Matches in memory at a time."""


def ranks_after(connection: Connection, season_id: str, seq: int) -> list[tuple[int, MatchRanks]]:
    """The next matches behind that place that count, each with its own, in canonical order; empty at the end."""
    asked = (
        select(RECORDS.c.seq, RECORDS.c.round, RECORDS.c.ranks, FIXTURES.c.match, FIXTURES.c.fixture)
        .join_from(RECORDS, FIXTURES, same_match(RECORDS, FIXTURES))
        .where(RECORDS.c.season_id == season_id, RECORDS.c.seq > seq, FIXTURES.c.void_reason.is_(None))
        .order_by(RECORDS.c.seq)
        .limit(_BATCH)
    )
    found = []
    for row in connection.execute(asked):
        fixture = json.loads(row.fixture)
        seats = tuple((bot, version) for bot, version in fixture["seats"])
        words = row.ranks.split()
        if len(words) != fixture["games"] or any(len(word) != len(seats) or set(word) - RANK_LETTERS for word in words):
            raise ValueError(f"records.ranks of {row.match} is {row.ranks[:80]!r}")
        found.append((row.seq, MatchRanks(row.match, row.round, fixture["seed"], seats, row.ranks)))
    return found


def all_ranks(connection: Connection, season_id: str) -> Iterator[MatchRanks]:
    """All matches that count, in canonical order, within one transaction."""
    seq = 0
    while batch := ranks_after(connection, season_id, seq):
        yield from (match for _, match in batch)
        seq = batch[-1][0]


def match_ranks(database: Database, season_id: str) -> Iterator[MatchRanks]:
    """The same, a transaction for a few of them at a time."""
    seq = 0
    while True:
        with database.reading() as connection:
            matches = ranks_after(connection, season_id, seq)
        if not matches:
            return
        yield from (match for _, match in matches)
        seq = matches[-1][0]
