"""TrueSkill ratings and standings: pure functions of match records in canonical order."""

from __future__ import annotations

from harness.ratings.ladder import Change, Ladder, carried_over, rate_match
from harness.ratings.outcome import forfeit_games, rated_games
from harness.ratings.rating import Z95, Parameters, Rating
from harness.ratings.standings import ENOUGH_GAMES, Standing, Totals, rank_standings, seat_totals

__all__ = [
    "ENOUGH_GAMES",
    "Z95",
    "Change",
    "Ladder",
    "Parameters",
    "Rating",
    "Standing",
    "Totals",
    "carried_over",
    "forfeit_games",
    "rank_standings",
    "rate_match",
    "rated_games",
    "seat_totals",
]
