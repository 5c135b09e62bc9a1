"""How well strengths will be known, from the number of games alone: the width of an interval before anything is played.

The official table maximises the log-likelihood of all pairs of seats of all games, log Φ((μᵢ − μⱼ) / (√2·β)) where i
came in before j. Pairs of a game are not independent, so that the covariance of the estimate is the sandwich
H⁻¹·V·H⁻¹ of the curvature H and the covariance V of the score (Varin, Reid and Firth, "An overview of composite
likelihood methods", Statistica Sinica 21, 2011). Where all bots are equally strong, with c² = 2·φ(0)² = 1/π:

- A pair adds ±c/β to a bot's score, so a game of s bots adds (c/β)·(s + 1 − 2·rank), of variance (c/β)²·(s² − 1)/3.
- A pair adds (c/β)² to its curvature, since φ(0)²/¼ / (2·β²) = 1/(π·β²), so a game adds (c/β)²·(s − 1).
- Of both matrices a game has a multiple of I − J/s over its bots, so that they come to Σ w and Σ w·(s + 1)/3 times
  the same Laplacian, w being how often each two bots meet at tables of s.

Where all pairs of n bots meet equally often, w = G·(s − 1)/(n − 1) with G games a bot, the covariance is σ²·(I − J/n),

    σ² = π·β²·Σ n·w·(s + 1)/3 / (Σ n·w)²,

which is π·β²·(s + 1)/(3·(s − 1)·G) · (n − 1)/n where there is one size. So a strength less the field's mean has the
variance σ²·(1 − 1/n), less the mean of a anchors, of which it is none, σ²·(1 + 1/a), and the difference of two 2·σ².

In a gauntlet the candidate meets each of the n − 1 others w times, and those meet each other w·(s − 2)/(n − 2) times.
The Laplacian then has two eigenvalues: n·w for the candidate against all others, w·(1 + (n − 1)·(s − 2)/(n − 2)) among
those. With the second in the place of n·w above, τ² for σ², a candidate less the field's mean has variance
σ²·(1 − 1/n), and less the mean of a anchors σ²·n/(n − 1) + τ²·(1/a − 1/(n − 1)); with one of the others it is a = 1.

Ties, what was known before and pairs that meet unevenly are left out; bots of unequal strength are known less well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi, sqrt

from harness.ratings import Z95

__all__ = ["StrengthPlan", "strength_plan"]

Z80 = 0.8416212335729143
"""What a standard normal variable stays below in 80 of 100 cases."""


@dataclass(frozen=True, slots=True)
class StrengthPlan:
    """How well strengths will be known, in points of μ.

    `half_width` is that of the expected 95 % interval of a bot's strength, `gap` the least difference between two bots'
    strengths that a test at 5 % finds in 80 of 100 seasons.
    """

    half_width: float
    gap: float


def strength_plan(
    games: Mapping[int, int], bots: int, beta: float, anchors: int = 0, *, gauntlet: bool = False
) -> StrengthPlan | None:
    """What so many games of a bot by size of table come to in a field of `bots`; None without a game.

    `beta` is the league's, in points of μ. Strengths are measured from the mean of the anchors, or of the field where
    there is none. With `gauntlet` the games are those of the candidate, and the gap is that to one of the others.
    """
    others = bots - 1
    met = {size: count * (size - 1) / others for size, count in games.items()}
    if not any(met.values()):
        return None
    across = _variance({size: bots * times for size, times in met.items()}, beta)
    among = across
    if gauntlet:
        among = _variance({size: times * (1 + others * (size - 2) / (others - 1)) for size, times in met.items()}, beta)
    gap = across * bots / others + among * (1 - 1 / others)
    own = across * bots / others + among * (1 / anchors - 1 / others) if anchors else across * (1 - 1 / bots)
    return StrengthPlan(Z95 * sqrt(own), (Z95 + Z80) * sqrt(gap))


def _variance(eigenvalues: Mapping[int, float], beta: float) -> float:
    """The variance along an eigenvector of the Laplacian, whose eigenvalue is a sum over sizes of table."""
    score = sum(value * (size + 1) / 3 for size, value in eigenvalues.items())
    return pi * beta * beta * score / sum(eigenvalues.values()) ** 2
