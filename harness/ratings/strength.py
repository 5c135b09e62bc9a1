"""A line of the official table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Strength"]


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a version proved over the matches of a season, in points of μ, whatever their order.

    `low` and `high` bound its 95 % interval. `rank` is its place among those that are ranked, 1 the best, and
    `rank_low` to `rank_high` the 95 % interval of that place; all three are None for a version that is not ranked: one
    with too few games, or one that its bot no longer plays with. `division` counts from 1, 0 where there is none.
    """

    bot: str
    version: str
    division: int
    games: int
    strength: float
    low: float
    high: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None
