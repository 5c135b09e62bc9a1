"""The official table of a season: computed from its matches whatever their order, kept once the season is over."""

from __future__ import annotations

import math
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from harness.ratings import Rating, Strength
from harness.store.ranks import all_ranks
from harness.store.rows import SeasonRow
from harness.store.seasons import entry_changes
from harness.store.tables import OFFICIAL, ROUNDS, STARTS

__all__ = ["official", "save_official", "season_table"]

_FIELDS = ("division", "games", "strength", "low", "high", "rank", "rank_low", "rank_high")


def season_table(connection: Connection, season: SeasonRow) -> list[Strength]:
    """The table over the matches applied so far that count.

    Ranked is each bot's newest version that was entered by the last round opened, also where the bot was benched or
    withdrawn since; one that was disqualified has no match that counts.
    """
    # Here, since numpy and scipy come with it: a store is opened for much else.
    from harness.ratings import official_table

    starts = connection.execute(select(STARTS).where(STARTS.c.season_id == season.id))
    return official_table(
        season.parameters,
        all_ranks(connection, season.id),
        ranked=_ranked(connection, season),
        divisions=season.divisions,
        starts={row.bot: Rating(row.mu, row.sigma) for row in starts},
        anchors=season.anchors,
    )


def _ranked(connection: Connection, season: SeasonRow) -> dict[str, str]:
    opened = connection.execute(select(func.max(ROUNDS.c.number)).where(ROUNDS.c.season_id == season.id)).scalar() or 0
    found = {}
    for bot, changes in entry_changes(connection, season.id).items():
        entered = [change.version for change in changes if change.plays and change.from_round <= opened]
        if entered:
            found[bot] = entered[-1]
    return found


def save_official(connection: Connection, season: SeasonRow) -> None:
    """Compute the season's table and keep it in the place of the one that is there."""
    connection.execute(delete(OFFICIAL).where(OFFICIAL.c.season_id == season.id))
    rows: list[dict[str, Any]] = [
        {
            "season_id": season.id,
            "bot": line.bot,
            "version": line.version,
            "place": place,
            **{name: getattr(line, name) for name in _FIELDS},
        }
        for place, line in enumerate(season_table(connection, season), start=1)
    ]
    if rows:
        connection.execute(insert(OFFICIAL), rows)


def official(connection: Connection, season_id: str) -> list[Strength]:
    """The table kept at the season's end; empty before."""
    asked = select(OFFICIAL).where(OFFICIAL.c.season_id == season_id).order_by(OFFICIAL.c.place)
    rows = connection.execute(asked).all()
    if [row.place for row in rows] != list(range(1, len(rows) + 1)):
        raise LookupError(f"a line of the official table of {season_id} is missing")
    return [_strength(row) for row in rows]


def _strength(row: Any) -> Strength:
    """The line of a row; TypeError or ValueError for what no row should hold, which the store explains."""
    for value in (row.strength, row.low, row.high):
        if not math.isfinite(value):
            raise ValueError(f"{value} stands where a strength should")
    if row.rank is not None and not 1 <= row.rank_low <= row.rank <= row.rank_high:
        raise ValueError(f"rank {row.rank} within {row.rank_low} to {row.rank_high}")
    return Strength(row.bot, row.version, **{name: getattr(row, name) for name in _FIELDS})
