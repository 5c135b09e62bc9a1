"""Proposes β and the share of ties of a league's `[rating]` from matches that it has played.

Ratings are worth what they foretell. So matches are rated in order with several β, and before each game the ratings say
how likely the result of each pair is: with c² = σᵢ² + σⱼ² + 2·(β² + τ²) and the margin ε of ties, i finishes before j
with probability Φ((μᵢ − μⱼ − ε) / c). The loss is the mean over all pairs of −log of the probability of what then
happened: the logarithmic score, which on average nothing but the true probabilities makes least (Good 1952). μ, σ₀ and
τ stay as they are. Only ratios matter to TrueSkill, so β alone says how much of a game is luck.

β is sought first, with the measured share of tied pairs, then the draw probability with that β. It is more than the
measured share where bots differ, since it is that of two equals, and unequal ones tie less often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist

from harness.ratings.ladder import Ladder
from harness.ratings.outcome import MatchRanks, rated_games
from harness.ratings.rating import LEAST_DRAW, MOST_DRAW, Parameters, Rating
from harness.ratings.skill import rate_game

__all__ = ["MOST_GAMES", "MOST_REPLAYS", "Tuning", "game_loss", "propose"]

MOST_GAMES = 4000
"""How many rated games are looked at, the first in order: at tables of six that takes about half a minute."""

_GRID = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The β that are tried, in σ₀. Fitted ones lay at .5 to 1 for games of the sample bots, at 3 where luck dominates."""

_DRAWS = (0.5, 1.0, 2.0, 4.0)
"""The draw probabilities that are tried, in measured shares of tied pairs."""

_REFINED = 2
"""How many more are tried, each at the bottom of the parabola, over the logarithm, of the best and its neighbours."""

_NEAR = 0.03
"""Where the next one differs by less than this share from the best, the curve is flat and the search ends."""

MOST_REPLAYS = 1 + len(_GRID) + len(_DRAWS) - 1 + 2 * _REFINED
"""How often the games are replayed, at most."""

_LEAST = 1e-300
"""Stands for probabilities that doubles can't hold, so that no single upset makes a loss infinite."""

_Game = list[tuple[int, int]]
_Matches = list[tuple[MatchRanks, list[_Game]]]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was measured on `games` rated games with `pairs` pairs of seats, and what follows from it.

    `tie_rate` is the share of pairs that tied. Losses are in nats a pair: `loss` is that of the parameters as they
    were, `curve` has (β, loss) by β with the measured share of ties, `draws` has (draw probability, loss) with the
    best β of that, and `proposed` is the best of all.
    """

    games: int
    pairs: int
    tie_rate: float
    loss: float
    curve: tuple[tuple[float, float], ...]
    draws: tuple[tuple[float, float], ...]
    proposed: Parameters
    proposed_loss: float


def propose(
    parameters: Parameters,
    matches: Iterable[MatchRanks],
    *,
    progress: Callable[[int, int], None] | None = None,
    most_games: int = MOST_GAMES,
) -> Tuning:
    """β and draw probability with which ratings foretell these matches best, from the first `most_games` rated games.

    `matches` come in canonical order; the last one taken in is taken whole. All bots start anew, since ratings brought
    from before hold the β that they were made with. A β at the end of the curve means that the best one may lie beyond.
    `progress` is told how many of the replays are done, and of how many at most. `ValueError` if no game was rated.
    """
    games = _first_games(matches, most_games)
    played = [game for _, rated in games for game in rated]
    pairs = sum(math.comb(len(game), 2) for game in played)
    if not pairs:
        raise ValueError("no game of these matches was rated, so nothing can be tuned; play some matches first")
    tie_rate = sum(one == other for game in played for (one, _), (other, _) in combinations(game, 2)) / pairs
    share = _bounded(tie_rate)
    done = 0

    def loss(tried: Parameters) -> float:
        nonlocal done
        found = _loss(tried, games) / pairs
        done += 1
        if progress is not None:
            progress(done, MOST_REPLAYS)
        return found

    current = loss(parameters)
    by_beta = [scale * parameters.sigma for scale in _GRID]
    curve = _searched({}, by_beta, lambda beta: loss(replace(parameters, beta=beta, draw=share)))
    beta = _best(curve)
    by_draw = [_bounded(times * share) for times in _DRAWS]
    draws = _searched({share: curve[beta]}, by_draw, lambda draw: loss(replace(parameters, beta=beta, draw=draw)))
    draw = _best(draws)
    return Tuning(
        games=len(played),
        pairs=pairs,
        tie_rate=tie_rate,
        loss=current,
        curve=tuple(sorted(curve.items())),
        draws=tuple(sorted(draws.items())),
        proposed=replace(parameters, beta=beta, draw=draw),
        proposed_loss=draws[draw],
    )


def _bounded(draw: float) -> float:
    """As a draw probability that a league may have."""
    return min(max(draw, LEAST_DRAW), MOST_DRAW)


def _searched(known: dict[float, float], points: list[float], loss: Callable[[float], float]) -> dict[float, float]:
    """The losses at these points and at the bottoms between them; what is known is not computed again."""
    curve = dict(known)
    for point in points:
        if point not in curve:
            curve[point] = loss(point)
    for _ in range(_REFINED):
        bottom = _bottom(curve)
        if bottom is None:
            break
        curve[bottom] = loss(bottom)
    return curve


def _best(curve: dict[float, float]) -> float:
    return min(curve, key=lambda point: (curve[point], point))


def _first_games(matches: Iterable[MatchRanks], most: int) -> _Matches:
    found: _Matches = []
    count = 0
    for match in matches:
        if count >= most:
            break
        rated = rated_games(match)
        found.append((match, rated))
        count += len(rated)
    return found


def _loss(parameters: Parameters, matches: _Matches) -> float:
    """The sum over all pairs, each foretold before its game is rated."""
    ladder = Ladder(parameters)
    total = 0.0
    for match, games in matches:
        before = ladder.brought(match)
        now = [before[bot] for bot, _ in match.seats]
        for game in games:
            ranks, ratings = [rank for rank, _ in game], [now[seat] for _, seat in game]
            total += game_loss(parameters, ratings, ranks)
            for (_, seat), rating in zip(game, rate_game(parameters, ratings, ranks), strict=True):
                now[seat] = rating
        ladder.ratings.update((bot, rating) for (bot, _), rating in zip(match.seats, now, strict=True))
        ladder.versions.update(match.seats)
    return total


def game_loss(parameters: Parameters, ratings: list[Rating], ranks: list[int]) -> float:
    """The sum of −log of the foretold probability of each pair's result; `ranks` don't decrease."""
    margin = NormalDist().inv_cdf((1 + parameters.draw) / 2) * math.sqrt(2) * parameters.beta
    noise = 2 * (parameters.beta**2 + parameters.tau**2)
    total = 0.0
    for (one, rank), (other, other_rank) in combinations(zip(ratings, ranks, strict=True), 2):
        # Φ(x) = erfc(−x / √2) / 2
        scale = math.sqrt(2 * (one.sigma**2 + other.sigma**2 + noise))
        if rank < other_rank:
            chance = math.erfc((other.mu - one.mu + margin) / scale) / 2
        else:
            # On the far side, where the two don't cancel.
            gap = abs(one.mu - other.mu)
            chance = (math.erfc((gap - margin) / scale) - math.erfc((gap + margin) / scale)) / 2
        total -= math.log(max(chance, _LEAST))
    return total


def _bottom(curve: dict[float, float]) -> float | None:
    """Where the parabola through the least point and its neighbours is least; None at an end, or if it's that point."""
    points = sorted(curve)
    place = min(range(len(points)), key=lambda index: curve[points[index]])
    if place in (0, len(points) - 1):
        return None
    left, middle, right = (math.log(point) for point in points[place - 1 : place + 2])
    by_left, by_middle, by_right = (curve[point] for point in points[place - 1 : place + 2])
    to_left, to_right = (middle - left) * (by_right - by_middle), (right - middle) * (by_left - by_middle)
    if to_left + to_right <= 0:
        return None
    shift = ((right - middle) * to_right - (middle - left) * to_left) / (2 * (to_left + to_right))
    return None if abs(shift) < _NEAR else math.exp(middle + shift)
