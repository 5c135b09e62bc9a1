"""Standings: what every game of the records adds up to, and the order of the ladder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.ratings.outcome import forfeit_games
from harness.ratings.rating import Rating

__all__ = ["DISQUALIFIED", "ENOUGH_GAMES", "PLAYS", "WHOLE_WIN", "Standing", "Totals", "rank_standings", "seat_totals"]

ENOUGH_GAMES = 30
"""A bot with fewer games is provisional."""

PLAYS, DISQUALIFIED = "plays", "disqualified"
"""Two states of a bot in a season; the others are the acts that put it out."""

WHOLE_WIN = 840
"""Win shares are counted in whole parts of a win, so that sums are exact in any order: 840 divides by 1 to 8."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Whole sums over games: `win_parts` in 840ths of a win, `points` of the scores, `ranks` of the ranks."""

    matches: int = 0
    games: int = 0
    win_parts: int = 0
    points: int = 0
    ranks: int = 0
    faults: int = 0

    @property
    def wins(self) -> float:
        """The sum of win shares."""
        return self.win_parts / WHOLE_WIN

    @property
    def win_share(self) -> float:
        """The mean win share of a game, 0 without games."""
        return _mean(self.win_parts, self.games * WHOLE_WIN)

    @property
    def mean_points(self) -> float:
        """The mean of the points of a game, 0 without games."""
        return _mean(self.points, self.games)

    @property
    def mean_rank(self) -> float:
        """The mean rank of a game, 0 without games."""
        return _mean(self.ranks, self.games)


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the ladder: `wins` is the sum of win shares, `points` and `mean_rank` are means over games.

    `rank` counts from 1 through all divisions and is None for a bot that is disqualified. `division` counts from 1, 0
    for a bot that is in none. `state` is `plays`, `benched`, `withdrawn` or `disqualified`.
    """

    rank: int | None
    bot: str
    version: str
    mu: float
    sigma: float
    provisional: bool
    matches: int
    games: int
    wins: float
    win_share: float
    points: float
    mean_rank: float
    faults: int
    division: int = 0
    state: str = PLAYS


def seat_totals(record: Mapping[str, Any]) -> list[Totals]:
    """What one record adds, by seat. Every game counts, those after a forfeit too: no share of the win, 0 points.

    Those who share rank 1 share the win. Where every seat has forfeited by the end of a game, rank 1 is no win.
    """
    seats = range(len(record["seats"]))
    games = record["games"]
    out_in = forfeit_games(record)
    parts = [0 for _ in seats]
    for index, game in enumerate(games):
        if all(out_in.get(seat, len(games)) <= index for seat in seats):
            continue
        first = [seat for seat in seats if game["ranks"][seat] == 1]
        for seat in first:
            parts[seat] += WHOLE_WIN // len(first)
    return [
        Totals(
            matches=1,
            games=len(games),
            win_parts=parts[seat],
            points=sum(game["scores"][seat] for game in games),
            ranks=sum(game["ranks"][seat] for game in games),
            faults=int(seat in out_in),
        )
        for seat in seats
    ]


def rank_standings(
    rows: Iterable[tuple[str, str, Rating, Totals]],
    *,
    divisions: Mapping[str, int] | None = None,
    states: Mapping[str, str] | None = None,
) -> list[Standing]:
    """The ladder of (bot, version, rating, totals): by μ, then by bot id, those with too few games after all others.

    By bot id, `divisions` counts from 1: the ladder then goes division by division, and who is in none comes behind
    them. A bot without one of the `states` plays. Who is disqualified stands last.
    """
    division_of = divisions or {}
    state_of = states or {}
    below = max(division_of.values(), default=0) + 1

    def place(row: tuple[str, str, Rating, Totals]) -> tuple[bool, int, bool, float, str]:
        bot, _, rating, totals = row
        out = state_of.get(bot) == DISQUALIFIED
        return out, division_of.get(bot, 0) or below, totals.games < ENOUGH_GAMES, -rating.mu, bot

    return [
        Standing(
            rank=None if state_of.get(bot) == DISQUALIFIED else number,
            bot=bot,
            version=version,
            mu=rating.mu,
            sigma=rating.sigma,
            provisional=totals.games < ENOUGH_GAMES,
            matches=totals.matches,
            games=totals.games,
            wins=totals.wins,
            win_share=totals.win_share,
            points=totals.mean_points,
            mean_rank=totals.mean_rank,
            faults=totals.faults,
            division=division_of.get(bot, 0),
            state=state_of.get(bot, PLAYS),
        )
        for number, (bot, version, rating, totals) in enumerate(sorted(rows, key=place), start=1)
    ]


def _mean(total: int, count: int) -> float:
    return total / count if count else 0.0
