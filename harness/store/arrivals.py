"""Storing a record when it arrives, with its faults and what its seats wrote to stderr."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, insert, select

from harness.errors import StoreError
from harness.referee import Fixture
from harness.store.clock import now_us
from harness.store.rows import packed
from harness.store.tables import FAULTS, FIXTURES, RECORD_FILES, RECORDS, STDERR

__all__ = ["store_record"]


def store_record(
    connection: Connection,
    season_id: str,
    fixture: Fixture,
    record: Mapping[str, Any],
    stderr: Sequence[str],
    tries: int,
) -> None:
    """Keep a record; nothing happens where the fixture has one, or was voided meanwhile."""
    place = {"season_id": season_id, "round": fixture.round, "number": fixture.number}
    here = and_(*(FIXTURES.c[name] == value for name, value in place.items()))
    kept = connection.execute(select(FIXTURES.c.match, FIXTURES.c.void_reason).where(here).with_for_update()).first()
    if kept is None or kept.match != record["match"]:
        raise StoreError(f"match {record['match']} is no fixture of season {season_id}; its record was not stored")
    same = and_(*(RECORDS.c[name] == value for name, value in place.items()))
    if kept.void_reason is not None or connection.execute(select(RECORDS.c.number).where(same)).first() is not None:
        return
    connection.execute(insert(RECORDS), [{**place, "outcome": record["outcome"], "seq": None}])
    measures = {"digest": record["digest"], "tries": tries, "stored_us": now_us(), "data": packed(record)}
    connection.execute(insert(RECORD_FILES), [{**place, **measures}])
    faults = [
        {
            **place,
            "seat": fault["seat"],
            "bot": record["seats"][fault["seat"]]["bot"],
            **{name: fault[name] for name in ("kind", "game", "expedition", "turn")},
        }
        for fault in record["faults"]
    ]
    if faults:
        connection.execute(insert(FAULTS), faults)
    # As bytes: PostgreSQL takes no zero character in a text, and bots write what they like.
    written = [
        {**place, "seat": seat, "data": gzip.compress(text.encode("utf-8", "replace"), mtime=0)}
        for seat, text in enumerate(stderr)
        if text
    ]
    if written:
        connection.execute(insert(STDERR), written)
