"""Applying stored records in canonical order: place, chains, ratings and history of each in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, update

from harness.ratings import Change, Ladder, Rating, seat_totals
from harness.store.clock import now_us
from harness.store.position import Position
from harness.store.rows import Applied, SeasonRow, unpacked
from harness.store.seasons import locked
from harness.store.tables import (
    FIXTURES,
    HISTORY,
    RATINGS,
    RECORD_FILES,
    RECORDS,
    ROUND_MEASURES,
    ROUNDS,
)

__all__ = ["apply_batch", "save_ratings"]

_BATCH = 64


def apply_batch(connection: Connection, season_id: str, *, skip_unplayed: bool = False) -> tuple[list[Applied], bool]:
    """Apply the records that are next, up to a batch, and close the round behind the last of its fixtures.

    The second value says whether there may be more to apply. A voided fixture gives its line instead. With
    ``skip_unplayed`` a fixture without a record is passed over: for a season that ends as it stands.
    """
    season = locked(connection, season_id)
    open_ = select(ROUNDS).where(ROUNDS.c.season_id == season_id, ROUNDS.c.state == "open")
    round_ = connection.execute(open_).first()
    if round_ is None or season.state == "ended":
        return [], False
    fixtures = _next_fixtures(connection, round_)
    ready = fixtures if skip_unplayed else _up_to_a_gap(fixtures)
    if not ready and round_.next <= round_.fixtures:
        return [], False
    files = _files(connection, round_, ready)
    records = {number: unpacked(file.data) for number, file in files.items()}
    ladder = _ladder(connection, season, records.values())
    position = Position.of(connection, season)
    applied: list[Applied] = []
    history: list[dict[str, Any]] = []
    for row in ready:
        if row.void_reason is not None:
            position.add_line(connection, round_.number, {"void": row.match, "reason": row.void_reason})
        elif row.number in files:
            file, record = files[row.number], records[row.number]
            position.seq += 1
            position.chains.add_record(row.outcome, file.digest)
            changes = ladder.apply(record)
            history += _history(season_id, position.seq, row, record, changes)
            applied.append(_applied(row, position.seq, changes, file.data))
    if applied:
        _save_places(connection, season_id, applied)
        connection.execute(insert(HISTORY), history)
        save_ratings(connection, season_id, ladder)
    following = ready[-1].number + 1 if ready else round_.next
    _move_on(connection, round_, following, position)
    return applied, len(ready) == _BATCH


def _next_fixtures(connection: Connection, round_: Any) -> Sequence[Any]:
    keys = ("season_id", "round", "number")
    with_record = and_(*(RECORDS.c[name] == FIXTURES.c[name] for name in keys))
    asked = (
        select(FIXTURES.c.round, FIXTURES.c.number, FIXTURES.c.match, FIXTURES.c.void_reason, RECORDS.c.outcome)
        .select_from(FIXTURES.outerjoin(RECORDS, with_record))
        .where(FIXTURES.c.season_id == round_.season_id, FIXTURES.c.round == round_.number)
        .where(FIXTURES.c.number >= round_.next, FIXTURES.c.number < round_.next + _BATCH)
        .order_by(FIXTURES.c.number)
    )
    return connection.execute(asked).all()


def _up_to_a_gap(fixtures: Sequence[Any]) -> Sequence[Any]:
    for place, row in enumerate(fixtures):
        if row.void_reason is None and row.outcome is None:
            return fixtures[:place]
    return fixtures


def _files(connection: Connection, round_: Any, fixtures: Sequence[Any]) -> dict[int, Any]:
    """Digest and packed record, by number, of those that have one and count."""
    counting = {row.number for row in fixtures if row.void_reason is None and row.outcome is not None}
    if not counting:
        return {}
    asked = (
        select(RECORD_FILES.c.number, RECORD_FILES.c.digest, RECORD_FILES.c.data)
        .where(RECORD_FILES.c.season_id == round_.season_id, RECORD_FILES.c.round == round_.number)
        .where(RECORD_FILES.c.number.between(min(counting), max(counting)))
    )
    return {row.number: row for row in connection.execute(asked) if row.number in counting}


def _ladder(connection: Connection, season: SeasonRow, records: Iterable[Mapping[str, Any]]) -> Ladder:
    """The ratings of those who sit at these tables; the others don't change."""
    bots = {seat["bot"] for record in records for seat in record["seats"]}
    asked = select(RATINGS).where(RATINGS.c.season_id == season.id, RATINGS.c.bot.in_(sorted(bots)))
    rows = connection.execute(asked).all() if bots else []
    return Ladder(
        season.parameters,
        {row.bot: Rating(row.mu, row.sigma) for row in rows},
        {row.bot: row.version for row in rows},
    )


def _history(
    season_id: str, seq: int, row: Any, record: Mapping[str, Any], changes: Sequence[Change]
) -> list[dict[str, Any]]:
    rows = []
    for seat, (change, totals) in enumerate(zip(changes, seat_totals(record), strict=True)):
        sums = asdict(totals)
        del sums["matches"]
        rows.append(
            {
                "season_id": season_id,
                "seq": seq,
                "seat": seat,
                "round": row.round,
                "number": row.number,
                "bot": change.bot,
                "version": change.version,
                "size": len(changes),
                **sums,
                "mu_before": change.before.mu,
                "sigma_before": change.before.sigma,
                "mu": change.after.mu,
                "sigma": change.after.sigma,
            }
        )
    return rows


def _applied(row: Any, seq: int, changes: Sequence[Change], data: bytes) -> Applied:
    before = {change.bot: change.before for change in changes}
    after = {change.bot: change.after for change in changes}
    return Applied(row.round, row.number, row.match, seq, before, after, data)


def _save_places(connection: Connection, season_id: str, applied: Sequence[Applied]) -> None:
    here = and_(
        RECORDS.c.season_id == season_id,
        RECORDS.c.round == bindparam("of_round"),
        RECORDS.c.number == bindparam("of_number"),
    )
    places = [{"of_round": each.round, "of_number": each.number, "at": each.seq} for each in applied]
    connection.execute(update(RECORDS).where(here).values(seq=bindparam("at")), places)


def save_ratings(connection: Connection, season_id: str, ladder: Ladder) -> None:
    """Write the ratings of the ladder over those that these bots had."""
    bots = sorted(ladder.ratings)
    if not bots:
        return
    connection.execute(delete(RATINGS).where(RATINGS.c.season_id == season_id, RATINGS.c.bot.in_(bots)))
    rows = [
        {
            "season_id": season_id,
            "bot": bot,
            "version": ladder.versions[bot],
            "mu": ladder.ratings[bot].mu,
            "sigma": ladder.ratings[bot].sigma,
        }
        for bot in bots
    ]
    connection.execute(insert(RATINGS), rows)


def _move_on(connection: Connection, round_: Any, following: int, position: Position) -> None:
    position.save(connection)
    here = and_(ROUNDS.c.season_id == round_.season_id, ROUNDS.c.number == round_.number)
    connection.execute(update(ROUNDS).where(here).values(next=following))
    if following <= round_.fixtures:
        return
    connection.execute(update(ROUNDS).where(here).values(state="over", results=position.chains.results))
    measured = and_(ROUND_MEASURES.c.season_id == round_.season_id, ROUND_MEASURES.c.number == round_.number)
    heads = update(ROUND_MEASURES).where(measured)
    connection.execute(heads.values(evidence=position.chains.evidence, closed_us=now_us()))
