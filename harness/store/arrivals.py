"""Storing a record when it arrives, with its faults and what its seats wrote to stderr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from harness.errors import StoreError
from harness.ratings import match_ranks
from harness.referee import Fixture
from harness.store.clock import now_us
from harness.store.packing import packed, zipped
from harness.store.tables import FAULTS, FIXTURES, RECORD_FILES, RECORDS, STDERR, at_match

__all__ = ["store_record"]

# Built once: building a statement costs as much as executing it, and these are executed for every match.
_KEY: tuple[Any, ...] = bindparam("season_id"), bindparam("round"), bindparam("number")
_FIXTURE = select(FIXTURES.c.match, FIXTURES.c.void_reason).where(at_match(FIXTURES, *_KEY)).with_for_update()
_RECORD = select(RECORDS.c.number).where(at_match(RECORDS, *_KEY))
_ADD_RECORD, _ADD_FILE, _ADD_FAULT, _ADD_STDERR = (insert(each) for each in (RECORDS, RECORD_FILES, FAULTS, STDERR))


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
    kept = connection.execute(_FIXTURE, place).first()
    if kept is None or kept.match != record["match"]:
        raise StoreError(f"match {record['match']} is no fixture of season {season_id}; its record was not stored")
    if kept.void_reason is not None or connection.execute(_RECORD, place).first() is not None:
        return
    finish = {"outcome": record["outcome"], "seq": None, "ranks": match_ranks(record).ranks}
    connection.execute(_ADD_RECORD, [{**place, **finish}])
    measures = {
        "digest": record["digest"],
        "tries": tries,
        "stored_us": now_us(),
        "data": packed(record),
        "tier": record["sandbox"]["tier"],
    }
    connection.execute(_ADD_FILE, [{**place, **measures}])
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
        connection.execute(_ADD_FAULT, faults)
    # As bytes: PostgreSQL takes no zero character in a text, and bots write what they like.
    written = [{**place, "seat": seat, "data": zipped(text, "replace")} for seat, text in enumerate(stderr) if text]
    if written:
        connection.execute(_ADD_STDERR, written)
