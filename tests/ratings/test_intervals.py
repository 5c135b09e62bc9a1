"""Intervals of ranks: they hold what they should, and say so where little is known."""

from __future__ import annotations

import numpy as np
import pytest

from harness.ratings.intervals import rank_bounds, widths

DRAWS = 400


def bounds(strengths: list[float], errors: list[float], *, seed: int = 1) -> list[tuple[int, int]]:
    """Of a field in which each bot's error is normal and independent, with that standard deviation."""
    chance = np.random.default_rng(seed)
    drawn = chance.normal(size=(DRAWS, len(strengths))) * errors
    noise = chance.normal(size=drawn.shape)
    return rank_bounds(np.array(strengths), drawn, np.full(len(strengths), 1e-9), noise)


def test_bots_far_apart_have_one_rank_each() -> None:
    assert bounds([3.0, 1.0, 2.0], [0.01] * 3) == [(1, 1), (3, 3), (2, 2)]


def test_bots_of_which_nothing_is_known_may_have_any_rank() -> None:
    assert bounds([0.0] * 6, [1.0] * 6) == [(1, 6)] * 6
    # Their estimates differ by less than their errors, so they tell nothing either.
    assert bounds([0.3, 0.2, 0.1, 0.0, -0.1, -0.2], [1.0] * 6) == [(1, 6)] * 6


def test_a_lone_bot_is_first() -> None:
    assert bounds([1.0], [0.2]) == [(1, 1)]


def test_one_bot_that_is_hardly_known_leaves_the_ranks_of_the_others_nearly_as_they_were() -> None:
    *others, unknown = bounds([4.0, 3.0, 2.0, 1.0, 20.0], [0.05] * 4 + [15.0])
    assert unknown[1] - unknown[0] == 4
    assert [high - low for low, high in others] == [1] * 4


def test_draws_that_do_not_differ_are_widened_to_what_the_curvature_has() -> None:
    least = np.array([0.5, 0.5])
    assert widths(np.zeros((DRAWS, 2)), least).tolist() == [0.5, 0.5]
    noise = np.random.default_rng(2).normal(size=(DRAWS, 2))
    assert rank_bounds(np.array([0.1, 0.0]), np.zeros((DRAWS, 2)), least, noise) == [(1, 2), (1, 2)]


def test_an_error_of_the_draws_that_is_larger_stands() -> None:
    errors = np.array([[3.0, 0.0], [-3.0, 4.0]])
    assert widths(errors, np.array([1.0, 1.0])).tolist() == pytest.approx([3.0, 8**0.5])


@pytest.mark.parametrize("error", [0.3, 0.5, 1.5])
def test_ninety_five_percent_of_the_intervals_hold_the_true_rank(error: float) -> None:
    chance = np.random.default_rng(6)
    held = []
    for seed in range(40):
        truth = chance.normal(size=25)
        ranks = np.argsort(np.argsort(-truth)) + 1
        found = bounds((truth + error * chance.normal(size=25)).tolist(), [error] * 25, seed=seed)
        held += [low <= rank <= high for rank, (low, high) in zip(ranks, found, strict=True)]
    # 1,000 intervals, those of one field not independent.
    assert 0.93 <= np.mean(held) <= 0.97
