"""Who finishes before whom: exact small cases, published intervals, and a second way of counting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings.head_to_head import HeadToHead, head_to_head, wilson
from harness.ratings.outcome import MatchRanks, match_ranks
from tests.ratings.tally import pairs
from tests.ratings.test_standings import records


def finish(ranks: str, bots: str = "abcd") -> MatchRanks:
    size = len(ranks.split()[0])
    return MatchRanks("m", 1, "0" * 32, tuple((bot, bot * 64) for bot in bots[:size]), ranks)


def found(*matches: MatchRanks) -> dict[str, tuple[int, int, int, int]]:
    return {p.bot + p.other: (p.games, p.wins, p.ties, p.losses) for p in head_to_head(matches)}


def test_the_better_rank_wins_and_equal_ranks_tie() -> None:
    assert found(finish("123 113 321")) == {
        "ab": (3, 1, 1, 1),
        "ac": (3, 2, 0, 1),
        "bc": (3, 2, 0, 1),
        "ba": (3, 1, 1, 1),
        "ca": (3, 1, 0, 2),
        "cb": (3, 1, 0, 2),
    }


def test_forfeits_count_by_their_ranks() -> None:
    # c forfeits in game 1, b in game 2: behind who is left, level with each other from then on.
    counted = found(finish("12C 1BB"))
    assert counted["bc"] == (2, 1, 1, 0)
    assert counted["ab"] == counted["ac"] == (2, 2, 0, 0)


def test_games_of_every_shared_table_add_up_whoever_sits_first() -> None:
    assert found(finish("123"), finish("1234", "bacd"))["ab"] == (2, 1, 0, 1)


def test_bots_that_shared_no_table_are_no_pair() -> None:
    assert "ad" not in found(finish("123", "abc"), finish("123", "bcd"))


def test_a_tie_is_half_a_win() -> None:
    assert HeadToHead("a", "b", games=8, wins=3, ties=3).share == (3 + 1.5) / 8


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(wins: int, trials: int, low: float, high: float) -> None:
    assert wilson(wins / trials, trials) == pytest.approx((low, high), abs=0.00006)


def test_without_a_trial_anything_may_be() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)


@settings(deadline=None, max_examples=50)
@given(st.lists(records(), max_size=6))
def test_every_pair_is_what_the_records_say_and_both_sides_are_one(played: list[dict[str, Any]]) -> None:
    ready = [{"match": "m", **record} for record in played]
    counted = {(p.bot, p.other): p for p in head_to_head(match_ranks(record) for record in ready)}
    assert {pair: (p.wins, p.ties, p.losses) for pair, p in counted.items()} == pairs(ready)
    for (bot, other), pair in counted.items():
        back = counted[other, bot]
        assert pair.share + back.share == pytest.approx(1)
        assert pair.interval[0] + back.interval[1] == pytest.approx(1)
        assert 0 <= pair.interval[0] <= pair.share <= pair.interval[1] <= 1
