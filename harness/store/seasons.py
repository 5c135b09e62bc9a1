"""Seasons and who is entered in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, update

from harness.errors import StoreError
from harness.protocol import Chains
from harness.ratings import Rating, platform_name
from harness.store.clock import now_us
from harness.store.packing import compact
from harness.store.rows import Act, Entry, EntryChange, SeasonRow
from harness.store.tables import ENTRIES, LEAGUES, RATINGS, SEASON_MEASURES, SEASONS, STARTS

__all__ = [
    "announce",
    "bench",
    "disqualify",
    "end",
    "enter",
    "entries",
    "entry_changes",
    "find_season",
    "list_seasons",
    "lock_newest",
    "lock_season",
    "mark_platform",
    "newest_versions",
    "read_season",
    "withdraw",
]

# An outer join: a season whose measures are lost must not look as if it had never been.
_SEASONS = select(SEASONS, SEASON_MEASURES.c.evidence, SEASON_MEASURES.c.platform).outerjoin(SEASON_MEASURES)
_SEASON = _SEASONS.where(SEASONS.c.id == bindparam("season_id"))
_LOCKED_SEASON = _SEASON.with_for_update(of=SEASONS)


def announce(
    connection: Connection,
    league: str,
    number: int,
    config: Mapping[str, Any],
    secret: str,
    commitment: str,
    header: Mapping[str, Any],
    *,
    rounds_planned: int,
    entered: Sequence[Entry],
    out: Mapping[str, Act],
    ratings: Mapping[str, Rating],
    known: Mapping[str, Sequence[EntryChange]] | None,
) -> SeasonRow | None:
    """Write a new season with its first entries and the ratings that they bring.

    Writes nothing and returns None if somebody has announced it meanwhile, or if `known` is not what was done with the
    entries of the season before by now.
    """
    if connection.execute(select(LEAGUES).where(LEAGUES.c.league == league)).first() is None:
        connection.execute(insert(LEAGUES), [{"league": league}])
    newest = find_season(connection, league, None)
    if newest is not None:
        if newest.number >= number:
            return None
        lock_season(connection, newest.id)
        if known is not None and entry_changes(connection, newest.id) != known:
            return None
    season_id = f"{league}/{number}"
    chains = Chains()
    chains.start(dict(header))
    row = {
        "id": season_id,
        "league": league,
        "number": number,
        "config": compact(config),
        "header": compact(header),
        "secret": secret,
        "commitment": commitment,
        "season_seed": None,
        "state": "announced",
        "rounds_planned": rounds_planned,
        "seq": 0,
        "lines": 0,
        "results": chains.results,
    }
    connection.execute(insert(SEASONS), [row])
    measured = {"evidence": chains.evidence, "announced_us": now_us(), "ended_us": None, "platform": platform_name()}
    connection.execute(insert(SEASON_MEASURES), [{"season_id": season_id, **measured}])
    for entry in entered:
        _set_entry(connection, season_id, EntryChange(entry.bot, 1, entry.version, out.get(entry.bot, "entered")))
    versions = {entry.bot: entry.version for entry in entered}
    starts = [
        {"season_id": season_id, "bot": bot, "version": versions.get(bot, ""), "mu": rating.mu, "sigma": rating.sigma}
        for bot, rating in sorted(ratings.items())
    ]
    if starts:
        connection.execute(insert(STARTS), starts)
        connection.execute(insert(RATINGS), starts)
    return read_season(connection, season_id)


def _season(row: Any) -> SeasonRow:
    return SeasonRow(**{**row._mapping, "config": json.loads(row.config), "header": json.loads(row.header)})


def find_season(connection: Connection, league: str, number: int | None) -> SeasonRow | None:
    """The season of that number, the newest for `None`."""
    asked = _SEASONS.where(SEASONS.c.league == league).order_by(SEASONS.c.number.desc()).limit(1)
    if number is not None:
        asked = asked.where(SEASONS.c.number == number)
    row = connection.execute(asked).first()
    return None if row is None else _season(row)


def list_seasons(connection: Connection, league: str) -> list[SeasonRow]:
    """All seasons of a league, oldest first."""
    asked = _SEASONS.where(SEASONS.c.league == league).order_by(SEASONS.c.number)
    return [_season(row) for row in connection.execute(asked)]


def read_season(connection: Connection, season_id: str) -> SeasonRow:
    """The season; `StoreError` where there is none."""
    return _found(connection, _SEASON, season_id)


def lock_season(connection: Connection, season_id: str) -> SeasonRow:
    """The season, held until the writing transaction ends; `StoreError` where there is none."""
    return _found(connection, _LOCKED_SEASON, season_id)


def lock_newest(connection: Connection, season_id: str) -> bool:
    """Hold the season as `lock_season` does; whether it is the newest of its league, so that its entries matter."""
    season = lock_season(connection, season_id)
    newest = find_season(connection, season.league, None)
    return newest is not None and newest.number == season.number


def _found(connection: Connection, asked: Select[Any], season_id: str) -> SeasonRow:
    row = connection.execute(asked, {"season_id": season_id}).first()
    if row is None:
        raise StoreError(f"there is no season {season_id} in the store; harness run-league announces one")
    return _season(row)


def end(connection: Connection, season_id: str) -> None:
    """The season is over; its secret may be shown."""
    connection.execute(update(SEASONS).where(SEASONS.c.id == season_id).values(state="ended"))
    measures = update(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == season_id)
    connection.execute(measures.values(ended_us=now_us()))


def mark_platform(connection: Connection, season: SeasonRow, *, only: bool = False) -> None:
    """Say that ratings are computed here, from now on besides where they were; `only` where all of them are."""
    here = platform_name()
    if not only and season.platform.rpartition("; then ")[2] == here:
        return
    named = here if only else f"{season.platform or 'unknown'}; then {here}"
    measures = update(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == season.id)
    connection.execute(measures.values(platform=named))


def enter(
    connection: Connection, season_id: str, bot: str, version: str, from_round: int, *, pardon: bool = False
) -> None:
    """From the opening of that round on, the bot plays with this version.

    One that was out, or was to be from that round on, is let in. `StoreError` for one that is disqualified, unless this
    is its `pardon`.
    """
    before = next((row for row in _newest(connection, season_id, from_round) if row.bot == bot), None)
    if before is not None and before.act == "disqualified" and not pardon:
        raise StoreError(f"bot {bot} is disqualified from season {season_id}; let it in with harness bots unbench")
    # A second version in the place of one that was let in must not undo that.
    anew = before is not None and (not before.plays or (before.act == "let-in" and before.from_round == from_round))
    _set_entry(connection, season_id, EntryChange(bot, from_round, version, "let-in" if anew else "entered"))


def bench(connection: Connection, season_id: str, bot: str, from_round: int) -> None:
    """From the opening of that round on, the bot sits on the bench; `StoreError` where it was not entered."""
    _leave(connection, season_id, bot, from_round, "benched")


def withdraw(connection: Connection, season_id: str, bot: str, from_round: int) -> None:
    """From the opening of that round on, the bot plays no more; `StoreError` where it was not entered."""
    _leave(connection, season_id, bot, from_round, "withdrawn")


def disqualify(connection: Connection, season_id: str, bot: str, from_round: int) -> None:
    """From the opening of that round on, the bot is out until it is pardoned; `StoreError` where it was not entered."""
    _leave(connection, season_id, bot, from_round, "disqualified")


def _leave(connection: Connection, season_id: str, bot: str, from_round: int, act: Act) -> None:
    last = next((row for row in _newest(connection, season_id, None) if row.bot == bot), None)
    if last is None:
        raise StoreError(f"bot {bot} is not entered in season {season_id}; name one that is")
    if last.act == "disqualified":
        raise StoreError(f"bot {bot} is disqualified already, from round {last.from_round} of season {season_id} on")
    _set_entry(connection, season_id, EntryChange(bot, from_round, last.version, act))


def _set_entry(connection: Connection, season_id: str, change: EntryChange) -> None:
    here = and_(
        ENTRIES.c.season_id == season_id, ENTRIES.c.bot == change.bot, ENTRIES.c.from_round == change.from_round
    )
    connection.execute(delete(ENTRIES).where(here))
    row = {
        "season_id": season_id,
        "bot": change.bot,
        "from_round": change.from_round,
        "version": change.version,
        "plays": change.plays,
        "act": change.act,
    }
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


def entry_changes(connection: Connection, season_id: str) -> dict[str, list[EntryChange]]:
    """By bot id, all that was done with its entry, oldest first."""
    found: dict[str, list[EntryChange]] = {}
    rows = connection.execute(select(ENTRIES).where(ENTRIES.c.season_id == season_id))
    for row in sorted(rows, key=lambda row: (row.bot, row.from_round)):
        found.setdefault(row.bot, []).append(EntryChange(row.bot, row.from_round, row.version, row.act))
    return found


def newest_versions(connection: Connection, season_id: str) -> dict[str, str]:
    """The version of each bot that was entered last, also where the bot has been withdrawn since."""
    return {row.bot: row.version for row in _newest(connection, season_id, None)}
