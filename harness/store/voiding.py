"""Voiding a match, and rating a season again without it. What was published stays: voiding only adds a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, and_, bindparam, delete, func, select, update

from harness.errors import StoreError
from harness.ratings import Change, Ladder, Rating
from harness.store.application import save_ratings
from harness.store.official import save_official
from harness.store.position import Position
from harness.store.ranks import ranks_after
from harness.store.rows import SeasonRow
from harness.store.seasons import lock_season, mark_platform
from harness.store.tables import (
    FIXTURES,
    HISTORY,
    RATINGS,
    RECORDS,
    ROUNDS,
    STARTS,
    at_match,
    same_match,
)

__all__ = ["NOT_PLAYED", "matches_of", "rate_again", "void", "void_unplayed"]

NOT_PLAYED = "the season ended before it was played"
"""The reason of what `void_unplayed` voids."""


def void(connection: Connection, season_id: str, places: Sequence[tuple[int, int]], reason: str) -> int:
    """Let the matches at these (round, number) count no more; how many of them had counted.

    A fixture that is not applied yet is skipped in its turn, where its line stands; any record of it is left out. One
    that was applied keeps its place in the season; its line comes behind all that is there, its faults and games count
    no more, and what was rated after it is rated again. An official table that is kept is computed anew. `StoreError`
    where there is no such match, or it is void already; then nothing is changed.
    """
    season = lock_season(connection, season_id)
    newest = connection.execute(select(func.max(ROUNDS.c.number)).where(ROUNDS.c.season_id == season_id)).scalar()
    position = Position(season)
    counted: list[int] = []
    for round_, number in places:
        here = at_match(FIXTURES, season_id, round_, number)
        fixture = connection.execute(select(FIXTURES.c.match, FIXTURES.c.void_reason).where(here)).first()
        if fixture is None:
            raise StoreError(
                f"there is no match {season_id}/{round_}/{number} in the store; name one that has been opened"
            )
        if fixture.void_reason is not None:
            raise StoreError(f"match {fixture.match} is void already: {fixture.void_reason}")
        applied = select(RECORDS.c.seq).where(at_match(RECORDS, season_id, round_, number))
        seq = connection.execute(applied).scalar_one_or_none()
        connection.execute(update(FIXTURES).where(here).values(void_reason=reason))
        if seq is None:
            continue  # it gets its line in its turn
        position.add_line(connection, newest or 0, {"void": fixture.match, "reason": reason})
        connection.execute(delete(HISTORY).where(HISTORY.c.season_id == season_id, HISTORY.c.seq == seq))
        counted.append(seq)
    if counted:
        position.save(connection)
        rate_again(connection, season, min(counted))
        mark_platform(connection, season)
        if season.state == "ended":
            save_official(connection, season)
    return len(counted)


def matches_of(connection: Connection, season_id: str, bot: str) -> list[tuple[int, int]]:
    """The (round, number) of the matches with the bot that are not void, played or not."""
    asked = (
        select(FIXTURES.c.round, FIXTURES.c.number, FIXTURES.c.fixture)
        .where(FIXTURES.c.season_id == season_id, FIXTURES.c.void_reason.is_(None))
        .order_by(FIXTURES.c.round, FIXTURES.c.number)
    )
    return [
        (row.round, row.number)
        for row in connection.execute(asked)
        if any(seated == bot for seated, _ in json.loads(row.fixture)["seats"])
    ]


def void_unplayed(connection: Connection, season_id: str) -> None:
    """Void every fixture without a record, so that a season that ends as it stands has no gap."""
    played = select(RECORDS.c.number).where(same_match(RECORDS, FIXTURES)).exists()
    here = and_(FIXTURES.c.season_id == season_id, FIXTURES.c.void_reason.is_(None), ~played)
    connection.execute(update(FIXTURES).where(here).values(void_reason=NOT_PLAYED))


def rate_again(
    connection: Connection, season: SeasonRow, from_seq: int = 1, tell: Callable[[int], None] | None = None
) -> None:
    """Rate all matches from that place on, void ones left out, on the ratings that stood before it.

    `tell` hears how many more have been rated.
    """
    ladder = _before(connection, season, from_seq)
    after = from_seq - 1
    while matches := ranks_after(connection, season.id, after):
        changes = {seq: ladder.apply(match) for seq, match in matches}
        _save_changes(connection, season.id, changes)
        after = matches[-1][0]
        if tell is not None:
            tell(len(matches))
    connection.execute(delete(RATINGS).where(RATINGS.c.season_id == season.id))
    save_ratings(connection, season.id, ladder)


def _before(connection: Connection, season: SeasonRow, seq: int) -> Ladder:
    ladder = Ladder(season.parameters)
    last = select(HISTORY.c.bot, func.max(HISTORY.c.seq).label("seq"))
    last = last.where(HISTORY.c.season_id == season.id, HISTORY.c.seq < seq)
    newest = last.group_by(HISTORY.c.bot).subquery()
    same = and_(HISTORY.c.bot == newest.c.bot, HISTORY.c.seq == newest.c.seq)
    rated = select(HISTORY.c.bot, HISTORY.c.version, HISTORY.c.mu, HISTORY.c.sigma).where(
        HISTORY.c.season_id == season.id
    )
    starts = select(STARTS.c.bot, STARTS.c.version, STARTS.c.mu, STARTS.c.sigma).where(STARTS.c.season_id == season.id)
    for asked in (starts, rated.select_from(HISTORY.join(newest, same))):
        for bot, version, mu, sigma in connection.execute(asked):
            ladder.ratings[bot] = Rating(mu, sigma)
            ladder.versions[bot] = version
    return ladder


def _save_changes(connection: Connection, season_id: str, changes: dict[int, list[Change]]) -> None:
    here = and_(
        HISTORY.c.season_id == season_id, HISTORY.c.seq == bindparam("at_seq"), HISTORY.c.seat == bindparam("at_seat")
    )
    names = ("mu_before", "sigma_before", "mu", "sigma")
    rows = [
        {
            "at_seq": seq,
            "at_seat": seat,
            "new_mu_before": change.before.mu,
            "new_sigma_before": change.before.sigma,
            "new_mu": change.after.mu,
            "new_sigma": change.after.sigma,
        }
        for seq, seats in changes.items()
        for seat, change in enumerate(seats)
    ]
    connection.execute(update(HISTORY).where(here).values({name: bindparam(f"new_{name}") for name in names}), rows)
