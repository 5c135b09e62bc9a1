"""How well strengths will be known: the closed form against matrices of whole seasons, and against seasons played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import erfc, exp, pi, sqrt
from statistics import fmean

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.league.entrant import Entrant
from harness.league.formats import format_named, new_field
from harness.league.precision import strength_plan
from harness.ratings import Rating

SEED = "000102030405060708090a0b0c0d0e0f"
BETA = 8.0

Floats = NDArray[np.float64]


def tables_of(format_: str, n: int, sizes: Sequence[int], rounds: int) -> list[list[int]]:
    """The tables of a season of bots 0, 1, …; bot 0 is the candidate of a gauntlet."""
    field = new_field([Entrant(f"b{i:02}", None) for i in range(n)], Rating(25, 8))
    pairing = format_named(format_)
    return [
        [int(bot[1:]) for bot in table]
        for round_ in range(1, rounds + 1)
        for table in pairing.tables(field, round_, sizes, SEED, {"bot": "b00"})
    ]


def sandwich(n: int, tables: Sequence[Sequence[int]]) -> Floats:
    """Covariance of the strengths less their mean, a game a table: by the matrices themselves."""
    curvature, score = np.zeros((n, n)), np.zeros((n, n))
    for table in tables:
        s = len(table)
        ranks = np.arange(1, s + 1)
        variance = np.mean((s + 1 - 2 * ranks) ** 2)
        for a in table:
            for b in table:
                curvature[a, b] += (s if a == b else 0) - 1
                score[a, b] += variance if a == b else -variance / (s - 1)
    inverse = np.linalg.pinv(curvature)
    found: Floats = pi * BETA**2 * inverse @ score @ inverse
    return found


@pytest.mark.parametrize(
    ("format_", "n", "sizes", "rounds"),
    [
        ("round-robin", 7, (3,), 3),
        ("round-robin", 13, (4,), 2),
        ("round-robin", 7, (3, 4, 5), 9),
        ("gauntlet", 8, (4,), 5),
        ("gauntlet", 8, (3, 4), 30),
    ],
)
def test_where_all_meet_equally_often_the_closed_form_is_that_of_the_whole_matrices(
    format_: str, n: int, sizes: Sequence[int], rounds: int
) -> None:
    tables = tables_of(format_, n, sizes, rounds)
    covariance = sandwich(n, tables)
    games = Counter(len(table) for table in tables if 0 in table)
    found = strength_plan(games, n, BETA, gauntlet=format_ == "gauntlet")
    assert found is not None
    assert found.half_width == pytest.approx(1.959964 * sqrt(covariance[0, 0]), rel=1e-6)
    apart = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert found.gap == pytest.approx((1.959964 + 0.841621) * sqrt(apart), rel=1e-6)
    anchored = strength_plan(games, n, BETA, anchors=2, gauntlet=format_ == "gauntlet")
    assert anchored is not None
    less = np.zeros(n)
    less[0], less[1:3] = 1, -1 / 2
    assert anchored.half_width == pytest.approx(1.959964 * sqrt(less @ covariance @ less), rel=1e-6)


def test_two_bots_that_meet_at_tables_of_two_have_the_error_of_a_probit() -> None:
    # Var(Φ⁻¹(wins / G)) = ¼ / G / φ(0)² = π / (2·G); times √2·β it is the difference, half of that is a strength.
    found = strength_plan({2: 400}, 2, BETA)
    assert found is not None
    assert found.half_width == pytest.approx(1.959964 * BETA * sqrt(2 * pi / 800) / 2, rel=1e-6)


def test_ten_times_the_games_divide_the_width_by_the_root_of_ten_and_none_have_no_width() -> None:
    few, many = strength_plan({3: 30, 5: 40}, 9, BETA), strength_plan({3: 300, 5: 400}, 9, BETA)
    assert few is not None
    assert many is not None
    assert few.half_width / many.half_width == pytest.approx(sqrt(10))
    assert few.gap / many.gap == pytest.approx(sqrt(10))
    assert strength_plan({4: 0}, 9, BETA) is strength_plan({}, 9, BETA) is None


def wins_of(tables: Sequence[Sequence[int]], strengths: Floats, draw: np.random.Generator) -> Floats:
    """How often each bot came in before each other, a game a table of bots that perform by a normal law."""
    wins = np.zeros((len(strengths), len(strengths)))
    for table in tables:
        performed = strengths[list(table)] + BETA * draw.standard_normal(len(table))
        order = [table[i] for i in np.argsort(-performed)]
        for ahead, behind in combinations(order, 2):
            wins[ahead, behind] += 1
    return wins


def estimate(wins: Floats) -> Floats:
    """Strengths of the highest likelihood of all pairs, with mean 0, by Newton's method."""
    n = len(wins)
    mills: Callable[[Floats], Floats] = np.vectorize(
        lambda x: exp(-x * x / 2) / sqrt(2 * pi) / (erfc(-x / sqrt(2)) / 2), otypes=[float]
    )
    theta = np.zeros(n)
    for _ in range(6):
        x = (theta[:, None] - theta[None, :]) / (sqrt(2) * BETA)
        ratio = mills(x)
        slope = wins * ratio
        bend = wins * ratio * (ratio + x)
        gradient = (slope.sum(axis=1) - slope.sum(axis=0)) / (sqrt(2) * BETA)
        both = (bend + bend.T) / (2 * BETA**2)
        hessian = np.diag(both.sum(axis=1)) - both + np.ones((n, n)) / n
        theta = theta + np.linalg.solve(hessian, gradient)
    found: Floats = theta - theta.mean()
    return found


def test_seasons_that_are_played_spread_as_far_as_was_planned() -> None:
    draw = np.random.default_rng(5)
    tables = tables_of("round-robin", 7, (4, 3), 6) * 2
    games = Counter(len(table) for table in tables if 0 in table)
    found = strength_plan(games, 7, BETA)
    assert found is not None
    equal = [estimate(wins_of(tables, np.zeros(7), draw)) for _ in range(300)]
    spread = sqrt(fmean(float(np.mean(strengths**2)) for strengths in equal))
    # 300 seasons tell a standard deviation to about 2 %.
    assert 1.959964 * spread == pytest.approx(found.half_width, rel=0.08)
    # A gap as planned, tested at 5 % with the spread as planned, is found in four seasons of five.
    apart = np.array([found.gap / 2, -found.gap / 2, 0, 0, 0, 0, 0])
    error = found.gap / (1.959964 + 0.841621)
    seasons = [estimate(wins_of(tables, apart, draw)) for _ in range(300)]
    assert fmean(abs(strengths[0] - strengths[1]) > 1.959964 * error for strengths in seasons) == pytest.approx(
        0.8, abs=0.08
    )
