"""Applying stored records in canonical order: place, chains, ratings and history of each in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, update

from harness.ratings import Change, Ladder, Rating, match_ranks, seat_totals
from harness.store.clock import now_us
from harness.store.packing import unpacked
from harness.store.position import Position
from harness.store.rows import Applied, SeasonRow
from harness.store.seasons import lock_season, mark_platform
from harness.store.tables import (
    FIXTURES,
    HISTORY,
    RATINGS,
    RECORD_FILES,
    RECORDS,
    ROUND_MEASURES,
    ROUNDS,
    SUMMED,
    at_match,
    same_match,
)

__all__ = ["apply_batch", "save_ratings"]

_BATCH = 64

# Built once: building a statement costs as much as executing it, and a run applies nearly every match on its own.
_SEASON: Any = bindparam("season_id")
_ROUND: Any = bindparam("round")
_OPEN_ROUND = select(ROUNDS).where(ROUNDS.c.season_id == _SEASON, ROUNDS.c.state == "open")
_FIXTURES = (
    select(FIXTURES.c.round, FIXTURES.c.number, FIXTURES.c.match, FIXTURES.c.void_reason, RECORDS.c.outcome)
    .outerjoin_from(FIXTURES, RECORDS, same_match(FIXTURES, RECORDS))
    .where(FIXTURES.c.season_id == _SEASON, FIXTURES.c.round == _ROUND)
    .where(FIXTURES.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(FIXTURES.c.number)
)
_FILES = (
    select(RECORD_FILES.c.number, RECORD_FILES.c.digest, RECORD_FILES.c.data)
    .where(RECORD_FILES.c.season_id == _SEASON, RECORD_FILES.c.round == _ROUND)
    .where(RECORD_FILES.c.number.between(bindparam("first"), bindparam("last")))
)
_BOTS_OF = and_(RATINGS.c.season_id == _SEASON, RATINGS.c.bot.in_(bindparam("bots", expanding=True)))
_RATINGS, _OLD_RATINGS, _NEW_RATINGS = select(RATINGS).where(_BOTS_OF), delete(RATINGS).where(_BOTS_OF), insert(RATINGS)
_NEW_HISTORY = insert(HISTORY)
# What an UPDATE sets has its column's name, so what it looks for has another.
_PLACE = update(RECORDS).where(at_match(RECORDS, bindparam("of_season"), bindparam("of_round"), bindparam("of_number")))
_PROGRESS, _CLOSING = (
    update(table).where(table.c.season_id == bindparam("of_season"), table.c.number == bindparam("of_round"))
    for table in (ROUNDS, ROUND_MEASURES)
)


def apply_batch(connection: Connection, season_id: str) -> tuple[list[Applied], bool]:
    """Apply the records that are next, up to a batch, and close the round behind the last of its fixtures.

    The second value says whether there may be more to apply. A voided fixture gives its line instead.
    """
    season = lock_season(connection, season_id)
    round_ = connection.execute(_OPEN_ROUND, {"season_id": season_id}).first()
    if round_ is None or season.state == "ended":
        return [], False
    ready = _next_fixtures(connection, round_)
    if not ready and round_.next <= round_.fixtures:
        return [], False
    files = _files(connection, round_, ready)
    records = {number: unpacked(file.data) for number, file in files.items()}
    ladder = _ladder(connection, season, records.values())
    position = Position(season)
    applied: list[Applied] = []
    history: list[dict[str, Any]] = []
    for row in ready:
        if row.void_reason is not None:
            position.add_line(connection, round_.number, {"void": row.match, "reason": row.void_reason})
        else:
            file, record = files[row.number], records[row.number]
            position.seq += 1
            position.chains.add_record(row.outcome, file.digest)
            changes = ladder.apply(match_ranks(record))
            history += _history(season_id, position.seq, row, record, changes)
            applied.append(_applied(row, position.seq, changes, file.data))
    if applied:
        mark_platform(connection, season)
        _save_places(connection, season_id, applied)
        connection.execute(_NEW_HISTORY, history)
        save_ratings(connection, season_id, ladder)
    following = ready[-1].number + 1 if ready else round_.next
    _move_on(connection, round_, following, position)
    return applied, len(ready) == _BATCH


def _next_fixtures(connection: Connection, round_: Any) -> Sequence[Any]:
    """Those to be applied next, up to the first that has neither a record nor been voided."""
    numbers = {"first": round_.next, "last": round_.next + _BATCH - 1}
    found = connection.execute(_FIXTURES, {"season_id": round_.season_id, "round": round_.number, **numbers})
    return list(takewhile(lambda row: row.void_reason is not None or row.outcome is not None, found.all()))


def _files(connection: Connection, round_: Any, fixtures: Sequence[Any]) -> dict[int, Any]:
    """Digest and packed record, by number, of those that have one and count."""
    counting = {row.number for row in fixtures if row.void_reason is None and row.outcome is not None}
    if not counting:
        return {}
    numbers = {"first": min(counting), "last": max(counting)}
    found = connection.execute(_FILES, {"season_id": round_.season_id, "round": round_.number, **numbers})
    return {row.number: row for row in found if row.number in counting}


def _ladder(connection: Connection, season: SeasonRow, records: Iterable[Mapping[str, Any]]) -> Ladder:
    """The ratings of those who sit at these tables; the others don't change."""
    bots = {seat["bot"] for record in records for seat in record["seats"]}
    rows = connection.execute(_RATINGS, {"season_id": season.id, "bots": sorted(bots)}).all() if bots else []
    return Ladder(
        season.parameters,
        {row.bot: Rating(row.mu, row.sigma) for row in rows},
        {row.bot: row.version for row in rows},
    )


def _history(
    season_id: str, seq: int, row: Any, record: Mapping[str, Any], changes: Sequence[Change]
) -> list[dict[str, Any]]:
    return [
        {
            "season_id": season_id,
            "seq": seq,
            "seat": seat,
            "round": row.round,
            "number": row.number,
            "bot": change.bot,
            "version": change.version,
            "size": len(changes),
            **{name: getattr(totals, name) for name in SUMMED},
            "mu_before": change.before.mu,
            "sigma_before": change.before.sigma,
            "mu": change.after.mu,
            "sigma": change.after.sigma,
        }
        for seat, (change, totals) in enumerate(zip(changes, seat_totals(record), strict=True))
    ]


def _applied(row: Any, seq: int, changes: Sequence[Change], data: bytes) -> Applied:
    before = {change.bot: change.before for change in changes}
    after = {change.bot: change.after for change in changes}
    return Applied(row.round, row.number, row.match, seq, before, after, data)


def _save_places(connection: Connection, season_id: str, applied: Sequence[Applied]) -> None:
    places = [
        {"of_season": season_id, "of_round": each.round, "of_number": each.number, "seq": each.seq} for each in applied
    ]
    connection.execute(_PLACE, places)


def save_ratings(connection: Connection, season_id: str, ladder: Ladder) -> None:
    """Write the ratings of the ladder over those that these bots had."""
    bots = sorted(ladder.ratings)
    if not bots:
        return
    connection.execute(_OLD_RATINGS, {"season_id": season_id, "bots": bots})
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
    connection.execute(_NEW_RATINGS, rows)


def _move_on(connection: Connection, round_: Any, following: int, position: Position) -> None:
    position.save(connection)
    here = {"of_season": round_.season_id, "of_round": round_.number}
    if following <= round_.fixtures:
        connection.execute(_PROGRESS, {**here, "next": following})
        return
    connection.execute(_PROGRESS, {**here, "next": following, "state": "over", "results": position.chains.results})
    connection.execute(_CLOSING, {**here, "evidence": position.chains.evidence, "closed_us": now_us()})
