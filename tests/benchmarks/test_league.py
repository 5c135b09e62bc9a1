"""The league's benchmark: what a run spent is told in full."""

from __future__ import annotations

import sys

import pytest

from benchmarks import league, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times from /proc")


def test_the_parts_of_a_run_add_up_to_what_it_spent() -> None:
    cost = league.measure(games=2, rounds=1, blocks=1, tables=1, bots=4, long=3)
    assert (cost.games, cost.matches) == (2, 4)
    assert sum(cost.parts.values()) == pytest.approx(cost.spent_us)
    assert cost.share == pytest.approx(cost.per_s / cost.ceiling_per_s)
    assert min(cost.parts["bare pipes"], cost.parts["start and end of matches"], cost.parts["ratings"]) > 0


def test_the_parts_of_a_start_add_up_to_a_match_of_one_game() -> None:
    cost = start.measure(blocks=1, long=2)
    assert sum(cost.parts.values()) == pytest.approx(cost.whole_us)
    assert cost.parts["fork, exec and end of four programs"] > 0
