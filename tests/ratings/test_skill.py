"""TrueSkill's update against published values and against figures computed to 60 digits."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings import Parameters, Rating
from harness.ratings.skill import rate_game

PUBLISHED = Parameters(mu=25, sigma=25 / 3, beta=25 / 6, tau=25 / 300, draw=0.10)
NEW = PUBLISHED.start


def rounded(ratings: list[Rating], digits: int = 3) -> list[tuple[float, float]]:
    return [(round(r.mu, digits), round(r.sigma, digits)) for r in ratings]


def test_a_three_way_draw_has_the_published_widths() -> None:
    ratings = rate_game(PUBLISHED, [NEW] * 3, [1, 1, 1])
    assert [r.sigma for r in ratings] == pytest.approx([5.698, 5.695, 5.698], abs=1e-3)
    assert [r.mu for r in ratings] == pytest.approx([25, 25, 25], abs=1e-3)


def test_an_eight_way_draw_has_the_published_widths() -> None:
    sigmas = [r.sigma for r in rate_game(PUBLISHED, [NEW] * 8, [1] * 8)]
    assert min(sigmas) == pytest.approx(4.573, abs=1e-3)
    assert max(sigmas) == pytest.approx(4.592, abs=1e-3)


def test_two_who_beat_each_other_once() -> None:
    a, b = rate_game(PUBLISHED, [NEW, NEW], [1, 2])
    b, a = rate_game(PUBLISHED, [b, a], [1, 2])
    assert round(a.mu, 2) == 23.36
    assert round(b.mu, 2) == 26.64


# Microsoft's published figures for single players, one after the other and nobody tied.
@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (2, [(29.396, 7.171), (20.604, 7.171)]),
        (3, [(31.675, 6.656), (25.000, 6.208), (18.325, 6.656)]),
        (4, [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
    ],
)
def test_published_rankings_without_ties(n: int, expected: list[tuple[float, float]]) -> None:
    got = rate_game(PUBLISHED, [NEW] * n, list(range(1, n + 1)))
    for rating, (mu, sigma) in zip(got, expected, strict=True):
        assert rating.mu == pytest.approx(mu, abs=2e-3)
        assert rating.sigma == pytest.approx(sigma, abs=2e-3)


# The package's tracker has the first as the case that ends in FloatingPointError; figures to 60 digits.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([(-323.263, 2.965), (-48.441, 2.190)], [(-273.060, 2.683), (-75.848, 2.080)]),
        ([(150.0, 1.0), (-100.0, 1.0)], [(150.0, 1.0035), (-100.0, 1.0035)]),
    ],
    ids=["upset across a huge gap", "favourite by a huge gap"],
)
def test_what_doubles_refuse_is_computed_with_sixty_digits(
    before: list[tuple[float, float]], after: list[tuple[float, float]]
) -> None:
    got = rate_game(PUBLISHED, [Rating(*r) for r in before], [1, 2])
    for rating, (mu, sigma) in zip(got, after, strict=True):
        assert rating.mu == pytest.approx(mu, abs=6e-4)
        assert rating.sigma == pytest.approx(sigma, abs=6e-4)


def test_a_tie_across_a_huge_gap_is_not_left_to_doubles_that_are_wrong_without_an_error() -> None:
    # Doubles alone give (-64.766, 6.243) and (58.898, 3.800) here; the figures are from 60 digits.
    parameters = Parameters(beta=25 / 6, draw=1e-4)
    got = rate_game(parameters, [Rating(-292.55035991785104, 8), Rating(115.84418160725761, 4)], [1, 1])
    assert rounded(got) == [(-64.720, 5.319), (58.886, 3.711)]


def test_place_in_a_tie_matters_to_trueskill() -> None:
    got = rate_game(PUBLISHED, [NEW] * 5, [1, 2, 2, 2, 2])
    assert [r.mu for r in got[1:]] == pytest.approx([23.585, 23.593, 23.599, 23.602], abs=6e-4)


def test_the_package_with_no_ties_expected_widens_equals_who_tie_and_the_least_share_of_ties_does_not() -> None:
    # Why a league's share of ties has a least value: from 8.333 to 9.588, without a word.
    environment = trueskill.TrueSkill(draw_probability=0)
    new = environment.create_rating()
    assert round(environment.rate([(new,), (new,)], ranks=[1, 1])[0][0].sigma, 3) == 9.588
    least = Parameters(mu=25, sigma=25 / 3, beta=25 / 6, tau=25 / 300, draw=1e-4)
    assert all(rating.sigma < 25 / 3 for rating in rate_game(least, [NEW, NEW], [1, 1]))


@pytest.mark.parametrize(("backend", "within"), [("scipy", 1e-11), ("mpmath", 1e-11), (None, 1e-4)])
def test_ratings_are_those_of_the_package_s_exact_backends_and_near_those_of_its_own(
    backend: str | None, within: float
) -> None:
    # One backend for all: the package's default is an approximation, whose digits part from the others' with each game.
    parameters = Parameters()
    environment = trueskill.TrueSkill(
        parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw, backend=backend
    )
    chance = random.Random(1)
    ours = dict.fromkeys("abcdef", parameters.start)
    theirs = {bot: environment.create_rating() for bot in "abcdef"}
    for _ in range(20):
        table = chance.sample("abcdef", 4)
        ranks = sorted(chance.choice([1, 2, 3, 4]) for _ in table)
        ours.update(zip(table, rate_game(parameters, [ours[bot] for bot in table], ranks), strict=True))
        rated = environment.rate([(theirs[bot],) for bot in table], ranks=ranks)
        theirs.update((bot, group[0]) for bot, group in zip(table, rated, strict=True))
    off = max(
        abs(float(getattr(theirs[bot], name)) - getattr(ours[bot], name)) for bot in ours for name in ("mu", "sigma")
    )
    assert off < within
    assert backend is not None or off > 1e-9


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-400, 400), st.floats(0.05, 9), st.integers(1, 4)),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([1e-4, 0.03, 0.3]),
)
def test_any_finite_ratings_give_finite_ratings(table: list[tuple[float, float, int]], draw: float) -> None:
    table = sorted(table, key=lambda seat: seat[2])
    parameters = Parameters(draw=draw)
    for rating in rate_game(parameters, [Rating(mu, s) for mu, s, _ in table], [rank for _, _, rank in table]):
        assert abs(rating.mu) < 1e4
        assert 0 < rating.sigma < 30


def test_the_package_is_imported_without_a_warning_where_warnings_are_errors(tmp_path: Path) -> None:
    # Only the compiler complains, so the import must not find what an earlier one compiled.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", "import harness.ratings.skill"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
