"""The official table of a season: what its matches prove of each version's strength, whatever their order.

Strengths are those of `harness.ratings.thurstone`, their errors those of a bootstrap over matches, since the pairs of
one match are not independent of each other. How intervals are made was chosen by how often they hold the truth in
leagues whose truth is known (`benchmarks/season_table.py`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from harness.ratings.bootstrap import match_weights, normal_draws
from harness.ratings.intervals import rank_bounds, widths
from harness.ratings.outcome import MatchRanks
from harness.ratings.pairs import Pairs, count_pairs
from harness.ratings.rating import Z95, Parameters, Rating
from harness.ratings.standings import ENOUGH_GAMES
from harness.ratings.strength import Strength
from harness.ratings.thurstone import Model

__all__ = ["official_table", "season_model"]

_DIGITS = 7
"""Decimals of a strength in points; where β is below 1, one more for each power of ten that it is less.

Far coarser than what the order moves in which a library of linear algebra adds, far finer than any interval.
"""


def official_table(
    parameters: Parameters,
    matches: Iterable[MatchRanks],
    *,
    ranked: Mapping[str, str],
    divisions: Mapping[str, int] | None = None,
    starts: Mapping[str, Rating] | None = None,
    anchors: Collection[str] = (),
    bootstraps: int = 200,
) -> list[Strength]:
    """A line for each (bot, version) that sat in a match, in table order; the same in any order of matches.

    `ranked` names the version of each bot that is ranked if it has played enough rated games, `divisions` each bot's
    division from 1 on, `starts` the ratings brought into the season. The whole table is shifted so that the ranked
    versions of `anchors` that played have the mean μ of `parameters`; where none did, what the bots brought sets its
    level. First come those that are ranked, by division (those in none last), strength and bot; then all others, by
    strength, bot and version. Raises `ValueError` if `bootstraps`, how many draws are behind the intervals, is below 1.
    """
    if bootstraps < 1:
        raise ValueError(f"bootstraps: {bootstraps} must be 1 or more; 200 give steady intervals")
    pairs = count_pairs(matches)
    if not pairs.matches:
        return []
    model = season_model(parameters, pairs, starts or {})
    counts = pairs.counts()
    fit = model.fit(counts)
    least = model.errors(fit, counts)
    strengths = fit.strengths
    errors = np.array(
        [model.fit(pairs.counts(weights), fit).strengths for weights in match_weights(pairs.matches, bootstraps)]
    )
    errors -= strengths
    held = [
        place for place, (bot, version) in enumerate(pairs.entrants) if bot in anchors and ranked.get(bot) == version
    ]
    if held:
        strengths = strengths - strengths[held].mean() + parameters.mu / parameters.beta
        errors -= errors[:, held].mean(axis=1, keepdims=True)
    points = _in_points(parameters, strengths)
    lows, highs = (_in_points(parameters, strengths + side * Z95 * widths(errors, least)) for side in (-1, 1))
    noise = normal_draws(pairs.matches, bootstraps, len(pairs.entrants))
    ranks: dict[int, tuple[int, int, int]] = {}
    for group in _divided(pairs, points, ranked, divisions or {}):
        bounds = rank_bounds(strengths[group], errors[:, group], least[group], noise[:, group])
        above = len(ranks)
        for rank, (place, (low, high)) in enumerate(zip(group, bounds, strict=True), start=1):
            ranks[place] = (above + rank, above + min(low, rank), above + max(high, rank))
    others = sorted(set(range(len(points))) - set(ranks), key=lambda place: (-points[place], place))
    return [
        _line(pairs, place, divisions or {}, (points[place], lows[place], highs[place]), ranks.get(place))
        for place in [*ranks, *others]
    ]


def season_model(parameters: Parameters, pairs: Pairs, starts: Mapping[str, Rating]) -> Model:
    """What is believed of the entrants before the season's matches: the mean that each brings."""
    before = [starts[bot].mu if bot in starts else parameters.mu for bot, _ in pairs.entrants]
    margin = NormalDist().inv_cdf((1 + parameters.draw) / 2)
    return Model(pairs.first, pairs.second, np.array(before) / parameters.beta, margin)


def _divided(
    pairs: Pairs, points: Sequence[float], ranked: Mapping[str, str], divisions: Mapping[str, int]
) -> list[list[int]]:
    """The places, among the entrants, of those that are ranked, in table order, a list for each division."""

    def division(place: int) -> float:
        return divisions.get(pairs.entrants[place][0], 0) or math.inf

    placed = [
        place
        for place, (bot, version) in enumerate(pairs.entrants)
        if ranked.get(bot) == version and pairs.rated[place] >= ENOUGH_GAMES
    ]
    placed.sort(key=lambda place: (division(place), -points[place], place))
    return [list(group) for _, group in groupby(placed, key=division)]


def _line(
    pairs: Pairs,
    place: int,
    divisions: Mapping[str, int],
    strength: tuple[float, float, float],
    ranks: tuple[int, int, int] | None,
) -> Strength:
    bot, version = pairs.entrants[place]
    points, low, high = strength
    rank, rank_low, rank_high = ranks or (None, None, None)
    return Strength(
        bot=bot,
        version=version,
        division=divisions.get(bot, 0),
        games=pairs.games[place],
        strength=points,
        low=low,
        high=high,
        rank=rank,
        rank_low=rank_low,
        rank_high=rank_high,
    )


def _in_points(parameters: Parameters, strengths: NDArray[np.float64]) -> list[float]:
    digits = _DIGITS - min(0, math.floor(math.log10(parameters.beta)))
    return [round(float(strength) * parameters.beta, digits) + 0.0 for strength in strengths]
