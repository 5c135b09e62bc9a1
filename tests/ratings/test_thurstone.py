"""The maximum of Thurstone's model: against numerical derivatives, another optimiser, and what must hold of it."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from harness.ratings.thurstone import PRIOR_SPREAD, Fit, Model, outcome_logs

NORMAL = NormalDist()


def model(bots: int, *, before: list[float] | None = None, margin: float = 0.04) -> Model:
    pairs = np.array(list(combinations(range(bots), 2)), dtype=np.int64).reshape(-1, 2)
    return Model(pairs[:, 0], pairs[:, 1], np.array(before or [0.0] * bots), margin)


def fit(counts: list[list[int]], bots: int, *, before: list[float] | None = None) -> Fit:
    return model(bots, before=before).fit(np.array(counts, dtype=float).reshape(-1, 3))


def random_counts(bots: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 40, (bots * (bots - 1) // 2, 3)).astype(float)


@given(st.floats(-6, 6), st.floats(1e-4, 3))
def test_the_three_outcomes_have_probabilities_that_add_up_to_one(d: float, margin: float) -> None:
    assert np.exp(outcome_logs(np.array([d]), margin)).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("d", "margin"), [(0.0, 0.04), (1.3, 0.2), (-1.3, 0.2), (9.0, 1e-4), (-25.0, 0.5), (37.0, 2.0)]
)
def test_outcomes_have_the_probabilities_that_sixty_digits_give(d: float, margin: float) -> None:
    with mpmath.workdps(60):
        ahead, behind = mpmath.ncdf(d - mpmath.mpf(margin)), mpmath.ncdf(-d - mpmath.mpf(margin))
        tied = mpmath.ncdf(margin - mpmath.mpf(abs(d))) - mpmath.ncdf(-mpmath.mpf(margin) - abs(d))
        expected = [float(mpmath.log(chance)) for chance in (ahead, behind, tied)]
    assert outcome_logs(np.array([d]), margin).ravel().tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_gradient_and_curvature_are_those_of_small_differences(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one, counts = model(5, before=chance.normal(0, 2, 5).tolist()), random_counts(5, seed)
    at = np.append(chance.normal(0, 1.5, 5), 0.3)
    _, slope, curvature = one.derivatives(at, counts)
    step = 1e-5
    for place in range(6):
        move = np.eye(6)[place] * step
        up, down = one.derivatives(at + move, counts), one.derivatives(at - move, counts)
        assert slope[place] == pytest.approx((up[0] - down[0]) / (2 * step), rel=1e-5, abs=1e-4)
        assert -curvature[place] == pytest.approx((up[1] - down[1]) / (2 * step), rel=1e-5, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_another_optimiser_that_knows_only_the_model_s_text_finds_the_same(seed: int) -> None:
    bots, margin = 4, 0.04
    counts, before = random_counts(bots, seed), [0.5, -1.0, 0.0, 2.0]

    def loss(at: np.ndarray) -> float:
        strengths, tie = at[:-1], math.exp(at[-1])
        total = sum(0.5 * ((s - b) / PRIOR_SPREAD) ** 2 for s, b in zip(strengths, before, strict=True))
        total -= math.log(tie) - tie / margin
        for (i, j), (ahead, behind, tied) in zip(combinations(range(bots), 2), counts, strict=True):
            d = (strengths[i] - strengths[j]) / math.sqrt(2)
            win, lose = NORMAL.cdf(d - tie), NORMAL.cdf(-d - tie)
            for times, chance in ((ahead, win), (behind, lose), (tied, 1 - win - lose)):
                total -= times * math.log(max(chance, 1e-300))
        return float(total)

    found = minimize(
        loss, np.append(before, -1.0), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9, "maxfev": 9999}
    )
    got = model(bots, before=before, margin=margin).fit(counts)
    assert got.strengths.tolist() == pytest.approx(found.x[:-1].tolist(), abs=2e-5)
    assert got.margin == pytest.approx(math.exp(found.x[-1]), abs=2e-5)


def test_of_two_bots_the_difference_is_the_quantile_of_their_shares() -> None:
    # Φ(d − ε) and Φ(−d − ε) are the shares of wins, which two numbers can match; 10⁵ games leave the priors no say.
    won, lost, tied = 60_000, 37_000, 3_000
    got = fit([[won, lost, tied]], 2)
    total = won + lost + tied
    up, down = NORMAL.inv_cdf(won / total), NORMAL.inv_cdf(lost / total)
    assert got.strengths[0] - got.strengths[1] == pytest.approx((up - down) / 2 * math.sqrt(2), abs=1e-4)
    assert got.margin == pytest.approx(-(up + down) / 2, abs=1e-4)


def test_without_matches_strengths_are_those_brought() -> None:
    assert fit([], 1, before=[3.0]).strengths.tolist() == pytest.approx([3.0])
    assert fit([[0, 0, 0]], 2, before=[3.0, -1.0]).strengths.tolist() == pytest.approx([3.0, -1.0])


def test_who_won_everything_has_a_finite_strength_that_grows_with_the_wins() -> None:
    gaps = [fit([[wins, 0, 0]], 2).strengths.tolist() for wins in (1, 10, 100, 10_000)]
    assert [above - below for above, below in gaps] == sorted(above - below for above, below in gaps)
    assert all(0 < above < 4 * PRIOR_SPREAD for above, _ in gaps)
    assert all(above == pytest.approx(-below) for above, below in gaps)


def test_where_all_tie_all_are_equal_and_where_none_tie_the_margin_is_small() -> None:
    tied = fit([[0, 0, 500]] * 3, 3)
    assert tied.strengths.tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    assert tied.margin > 0.3
    assert 0 < fit([[300, 200, 0]] * 3, 3).margin < 0.01


def test_groups_that_never_met_keep_the_level_that_they_brought() -> None:
    # Bots 0 and 1 met, and 2 and 3.
    counts = [[30, 10, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [10, 30, 1]]
    strengths = fit(counts, 4, before=[1.0, 3.0, -4.0, -2.0]).strengths
    assert strengths[:2].mean() == pytest.approx(2)
    assert strengths[2:].mean() == pytest.approx(-3)
    assert strengths[0] > strengths[1] > strengths[3] > strengths[2]


def test_moving_all_that_is_brought_moves_all_strengths() -> None:
    counts = random_counts(4, 9).tolist()
    here, there = fit(counts, 4), fit(counts, 4, before=[7.0] * 4)
    assert there.strengths.tolist() == pytest.approx((here.strengths + 7).tolist())


def test_the_error_of_two_bots_is_that_of_a_share() -> None:
    # The gap's, √(¼ / games) by the slope φ(0) of Φ, in units of √2·β; half of it is each bot's.
    one, counts = model(2), np.array([[5000.0, 5000.0, 0.0]])
    expected = math.sqrt(0.25 / 10_000) / NORMAL.pdf(0) * math.sqrt(2) / 2
    assert one.errors(one.fit(counts), counts).tolist() == pytest.approx([expected] * 2, rel=1e-3)


def test_the_errors_are_the_spread_of_strengths_over_seasons_of_independent_pairs() -> None:
    # The pairs of bots 0 to 2 that meet, 0 and 2 do not.
    one = Model(np.array([0, 1]), np.array([1, 2]), np.zeros(3), 0.04)
    chance, games = np.random.default_rng(1), 400
    shares = np.exp(outcome_logs(np.array([0.5, 0.3]), 0.1)).T
    seasons = [np.array([chance.multinomial(games, share) for share in shares], dtype=float) for _ in range(1000)]
    strengths = np.array([one.fit(counts).strengths for counts in seasons])
    counts = shares * games
    assert one.errors(one.fit(counts), counts).tolist() == pytest.approx(strengths.std(axis=0).tolist(), rel=0.08)


def test_of_a_bot_that_met_nobody_no_more_is_known_than_before() -> None:
    counts = np.array([[30.0, 20.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    one = model(3)
    errors = one.errors(one.fit(counts), counts).tolist()
    assert errors[2] == PRIOR_SPREAD
    assert max(errors[:2]) < 0.3


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_the_counts_and_priors_the_slope_is_level_where_it_ends(data: st.DataObject) -> None:
    bots = data.draw(st.integers(1, 5))
    counts = data.draw(
        st.lists(
            st.tuples(*[st.sampled_from([0, 1, 7, 400, 10**6])] * 3),
            min_size=bots * (bots - 1) // 2,
            max_size=bots * (bots - 1) // 2,
        )
    )
    before = data.draw(st.lists(st.floats(-300, 300), min_size=bots, max_size=bots))
    one = model(bots, before=before, margin=data.draw(st.floats(1e-4, 2)))
    numbers = np.array(counts, dtype=float).reshape(-1, 3)
    got = one.fit(numbers)
    _, slope, curvature = one.derivatives(np.append(got.strengths, got.margin), numbers)
    assert np.abs(np.linalg.solve(curvature, slope)).max() < 1e-6
