"""Standings: what every game of the records adds up to, and the order of the ladder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.ratings.outcome import forfeit_games
from harness.ratings.rating import Rating

__all__ = ["ENOUGH_GAMES", "WHOLE_WIN", "Standing", "Totals", "rank_standings", "seat_totals"]

ENOUGH_GAMES = 30
"""A bot with fewer games is provisional."""

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


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the ladder: `wins` is the sum of win shares, `points` and `mean_rank` are means over games."""

    rank: int
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


def rank_standings(rows: Iterable[tuple[str, str, Rating, Totals]]) -> list[Standing]:
    """The ladder of (bot, version, rating, totals): by μ, then by bot id, those with too few games after all others."""
    ordered = sorted(rows, key=lambda row: (row[3].games < ENOUGH_GAMES, -row[2].mu, row[0]))
    return [
        Standing(
            rank=place,
            bot=bot,
            version=version,
            mu=rating.mu,
            sigma=rating.sigma,
            provisional=totals.games < ENOUGH_GAMES,
            matches=totals.matches,
            games=totals.games,
            wins=totals.wins,
            win_share=_mean(totals.win_parts, totals.games * WHOLE_WIN),
            points=_mean(totals.points, totals.games),
            mean_rank=_mean(totals.ranks, totals.games),
            faults=totals.faults,
        )
        for place, (bot, version, rating, totals) in enumerate(ordered, start=1)
    ]


def _mean(total: int, count: int) -> float:
    return total / count if count else 0.0
