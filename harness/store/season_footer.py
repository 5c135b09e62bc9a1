"""A season as its file shows it: how far that goes, its lines that are no records, and what its footer says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, select

from harness.protocol import MAX_REPLAY, Chains, MatchName
from harness.ratings import Ladder, Rating, Strength, match_ranks, platform_name
from harness.store.database import Database
from harness.store.official import official
from harness.store.rounds import over
from harness.store.rows import SeasonRow
from harness.store.seasons import read_season
from harness.store.tables import HISTORY, LINES, RECORDS, STARTS

__all__ = ["SeasonAsShown", "last_shown", "season_as_shown"]

_MOST_OF_A_LIST = 2 * MAX_REPLAY // 5
"""Bytes of a list in the footer: both long ones fit into a line that a reader takes, and what is longer is left out."""

_SeatRatings = list[list[str]]


@dataclass(slots=True)
class SeasonAsShown:
    """The season, the place `last` of the last record that its file has, and the other lines with the place behind it.

    `ratings` has those after each match that counts, None where the header doesn't say what they began with. `ladder`
    is there where the file has to be rated anew: a match that it shows was voided by a line that it does not show yet.
    """

    season: SeasonRow
    last: int
    lines: list[tuple[int, dict[str, Any]]]
    ratings: list[_SeatRatings] | None
    ladder: Ladder | None
    table: list[Strength]
    voided: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.voided = frozenset(line["void"] for _, line in self.lines if "void" in line)

    def see(self, record: Mapping[str, Any]) -> None:
        """Take note of a record of the file, in its turn."""
        if self.ladder is not None and self.ratings is not None and record["match"] not in self.voided:
            changes = self.ladder.apply(match_ranks(record))
            self.ratings.append([_decimals(change.after.mu, change.after.sigma) for change in changes])

    def footer(self, chains: Chains, heads: list[str]) -> dict[str, Any]:
        """The last line, when all others were seen; `heads` are those after each of them."""
        footer: dict[str, Any] = {"results": chains.results, "evidence": chains.evidence}
        if self.season.state == "ended":
            footer["secret"] = self.season.secret
        if _fits(heads):
            footer["heads"] = heads
        if self.ratings is None:
            return footer
        if _fits(self.ratings):
            footer["ratings"] = self.ratings
        platform = self.season.platform if self.ladder is None else platform_name()
        if platform:
            footer["platform"] = platform
        # A season that ended before there were such tables has none; one without a match that counts has an empty one.
        if self.season.state == "ended" and (self.table or not self.ratings):
            footer["official"] = [_table_line(line) for line in self.table]
        return footer


def last_shown(connection: Connection, season: SeasonRow) -> int:
    """The place of the last record of the rounds that may be shown, 0 before any."""
    asked = select(func.max(RECORDS.c.seq)).where(
        RECORDS.c.season_id == season.id, RECORDS.c.round.in_(over(season.id))
    )
    return connection.execute(asked).scalar_one() or 0


def season_as_shown(database: Database, season_id: str) -> SeasonAsShown:
    """What the season's file shows now, all of it as it was at one moment."""
    while True:
        with database.reading() as connection:
            season = read_season(connection, season_id)
            shown = _read(connection, season)
            after = read_season(connection, season_id)
        # PostgreSQL shows each statement what is there by then, and a match, a voiding or a rating came in between.
        if after == season:
            return shown


def _read(connection: Connection, season: SeasonRow) -> SeasonAsShown:
    last = last_shown(connection, season)
    rounds = set(connection.execute(over(season.id)).scalars())
    asked = select(LINES.c.after_seq, LINES.c.round, LINES.c.text).where(LINES.c.season_id == season.id)
    lines = [(row.after_seq, row.round, _line(row)) for row in connection.execute(asked.order_by(LINES.c.ordinal))]
    to_come = [line["void"] for _, round_, line in lines if round_ not in rounds and "void" in line]
    anew = any(MatchName.parse(name).round in rounds for name in to_come)
    starts = connection.execute(select(STARTS).where(STARTS.c.season_id == season.id)).all()
    # A season that was announced before headers told what bots bring can't be rated again from its file.
    told = not starts or "starts" in season.header
    ladder = Ladder(
        season.parameters,
        {row.bot: Rating(row.mu, row.sigma) for row in starts},
        {row.bot: row.version for row in starts},
    )
    return SeasonAsShown(
        season=season,
        last=last,
        lines=[(seq, line) for seq, round_, line in lines if round_ in rounds],
        ratings=([] if anew else _ratings(connection, season.id, last)) if told else None,
        ladder=ladder if anew else None,
        table=official(connection, season.id),
    )


def _line(row: Any) -> dict[str, Any]:
    """The line of a row; ValueError for what is none, which the store explains."""
    line = json.loads(row.text)
    if not isinstance(line, dict):
        raise ValueError(f"{row.text[:80]!r} is no line of a season")
    return line


def _ratings(connection: Connection, season_id: str, last: int) -> list[_SeatRatings]:
    """Those after each match that counts; ValueError where the rows of a match are not all there."""
    asked = (
        select(HISTORY.c.seq, HISTORY.c.mu, HISTORY.c.sigma, HISTORY.c.size)
        .where(HISTORY.c.season_id == season_id, HISTORY.c.seq <= last)
        .order_by(HISTORY.c.seq, HISTORY.c.seat)
    )
    found = []
    for seq, rows in groupby(connection.execute(asked), key=lambda row: row.seq):
        seats = list(rows)
        if any(row.size != len(seats) for row in seats):
            raise ValueError(f"history has {len(seats)} of the {seats[0].size} seats of match {seq}")
        found.append([_decimals(row.mu, row.sigma) for row in seats])
    return found


def _fits(values: list[Any]) -> bool:
    return len(json.dumps(values, separators=(",", ":"))) <= _MOST_OF_A_LIST


def _decimals(mu: float, sigma: float) -> list[str]:
    rating = Rating(mu, sigma)
    return [repr(rating.mu), repr(rating.sigma)]


def _table_line(line: Strength) -> list[Any]:
    numbers = [repr(line.strength), repr(line.low), repr(line.high)]
    return [line.bot, line.version, line.division, line.games, *numbers, line.rank, line.rank_low, line.rank_high]
