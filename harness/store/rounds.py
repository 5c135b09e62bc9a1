"""Rounds: their opening, and what of them is still to be played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, func, insert, or_, select, update

from harness.errors import StoreError
from harness.referee import Fixture
from harness.store.clock import now_us
from harness.store.packing import compact
from harness.store.position import Position
from harness.store.rows import Entry, RoundRow, VoidRow
from harness.store.seasons import entries, lock_season
from harness.store.tables import FIXTURES, RECORDS, ROUND_MEASURES, ROUNDS, SEASONS, same_match

__all__ = ["list_rounds", "next_round", "open_round", "over", "unplayed", "voids"]


def open_round(
    connection: Connection,
    season_id: str,
    number: int,
    fixtures: Sequence[Fixture],
    entries_line: Mapping[str, Any] | None,
    season_seed: str | None,
    entered: Sequence[Entry] | None,
) -> bool:
    """Write the round, its fixtures and, where the entries changed, their line; round 1 sets the season's seed.

    Writes nothing and returns False if others than `entered` play by now: a submission came since they were read.
    """
    season = lock_season(connection, season_id)
    if entered is not None and entries(connection, season_id, number) != list(entered):
        return False
    if season.state == "ended":
        raise StoreError(f"season {season_id} has ended; begin another with --new-season")
    expected = next_round(connection, season_id)
    if number != expected:
        raise StoreError(f"round {number} of {season_id} can't be opened: round {expected} is the next")
    open_ = select(ROUNDS.c.number).where(ROUNDS.c.season_id == season_id, ROUNDS.c.state != "over")
    if connection.execute(open_).first() is not None:
        raise StoreError(f"round {number} of {season_id} can't be opened: round {number - 1} is not over")
    if [fixture.number for fixture in fixtures] != list(range(1, len(fixtures) + 1)):
        raise ValueError("fixtures are numbered from 1 in each round, in order")
    values = {"state": "running"} if season_seed is None else {"state": "running", "season_seed": season_seed}
    connection.execute(update(SEASONS).where(SEASONS.c.id == season_id).values(**values))
    place = {"season_id": season_id, "number": number}
    counts = {"state": "open", "fixtures": len(fixtures), "next": 1, "results": None}
    connection.execute(insert(ROUNDS), [{**place, **counts}])
    connection.execute(insert(ROUND_MEASURES), [{**place, "evidence": None, "opened_us": now_us(), "closed_us": None}])
    rows = [
        {
            "season_id": season_id,
            "round": number,
            "number": fixture.number,
            "match": fixture.match,
            "fixture": compact(fixture.to_json()),
            "void_reason": None,
        }
        for fixture in fixtures
    ]
    if rows:
        connection.execute(insert(FIXTURES), rows)
    if entries_line is not None:
        position = Position(season)
        position.add_line(connection, number, entries_line)
        position.save(connection)
    return True


def next_round(connection: Connection, season_id: str) -> int:
    """The number of the round that opens next."""
    last = connection.execute(select(func.max(ROUNDS.c.number)).where(ROUNDS.c.season_id == season_id)).scalar()
    return 1 + (last or 0)


def list_rounds(connection: Connection, season_id: str) -> list[RoundRow]:
    """All rounds opened so far."""
    counted = select(RECORDS.c.round, func.count().label("stored"), func.count(RECORDS.c.seq).label("applied")).where(
        RECORDS.c.season_id == season_id
    )
    counts = counted.group_by(RECORDS.c.round).subquery()
    measured = and_(ROUND_MEASURES.c.season_id == ROUNDS.c.season_id, ROUND_MEASURES.c.number == ROUNDS.c.number)
    joined = ROUNDS.outerjoin(ROUND_MEASURES, measured).outerjoin(counts, counts.c.round == ROUNDS.c.number)
    measures = (ROUND_MEASURES.c.evidence, ROUND_MEASURES.c.opened_us)
    asked = select(ROUNDS, *measures, counts.c.stored, counts.c.applied).select_from(joined)
    rows = connection.execute(asked.where(ROUNDS.c.season_id == season_id).order_by(ROUNDS.c.number)).all()
    if any(row.opened_us is None for row in rows):
        raise LookupError(f"a round of {season_id} has no measures")
    return [
        RoundRow(row.number, row.state, row.fixtures, row.stored or 0, row.applied or 0, row.results, row.evidence)
        for row in rows
    ]


def unplayed(connection: Connection, season_id: str, round_: int) -> list[Fixture]:
    """The fixtures of the round without a record that have not been voided, by number."""
    asked = (
        select(FIXTURES.c.fixture)
        .select_from(FIXTURES.outerjoin(RECORDS, same_match(FIXTURES, RECORDS)))
        .where(FIXTURES.c.season_id == season_id, FIXTURES.c.round == round_)
        .where(RECORDS.c.number.is_(None), FIXTURES.c.void_reason.is_(None))
        .order_by(FIXTURES.c.number)
    )
    return [Fixture.from_json(json.loads(text)) for text in connection.execute(asked).scalars()]


def voids(connection: Connection, season_id: str) -> list[VoidRow]:
    """The matches that do not count, in canonical order."""
    asked = (
        select(FIXTURES)
        .where(FIXTURES.c.season_id == season_id, FIXTURES.c.void_reason.is_not(None))
        .order_by(FIXTURES.c.round, FIXTURES.c.number)
    )
    return [
        VoidRow(
            row.round, row.number, row.match, row.void_reason, tuple(bot for bot, _ in json.loads(row.fixture)["seats"])
        )
        for row in connection.execute(asked)
    ]


def over(season_id: str) -> Select[Any]:
    """The numbers of the rounds whose matches may be shown: those that are over, all of them once the season is."""
    joined = ROUNDS.join(SEASONS, SEASONS.c.id == ROUNDS.c.season_id)
    return (
        select(ROUNDS.c.number)
        .select_from(joined)
        .where(ROUNDS.c.season_id == season_id, or_(ROUNDS.c.state == "over", SEASONS.c.state == "ended"))
    )
