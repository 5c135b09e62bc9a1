"""Results in parts: which part a match is of, and that the parts of a bot are its whole."""

from __future__ import annotations

from dataclasses import astuple
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings import Rating, Totals, seat_totals
from harness.ratings.breakdown import VIEWS, Key, SeatSums, TableSums, View, breakdown
from tests.ratings.tally import tally
from tests.ratings.test_standings import records

WON, LOST = Totals(1, 2, 840, 20, 3, 0), Totals(1, 2, 420, 9, 5, 1)


def table(bots: str, round_: int = 1, mu: float = 25.0) -> TableSums:
    """The first of the bots wins."""
    return TableSums(
        round_, tuple(SeatSums(bot, LOST if place else WON, Rating(mu + place, 2)) for place, bot in enumerate(bots))
    )


TABLES = [table("abc"), table("bacd", 2), table("abd", 2, 30.0), table("dab", 3, 31.0)]
DIVISIONS = {"a": 1, "b": 1, "c": 1, "d": 2}

CASES: list[tuple[View, dict[Key, tuple[int, int]]]] = [
    ("size", {3: (3, 2100), 4: (1, 420)}),
    ("composition", {("b", "c"): (1, 840), ("b", "c", "d"): (1, 420), ("b", "d"): (2, 1260)}),
    ("division", {1: (1, 840), "mixed": (3, 1680)}),
    ("round", {1: (1, 840), 2: (2, 1260), 3: (1, 420)}),
    ("opponent", {"b": (4, 2520), "c": (2, 1260), "d": (3, 1680)}),
]


@pytest.mark.parametrize(("view", "expected"), CASES, ids=VIEWS)
def test_a_match_counts_to_the_part_it_is_of(view: View, expected: dict[Key, tuple[int, int]]) -> None:
    parts = breakdown(TABLES, view, bot="a", divisions=DIVISIONS)
    assert {part.bot for part in parts} == {"a"}
    assert {part.key: (part.totals.matches, part.totals.win_parts) for part in parts} == expected
    assert [part.key for part in parts] == list(expected)


def test_tables_of_bots_in_no_division_are_told_apart_from_mixed_ones() -> None:
    tables = [table("efg"), table("efa")]
    assert [part.key for part in breakdown(tables, "division", bot="e", divisions=DIVISIONS)] == ["mixed", "none"]


def test_numbers_stand_in_their_order() -> None:
    rounds = [table("abc", number) for number in (10, 9, 2)]
    assert [part.key for part in breakdown(rounds, "round", bot="a")] == [2, 9, 10]


def test_what_is_expected_is_an_equal_part_of_each_game() -> None:
    (part,) = breakdown([table("abc"), table("abcd")], "opponent", bot="a")[:1]
    assert part.expected_share == pytest.approx((2 / 3 + 2 / 4) / 4)
    assert [part.expected_share for part in breakdown(TABLES, "size", bot="a")] == [1 / 3, 1 / 4]


def test_only_tables_of_the_size_asked_for_count() -> None:
    assert [part.key for part in breakdown(TABLES, "round", bot="a", size=4)] == [2]


def test_the_rating_of_a_round_is_that_after_its_last_match() -> None:
    assert [part.after.mu for part in breakdown(TABLES, "round", bot="a")] == [25.0, 30.0, 32.0]


def test_all_bots_come_by_id() -> None:
    assert [(part.bot, part.key) for part in breakdown(TABLES[:2], "size")] == [
        ("a", 3), ("a", 4), ("b", 3), ("b", 4), ("c", 3), ("c", 4), ("d", 4),
    ]  # fmt: skip


def _table(record: dict[str, Any], round_: int) -> TableSums:
    seats = zip(record["seats"], seat_totals(record), strict=True)
    return TableSums(round_, tuple(SeatSums(seat["bot"], totals, Rating(25, 8)) for seat, totals in seats))


@settings(deadline=None, max_examples=50)
@given(st.lists(records(), max_size=8), st.randoms(use_true_random=False))
def test_the_parts_of_a_bot_add_up_to_its_whole_in_any_order(played: list[dict[str, Any]], chance: Random) -> None:
    whole = tally(played)
    tables = [_table(record, 1 + number // 3) for number, record in enumerate(played)]
    mixed = chance.sample(tables, len(tables))
    for view in VIEWS:
        parts = breakdown(tables, view, divisions=DIVISIONS)
        assert breakdown(mixed, view, divisions=DIVISIONS) == parts
        if view == "opponent":
            continue
        for bot, totals in whole.items():
            sums = zip(*(astuple(part.totals) for part in parts if part.bot == bot), strict=True)
            assert Totals(*map(sum, sums)) == totals


@settings(deadline=None, max_examples=30)
@given(st.lists(records(), max_size=8))
def test_by_opponent_a_match_counts_once_for_each(played: list[dict[str, Any]]) -> None:
    tables = [_table(record, 1) for record in played]
    found = {(part.bot, part.key): part.totals for part in breakdown(tables, "opponent")}
    for (bot, other), totals in found.items():
        shared = tally(record for record in played if {bot, str(other)} <= {seat["bot"] for seat in record["seats"]})
        assert totals == shared[bot]
