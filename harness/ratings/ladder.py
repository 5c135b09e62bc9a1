"""Ratings after a match, and the ladder that follows records one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.ratings.outcome import MatchRanks, rated_games
from harness.ratings.rating import Parameters, Rating
from harness.ratings.skill import rate_game

__all__ = ["Change", "Ladder", "carried_over", "rate_match"]

_MOVED_UNCHANGED = 0.1
"""How far a bot whose bytes are the same may have moved against its field from one season to the next, in units of σ₀.

σ₀ is the starting σ. This and the next were measured on synthetic leagues, in which .1 fitted bots that stayed as they
were and .3 to .5 those that changed.
"""

_MOVED_CHANGED = 0.4
"""How far a changed program may have moved, in units of σ₀."""


def rate_match(parameters: Parameters, ratings: Mapping[str, Rating], match: MatchRanks) -> dict[str, Rating]:
    """The ratings, by bot id, of all at the table after all games of the match, in order.

    `ratings` are those before it; a bot without one starts at the league's. `ValueError` if a bot sits twice.
    """
    bots = [bot for bot, _ in match.seats]
    if len(set(bots)) != len(bots):
        raise ValueError("a bot sits twice at this table, so its match can't be rated")
    now = [ratings.get(bot, parameters.start) for bot in bots]
    for finish in rated_games(match):
        after = rate_game(parameters, [now[seat] for _, seat in finish], [rank for rank, _ in finish])
        for (_, seat), rating in zip(finish, after, strict=True):
            now[seat] = rating
    return dict(zip(bots, now, strict=True))


def carried_over(parameters: Parameters, rating: Rating, *, changed: bool) -> Rating:
    """The rating with which a bot goes on in the next season or, `changed`, with other bytes.

    μ stays. σ² grows by (d·σ₀)², the variance of a move of d starting σ, to at most σ₀².
    """
    wider = math.hypot(rating.sigma, (_MOVED_CHANGED if changed else _MOVED_UNCHANGED) * parameters.sigma)
    return Rating(rating.mu, max(rating.sigma, min(wider, parameters.sigma)))


@dataclass(frozen=True, slots=True)
class Change:
    """What a match did to the rating of one seat; `before` is already widened where the version is new."""

    bot: str
    version: str
    before: Rating
    after: Rating


@dataclass(slots=True)
class Ladder:
    """The ratings of a season as its matches are applied in canonical order: a pure function of them."""

    parameters: Parameters
    ratings: dict[str, Rating] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    """The version that each bot was last rated with."""

    def brought(self, match: MatchRanks) -> dict[str, Rating]:
        """The ratings, by bot, with which the match's seats go into it: wider where a version is new."""
        found: dict[str, Rating] = {}
        for bot, version in match.seats:
            rating = self.ratings.get(bot)
            if rating is None:
                rating = self.parameters.start
            elif self.versions.get(bot, version) != version:
                rating = carried_over(self.parameters, rating, changed=True)
            found[bot] = rating
        return found

    def apply(self, match: MatchRanks) -> list[Change]:
        """Take the next match in; one change a seat, in the order of seats."""
        before = self.brought(match)
        after = rate_match(self.parameters, before, match)
        self.ratings.update(after)
        self.versions.update(match.seats)
        return [Change(bot, version, before[bot], after[bot]) for bot, version in match.seats]
