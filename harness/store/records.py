"""Reading records and the season's lines out of the store, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from harness.protocol import Chains
from harness.store.database import Database
from harness.store.packing import unpacked
from harness.store.rounds import over
from harness.store.season_footer import SeasonAsShown, last_shown, season_as_shown
from harness.store.seasons import read_season
from harness.store.tables import FIXTURES, RECORD_FILES, RECORDS, at_match, same_match

__all__ = ["find_record", "records", "season_lines"]

_BATCH = 64


def find_record(
    connection: Connection, season_id: str, round_: int, number: int, shown_only: bool
) -> dict[str, Any] | None:
    """The record of a match, void or not; `None` where there is none, or its round is not over."""
    asked = select(RECORD_FILES.c.data).where(at_match(RECORD_FILES, season_id, round_, number))
    if shown_only:
        asked = asked.where(RECORD_FILES.c.round.in_(over(season_id)))
    data = connection.execute(asked).scalar_one_or_none()
    return None if data is None else unpacked(data)


def records(database: Database, season_id: str, shown_only: bool) -> Iterator[dict[str, Any]]:
    """The records that count, in canonical order. Each batch is a transaction of its own, so a run is not held up."""
    with database.reading() as connection:
        season = read_season(connection, season_id)
        last = last_shown(connection, season) if shown_only else season.seq
    for row in _applied(database, season_id, last):
        if row.void_reason is None:
            yield unpacked(row.data)


def season_lines(database: Database, season_id: str) -> Iterator[dict[str, Any]]:
    """The lines of the season's file: header, entries, records, voidings as they came, footer.

    While the season runs they end with the last round that is over, and the footer has no secret. Of the records a few
    are in memory at a time, of the footer's lists all.
    """
    shown = season_as_shown(database, season_id)
    chains = Chains()
    heads: list[str] = []
    for line, hashes in _lines(database, shown):
        if not heads:
            chains.start(line)
        elif hashes is None:
            chains.add_line(line)
        else:
            chains.add_record(*hashes)
        heads.append(chains.short)
        yield line
    yield shown.footer(chains, heads)


def _lines(database: Database, shown: SeasonAsShown) -> Iterator[tuple[dict[str, Any], tuple[str, str] | None]]:
    """All but the footer, each with a record's outcome and digest."""
    yield shown.season.header, None
    lines = shown.lines[::-1]
    for seq, row in enumerate(_applied(database, shown.season.id, shown.last), start=1):
        while lines and lines[-1][0] < seq:
            yield lines.pop()[1], None
        record = unpacked(row.data)
        shown.see(record)
        yield record, (row.outcome, row.digest)
    while lines:
        yield lines.pop()[1], None


def _applied(database: Database, season_id: str, last: int) -> Iterator[Any]:
    seq = 0
    while seq < last:
        asked = (
            select(RECORDS.c.seq, RECORDS.c.outcome, RECORD_FILES.c.digest, RECORD_FILES.c.data, FIXTURES.c.void_reason)
            .join_from(RECORDS, RECORD_FILES, same_match(RECORDS, RECORD_FILES))
            .join(FIXTURES, same_match(RECORDS, FIXTURES))
            .where(RECORDS.c.season_id == season_id, RECORDS.c.seq > seq, RECORDS.c.seq <= last)
            .order_by(RECORDS.c.seq)
            .limit(_BATCH)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        if [row.seq for row in rows] != list(range(seq + 1, seq + 1 + len(rows))) or not rows:
            raise LookupError(f"a record of {season_id} behind place {seq} is missing")
        yield from rows
        seq = rows[-1].seq
