"""Seasons and who is entered in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, select, update

from harness.errors import StoreError
from harness.protocol import Chains
from harness.ratings import Rating
from harness.store.clock import now_us
from harness.store.database import WRITES
from harness.store.rows import Entry, SeasonRow
from harness.store.tables import ENTRIES, LEAGUES, RATINGS, SEASON_MEASURES, SEASONS, STARTS

__all__ = [
    "announce",
    "end",
    "enter",
    "entries",
    "find_season",
    "list_seasons",
    "locked",
    "newest_versions",
    "withdraw",
]


def announce(
    connection: Connection,
    league: str,
    number: int,
    config: Mapping[str, Any],
    secret: str,
    commitment: str,
    header: Mapping[str, Any],
    entered: Sequence[Entry],
    ratings: Mapping[str, Rating],
) -> SeasonRow:
    """Write a new season with its first entries and the ratings that they bring."""
    if connection.execute(select(LEAGUES).where(LEAGUES.c.league == league)).first() is None:
        connection.execute(insert(LEAGUES), [{"league": league}])
    newest = find_season(connection, league, None)
    if newest is not None and newest.number >= number:
        raise StoreError(f"season {number} of {league} can't be announced: season {newest.number} is there already")
    season_id = f"{league}/{number}"
    chains = Chains()
    chains.start(dict(header))
    row = {
        "id": season_id,
        "league": league,
        "number": number,
        "config": _text(config),
        "header": _text(header),
        "secret": secret,
        "commitment": commitment,
        "season_seed": None,
        "state": "announced",
        "rounds_planned": int(config.get("rounds", 0)),
        "seq": 0,
        "lines": 0,
        "results": chains.results,
    }
    connection.execute(insert(SEASONS), [row])
    measures = {"season_id": season_id, "evidence": chains.evidence, "announced_us": now_us(), "ended_us": None}
    connection.execute(insert(SEASON_MEASURES), [measures])
    for entry in entered:
        enter(connection, season_id, entry.bot, entry.version, 1)
    versions = {entry.bot: entry.version for entry in entered}
    starts = [
        {"season_id": season_id, "bot": bot, "version": versions.get(bot, ""), "mu": rating.mu, "sigma": rating.sigma}
        for bot, rating in sorted(ratings.items())
    ]
    if starts:
        connection.execute(insert(STARTS), starts)
        connection.execute(insert(RATINGS), starts)
    return locked(connection, season_id)


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def _asked() -> Select[Any]:
    measures = SEASONS.join(SEASON_MEASURES, SEASON_MEASURES.c.season_id == SEASONS.c.id)
    return select(SEASONS, SEASON_MEASURES.c.evidence).select_from(measures)


def _season(row: Any) -> SeasonRow:
    return SeasonRow(
        id=row.id,
        league=row.league,
        number=row.number,
        config=json.loads(row.config),
        header=json.loads(row.header),
        secret=row.secret,
        commitment=row.commitment,
        season_seed=row.season_seed,
        state=row.state,
        rounds_planned=row.rounds_planned,
        seq=row.seq,
        results=row.results,
        evidence=row.evidence,
    )


def find_season(connection: Connection, league: str, number: int | None) -> SeasonRow | None:
    """The season of that number, the newest for ``None``."""
    asked = _asked().where(SEASONS.c.league == league).order_by(SEASONS.c.number.desc()).limit(1)
    if number is not None:
        asked = asked.where(SEASONS.c.number == number)
    row = connection.execute(asked).first()
    return None if row is None else _season(row)


def list_seasons(connection: Connection, league: str) -> list[SeasonRow]:
    """All seasons of a league, oldest first."""
    asked = _asked().where(SEASONS.c.league == league).order_by(SEASONS.c.number)
    return [_season(row) for row in connection.execute(asked)]


def locked(connection: Connection, season_id: str) -> SeasonRow:
    """The season, held until the transaction ends (in a writing one); ``StoreError`` where there is none."""
    asked = _asked().where(SEASONS.c.id == season_id)
    if connection.get_execution_options().get(WRITES):
        asked = asked.with_for_update(of=SEASONS)
    row = connection.execute(asked).first()
    if row is None:
        raise StoreError(f"there is no season {season_id} in the store; harness run-league announces one")
    return _season(row)


def end(connection: Connection, season_id: str) -> None:
    """The season is over; its secret may be shown."""
    connection.execute(update(SEASONS).where(SEASONS.c.id == season_id).values(state="ended"))
    measures = update(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == season_id)
    connection.execute(measures.values(ended_us=now_us()))


def enter(connection: Connection, season_id: str, bot: str, version: str, from_round: int) -> None:
    """From the opening of that round on, the bot plays with this version."""
    _set_entry(connection, season_id, bot, version, from_round, plays=True)


def withdraw(connection: Connection, season_id: str, bot: str, from_round: int) -> None:
    """From the opening of that round on, the bot plays no more; ``StoreError`` where it was not entered."""
    version = newest_versions(connection, season_id).get(bot)
    if version is None:
        raise StoreError(f"bot {bot} is not entered in season {season_id}; name one that is")
    _set_entry(connection, season_id, bot, version, from_round, plays=False)


def _set_entry(connection: Connection, season_id: str, bot: str, version: str, from_round: int, *, plays: bool) -> None:
    here = and_(ENTRIES.c.season_id == season_id, ENTRIES.c.bot == bot, ENTRIES.c.from_round == from_round)
    connection.execute(delete(ENTRIES).where(here))
    row = {"season_id": season_id, "bot": bot, "from_round": from_round, "version": version, "plays": plays}
    connection.execute(insert(ENTRIES), [row])


def _newest(connection: Connection, season_id: str, round_: int | None) -> list[Any]:
    last = select(ENTRIES.c.bot, func.max(ENTRIES.c.from_round).label("from_round"))
    last = last.where(ENTRIES.c.season_id == season_id)
    if round_ is not None:
        last = last.where(ENTRIES.c.from_round <= round_)
    newest = last.group_by(ENTRIES.c.bot).subquery()
    same = and_(ENTRIES.c.bot == newest.c.bot, ENTRIES.c.from_round == newest.c.from_round)
    asked = select(ENTRIES).select_from(ENTRIES.join(newest, same)).where(ENTRIES.c.season_id == season_id)
    return sorted(connection.execute(asked), key=lambda row: row.bot)


def entries(connection: Connection, season_id: str, round_: int) -> list[Entry]:
    """Who plays in that round, by bot id."""
    return [Entry(row.bot, row.version) for row in _newest(connection, season_id, round_) if row.plays]


def newest_versions(connection: Connection, season_id: str) -> dict[str, str]:
    """The version of each bot that was entered last, also where the bot has been withdrawn since."""
    return {row.bot: row.version for row in _newest(connection, season_id, None)}
