"""The named questions about ratings, standings and their parts, faults and history."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, and_, func, select

from harness.ratings import PLAYS, Rating, SeatSums, Standing, TableSums, Totals, rank_standings
from harness.store.database import Database
from harness.store.packing import unpacked, unzipped
from harness.store.rounds import over
from harness.store.rows import FaultRow, HistoryRow
from harness.store.seasons import entry_changes, newest_versions, read_season
from harness.store.tables import FAULTS, FIXTURES, HISTORY, RATINGS, RECORD_FILES, RECORDS, STDERR, SUMMED, same_match

__all__ = [
    "faults",
    "history",
    "newest_faults",
    "rated_versions",
    "ratings",
    "shown_rounds",
    "standings",
    "table_sums",
    "tables",
    "tiers",
]

_BATCH = 1024


def ratings(connection: Connection, season_id: str) -> dict[str, Rating]:
    """By bot id, after the records applied so far; a bot that has not played is absent unless it brought a rating."""
    rows = connection.execute(select(RATINGS).where(RATINGS.c.season_id == season_id))
    return {row.bot: Rating(row.mu, row.sigma) for row in sorted(rows, key=lambda row: row.bot)}


def rated_versions(connection: Connection, season_id: str) -> dict[str, str]:
    """By bot id, the version that its rating is of; a bot that is not in `ratings` is absent."""
    asked = select(RATINGS.c.bot, RATINGS.c.version).where(RATINGS.c.season_id == season_id)
    return {row.bot: row.version for row in connection.execute(asked)}


def tables(connection: Connection, season_id: str, after: int) -> dict[int, list[tuple[str, ...]]]:
    """By number, each round later than `after`: the bots by seat of its fixtures in order, of void ones too."""
    asked = select(FIXTURES.c.round, FIXTURES.c.fixture).where(FIXTURES.c.season_id == season_id)
    found: dict[int, list[tuple[str, ...]]] = {}
    for row in connection.execute(asked.where(FIXTURES.c.round > after).order_by(FIXTURES.c.round, FIXTURES.c.number)):
        found.setdefault(row.round, []).append(tuple(bot for bot, _ in json.loads(row.fixture)["seats"]))
    return found


def standings(connection: Connection, season_id: str, size: int | None) -> list[Standing]:
    """The ladder of all who were ever entered or rated; with `size`, of those who played at tables of that size.

    μ and σ are of all matches in both cases.
    """
    season = read_season(connection, season_id)
    sums = [func.sum(HISTORY.c[name]).label(name) for name in SUMMED]
    asked = select(HISTORY.c.bot, func.count().label("matches"), *sums).where(HISTORY.c.season_id == season_id)
    if size is not None:
        asked = asked.where(HISTORY.c.size == size)
    totals = {
        row.bot: Totals(row.matches, **{name: int(getattr(row, name)) for name in SUMMED})
        for row in connection.execute(asked.group_by(HISTORY.c.bot))
    }
    rated = ratings(connection, season_id)
    versions = rated_versions(connection, season_id)
    versions.update(newest_versions(connection, season_id))
    start = season.parameters.start
    bots = versions if size is None else totals
    newest = {bot: changes[-1] for bot, changes in entry_changes(connection, season_id).items()}
    return rank_standings(
        ((bot, versions.get(bot, ""), rated.get(bot, start), totals.get(bot, Totals())) for bot in bots),
        divisions=season.divisions,
        states={bot: PLAYS if change.plays else change.act for bot, change in newest.items()},
    )


def shown_rounds(connection: Connection, season_id: str) -> list[int]:
    """The numbers of the rounds whose matches may be shown."""
    return sorted(connection.execute(over(season_id)).scalars())


def table_sums(database: Database, season_id: str) -> Iterator[TableSums]:
    """What each match that counts came to, in canonical order; those of rounds that may be shown."""
    seq = 0
    while True:
        asked = (
            select(HISTORY)
            .where(HISTORY.c.season_id == season_id, HISTORY.c.seq > seq, HISTORY.c.round.in_(over(season_id)))
            .order_by(HISTORY.c.seq, HISTORY.c.seat)
            .limit(_BATCH)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        matches = [(place, list(seats)) for place, seats in groupby(rows, key=lambda row: row.seq)]
        if len(rows) == _BATCH:
            matches.pop()  # some of its seats may be missing; a batch holds many matches
        for _, seats in matches:
            yield TableSums(seats[0].round, tuple(_seat_sums(row) for row in seats))
        if len(rows) < _BATCH:
            return
        seq = matches[-1][0]


def _seat_sums(row: Any) -> SeatSums:
    totals = Totals(1, **{name: int(getattr(row, name)) for name in SUMMED})
    return SeatSums(row.bot, totals, Rating(row.mu, row.sigma))


def tiers(connection: Connection, season_id: str, last_round: int | None) -> dict[str, int]:
    """How many of the season's matches that count, up to a round, were played under each tier of containment."""
    asked = (
        select(RECORD_FILES.c.tier, func.count().label("matches"))
        .join_from(RECORD_FILES, RECORDS, same_match(RECORD_FILES, RECORDS))
        .join(FIXTURES, same_match(RECORDS, FIXTURES))
        .where(RECORD_FILES.c.season_id == season_id, RECORDS.c.seq.is_not(None), FIXTURES.c.void_reason.is_(None))
        .group_by(RECORD_FILES.c.tier)
    )
    if last_round is not None:
        asked = asked.where(RECORDS.c.round <= last_round)
    return {row.tier: row.matches for row in connection.execute(asked)}


def faults(connection: Connection, season_id: str, bot: str | None, shown_only: bool) -> list[FaultRow]:
    """The faults that count, in canonical order, each with its evidence and the seat's stderr."""
    asked = _faults(season_id, bot)
    if shown_only:
        asked = asked.where(FAULTS.c.round.in_(over(season_id)))
    return [_fault(row) for row in connection.execute(asked.order_by(*_FAULT_ORDER))]


def newest_faults(connection: Connection, season_id: str, bot: str, last_round: int, most: int) -> list[FaultRow]:
    """The last faults of a bot in the rounds up to `last_round`, the newest first."""
    asked = _faults(season_id, bot).where(FAULTS.c.round <= last_round)
    newest_first = asked.order_by(*(column.desc() for column in _FAULT_ORDER)).limit(most)
    return [_fault(row) for row in connection.execute(newest_first)]


_FAULT_ORDER = (FAULTS.c.round, FAULTS.c.number, FAULTS.c.seat)


def _faults(season_id: str, bot: str | None) -> Select[Any]:
    same_seat = and_(same_match(FAULTS, STDERR), FAULTS.c.seat == STDERR.c.seat)
    asked = (
        select(FAULTS, FIXTURES.c.match, RECORD_FILES.c.data, STDERR.c.data.label("stderr"))
        .join_from(FAULTS, FIXTURES, same_match(FAULTS, FIXTURES))
        .join(RECORD_FILES, same_match(FAULTS, RECORD_FILES))
        .outerjoin(STDERR, same_seat)
        .where(FAULTS.c.season_id == season_id, FIXTURES.c.void_reason.is_(None))
    )
    return asked if bot is None else asked.where(FAULTS.c.bot == bot)


def _fault(row: Any) -> FaultRow:
    record = unpacked(row.data)
    return FaultRow(
        bot=row.bot,
        version=record["seats"][row.seat]["version"],
        match=row.match,
        round=row.round,
        number=row.number,
        fault=next(fault for fault in record["faults"] if fault["seat"] == row.seat),
        limits=record["limits"],
        stderr="" if row.stderr is None else unzipped(row.stderr),
    )


def history(database: Database, season_id: str) -> Iterator[HistoryRow]:
    """What each match did to the rating of each of its seats, in canonical order."""
    seq, seat = 0, -1
    while True:
        asked = (
            select(HISTORY)
            .where(HISTORY.c.season_id == season_id)
            .where((HISTORY.c.seq > seq) | ((HISTORY.c.seq == seq) & (HISTORY.c.seat > seat)))
            .order_by(HISTORY.c.seq, HISTORY.c.seat)
            .limit(_BATCH)
        )
        with database.reading() as connection:
            rows = connection.execute(asked).all()
        for row in rows:
            yield HistoryRow(
                seq=row.seq,
                round=row.round,
                number=row.number,
                seat=row.seat,
                seats=row.size,
                bot=row.bot,
                version=row.version,
                before=Rating(row.mu_before, row.sigma_before),
                after=Rating(row.mu, row.sigma),
            )
        if len(rows) < _BATCH:
            return
        seq, seat = rows[-1].seq, rows[-1].seat
