"""The study of the official table: seasons made as it says, and its figures come out."""

from __future__ import annotations

import itertools
import random

import pytest
from scipy.stats import kendalltau

from benchmarks import season_table
from benchmarks.made_season import bot_name, drawn_strengths, made_season


def test_three_percent_of_pairs_tie() -> None:
    matches = made_season(drawn_strengths(50, 1), 1500, 1)
    pairs = [(one, other) for match in matches for n, one in enumerate(match.ranks) for other in match.ranks[:n]]
    assert sum(one == other for one, other in pairs) / len(pairs) == pytest.approx(0.03, abs=0.004)


def test_a_table_is_of_bots_that_differ_and_the_stronger_finish_before_the_weaker() -> None:
    strengths = [3.0, 2.0, 1.0, 0.0, -1.0, -2.0, -3.0]
    matches = made_season(strengths, 400, 1, seats=3)
    assert all(len(set(match.seats)) == 3 for match in matches)
    ranks = {bot_name(bot): [0, 0] for bot in range(7)}
    for match in matches:
        for (bot, _), letter in zip(match.seats, match.ranks, strict=True):
            ranks[bot] = [ranks[bot][0] + int(letter), ranks[bot][1] + 1]
    means = [total / count for total, count in ranks.values()]
    assert means == sorted(means)


def test_kendall_s_tau_is_scipy_s() -> None:
    chance = random.Random(5)
    one, other = ([chance.random() for _ in range(30)] for _ in range(2))
    assert season_table.kendall(one, other) == pytest.approx(kendalltau(one, other).statistic)


def test_each_side_of_the_costs_is_the_work_that_it_says() -> None:
    # A clock that counts what it is asked for: two readings a piece of work, so each takes one.
    ticks = itertools.count()
    cost = season_table.cost(matches=60, blocks=3, clock=lambda: float(next(ticks)))
    assert (cost.table_s, cost.fit_s) == (1.0, 1.0)
    again = season_table.replay(3, matches=40, blocks=3, clock=lambda: float(next(ticks)))
    assert again.ratio == 1.0


def test_live_ratings_come_near_to_the_truth_as_well() -> None:
    [(league, _)] = season_table.live_qualities(1, 300)
    assert league > 0.3
