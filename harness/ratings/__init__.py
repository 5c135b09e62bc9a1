"""Ratings, the official table and standings: pure functions of the records that count."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from harness.ratings.breakdown import VIEWS, Breakdown, Key, SeatSums, TableSums, View, breakdown
from harness.ratings.head_to_head import HeadToHead, head_to_head, wilson
from harness.ratings.ladder import Change, Ladder, carried_over, rate_match
from harness.ratings.outcome import RANK_LETTERS, MatchRanks, forfeit_games, match_ranks, rated_games
from harness.ratings.platform import platform_name
from harness.ratings.rating import Z95, Parameters, Rating
from harness.ratings.standings import (
    DISQUALIFIED,
    ENOUGH_GAMES,
    PLAYS,
    WHOLE_WIN,
    Standing,
    Totals,
    rank_standings,
    seat_totals,
)
from harness.ratings.strength import Strength
from harness.ratings.tuning import MOST_GAMES, MOST_REPLAYS, Tuning, propose

if TYPE_CHECKING:
    from harness.ratings.official import official_table

__all__ = [
    "DISQUALIFIED",
    "ENOUGH_GAMES",
    "MOST_GAMES",
    "MOST_REPLAYS",
    "PLAYS",
    "RANK_LETTERS",
    "VIEWS",
    "WHOLE_WIN",
    "Z95",
    "Breakdown",
    "Change",
    "HeadToHead",
    "Key",
    "Ladder",
    "MatchRanks",
    "Parameters",
    "Rating",
    "SeatSums",
    "Standing",
    "Strength",
    "TableSums",
    "Totals",
    "Tuning",
    "View",
    "breakdown",
    "carried_over",
    "forfeit_games",
    "head_to_head",
    "match_ranks",
    "official_table",
    "platform_name",
    "propose",
    "rank_standings",
    "rate_match",
    "rated_games",
    "seat_totals",
    "wilson",
]

if not TYPE_CHECKING:  # else every name would be right

    def __getattr__(name: str) -> Any:
        # Not before it is asked for: it needs numpy and scipy, which cost more than the rest of a command's start-up.
        if name == "official_table":
            return import_module(f"{__name__}.official").official_table
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
