"""The named questions that only a published site asks: what changed, in which records, and when it happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from harness.ratings import Rating
from harness.store.packing import unpacked
from harness.store.rows import BotText, RecordKey, RoundRating, SeasonTimes
from harness.store.tables import (
    ENTRIES,
    FIXTURES,
    HISTORY,
    RECORD_FILES,
    RECORDS,
    ROUND_MEASURES,
    SEASON_MEASURES,
    VERSIONS,
    same_match,
)

if TYPE_CHECKING:
    from typing import Any

    from harness.store.database import Database

__all__ = ["bot_texts", "record_keys", "records_between", "round_ratings", "season_times"]

_BATCH = 4096
_RECORDS = 64


def record_keys(database: Database, season_id: str, last_round: int) -> Iterator[RecordKey]:
    """What tells the applied records of the rounds up to `last_round` apart, in canonical order, void ones too."""
    seq = 0
    while True:
        asked = (
            select(
                RECORDS.c.seq,
                RECORDS.c.round,
                RECORDS.c.number,
                FIXTURES.c.match,
                RECORD_FILES.c.digest,
                func.length(RECORD_FILES.c.data).label("size"),
                FIXTURES.c.void_reason,
            )
            .join_from(RECORDS, RECORD_FILES, same_match(RECORDS, RECORD_FILES))
            .join(FIXTURES, same_match(RECORDS, FIXTURES))
            .where(RECORDS.c.season_id == season_id, RECORDS.c.seq > seq, RECORDS.c.round <= last_round)
            .order_by(RECORDS.c.seq)
            .limit(_BATCH)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        for row in rows:
            yield RecordKey(
                row.seq, row.round, row.number, row.match, row.digest, row.size, row.void_reason is not None
            )
        if len(rows) < _BATCH:
            return
        seq = rows[-1].seq


def records_between(database: Database, season_id: str, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The records that count with places `first` to `last`, in canonical order."""
    seq = first - 1
    while seq < last:
        asked = (
            select(RECORDS.c.seq, RECORD_FILES.c.data)
            .join_from(RECORDS, RECORD_FILES, same_match(RECORDS, RECORD_FILES))
            .join(FIXTURES, same_match(RECORDS, FIXTURES))
            .where(RECORDS.c.season_id == season_id, RECORDS.c.seq > seq, RECORDS.c.seq <= last)
            .where(FIXTURES.c.void_reason.is_(None))
            .order_by(RECORDS.c.seq)
            .limit(_RECORDS)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        for row in rows:
            yield unpacked(row.data)
        if len(rows) < _RECORDS:
            return
        seq = rows[-1].seq


def round_ratings(database: Database, season_id: str, last_round: int) -> Iterator[RoundRating]:
    """The rating of each bot behind its last match of each round, up to `last_round`; by round and then by bot."""
    newest = (
        select(HISTORY.c.round, HISTORY.c.bot, func.max(HISTORY.c.seq).label("seq"))
        .where(HISTORY.c.season_id == season_id)
        .group_by(HISTORY.c.round, HISTORY.c.bot)
    )
    first = 1
    while first <= last_round:
        # A few rounds at a time: a round holds as many rows as there are bots.
        last = min(last_round, first + 63)
        chosen = newest.where(HISTORY.c.round >= first, HISTORY.c.round <= last).subquery()
        asked = (
            select(HISTORY.c.round, HISTORY.c.bot, HISTORY.c.mu, HISTORY.c.sigma)
            .join(chosen, (HISTORY.c.seq == chosen.c.seq) & (HISTORY.c.bot == chosen.c.bot))
            .where(HISTORY.c.season_id == season_id)
            .order_by(HISTORY.c.round, HISTORY.c.bot)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        for row in sorted(rows, key=lambda row: (row.round, row.bot)):
            yield RoundRating(row.round, row.bot, Rating(row.mu, row.sigma))
        first = last + 1


def bot_texts(connection: Connection, season_id: str) -> list[BotText]:
    """What the manifests of all versions entered in the season say, by bot and version."""
    entered = select(ENTRIES.c.bot, ENTRIES.c.version).where(ENTRIES.c.season_id == season_id).distinct().subquery()
    named = (VERSIONS.c.bot, VERSIONS.c.version, VERSIONS.c.title, VERSIONS.c.author, VERSIONS.c.language)
    same = (VERSIONS.c.bot == entered.c.bot) & (VERSIONS.c.version == entered.c.version)
    rows = connection.execute(select(*named).join_from(VERSIONS, entered, same)).all()
    return [BotText(*row) for row in sorted(rows, key=lambda row: (row.bot, row.version))]


def season_times(connection: Connection, season_id: str) -> SeasonTimes:
    """When the season was announced and ended, and when its rounds were over."""
    measures = connection.execute(select(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == season_id)).one()
    asked = select(ROUND_MEASURES.c.number, ROUND_MEASURES.c.closed_us).where(ROUND_MEASURES.c.season_id == season_id)
    closed = {row.number: row.closed_us for row in connection.execute(asked) if row.closed_us is not None}
    return SeasonTimes(measures.announced_us, measures.ended_us, closed)
