"""Divisions over a season's end: small cases by hand, and what holds for whatever may happen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.league.divisions import line_up, next_divisions, promoted
from harness.ratings import Strength


def line(bot: str, strength: float, rank: int | None, division: int = 0, version: str = "v1") -> Strength:
    return Strength(bot, version, division, 100, strength, strength - 1, strength + 1, rank, rank, rank)


def table_of(divisions: Sequence[str], newcomers: Mapping[str, float] | None = None) -> list[Strength]:
    """Divisions of bots of one letter, 10 points for the best, 9 for the next and so on."""
    lines, ahead = [], 0
    for number, bots in enumerate(divisions, start=1):
        for bot in bots:
            lines.append(line(bot, 10 - ahead, ahead + 1, number))
            ahead += 1
    for bot, strength in sorted((newcomers or {}).items(), key=lambda item: -item[1]):
        ahead += 1
        lines.append(line(bot, strength, ahead))
    return lines


def numbers(divisions: Sequence[Sequence[str]]) -> dict[str, int]:
    return {bot: number for number, bots in enumerate(divisions, start=1) for bot in bots}


def after(
    divisions: Sequence[str],
    entered: str,
    *,
    newcomers: Mapping[str, float] | None = None,
    count: int = 2,
    move: int = 1,
    least: int = 3,
) -> list[str]:
    table = table_of(divisions, newcomers)
    found = next_divisions(table, numbers(divisions), set(entered), count, move, least)
    return ["".join(bots) for bots in found]


def test_one_order_is_cut_into_equal_parts_the_upper_ones_first_served() -> None:
    assert line_up("abcdefgh", 3) == [["a", "b", "c"], ["d", "e", "f"], ["g", "h"]]
    assert line_up("ab", 3) == [["a"], ["b"], []]
    assert line_up("", 1) == [[]]
    with pytest.raises(ValueError, match="0 divisions"):
        line_up("ab", 0)


@pytest.mark.parametrize(
    ("before", "move", "then"),
    [
        (["abcd", "efgh"], 1, ["abec", "dfgh"]),
        (["abcd", "efgh", "ijkl"], 1, ["abec", "dfig", "hjkl"]),
        (["abcd", "efgh", "ijkl"], 2, ["efab", "cdij", "ghkl"]),
        (["abcd", "efgh"], 8, ["efab", "cdgh"]),
        (["abcdef", "ghi"], 3, ["abcdge", "fhi"]),
        (["abcd", "efgh"], 0, ["abcd", "efgh"]),
        (["abcd"], 1, ["abcd"]),
        (["abcd", "", "efgh"], 1, ["abcd", "", "efgh"]),
    ],
)
def test_the_last_change_places_with_the_first_below(before: list[str], move: int, then: list[str]) -> None:
    assert ["".join(bots) for bots in promoted(before, move)] == then


def test_after_the_first_season_the_table_is_cut_and_who_has_no_rank_is_in_none() -> None:
    table = [line("d", 9, 1), line("b", 8, 2), line("a", 7, 3), line("e", 6, 4), line("f", 5, 5), line("c", 9, None)]
    # An older version of e, which e no longer plays with, says nothing of e.
    table.append(line("e", 20, None, version="v0"))
    assert next_divisions(table, {}, set("abcdefx"), 2, 1, 2) == [["a", "b", "d"], ["e", "f"]]


def test_after_a_season_with_divisions_the_best_go_up_and_the_last_go_down() -> None:
    assert after(["dcba", "hgfe"], "abcdefgh") == ["bcdh", "aefg"]
    assert after(["dcba", "hgfe"], "abcdefgh", move=0) == ["abcd", "efgh"]


def test_a_bot_without_a_rank_stands_where_its_version_with_most_games_does() -> None:
    table = [one for one in table_of(["abcd", "efgh"]) if one.bot != "b"]
    table += [replace(line("b", 1, None, version="v2"), games=20), line("b", 9, None)]
    assert next_divisions(table, numbers(["abcd", "efgh"]), set("abcdefgh"), 2, 1, 3) == [list("abce"), list("dfgh")]
    # With the new one ranked, that counts, however few its games.
    table[-2] = replace(table[-2], rank=9)
    assert next_divisions(table, numbers(["abcd", "efgh"]), set("abcdefgh"), 2, 1, 3) == [list("acde"), list("bfgh")]


def test_a_bot_that_did_not_play_is_the_last_of_its_division() -> None:
    table = [one for one in table_of(["abcd", "efgh"]) if one.bot not in "ae"]
    found = next_divisions(table, numbers(["abcd", "efgh"]), set("abcdefgh"), 2, 1, 3)
    assert found == [["b", "c", "d", "f"], ["a", "e", "g", "h"]]


def test_who_leaves_is_filled_up_from_below() -> None:
    # After promotion: a b c e | d f g h; without b and c the first of the second division fill the first.
    assert after(["abcd", "efgh"], "adefgh") == ["ade", "fgh"]


def test_who_has_just_been_promoted_stays_so_where_divisions_shrink() -> None:
    # e goes down and f up. Without i there are eight, so the last of those who stayed, d, goes down with it.
    assert after(["abcde", "fghi"], "abcdefgh") == ["abcf", "degh"]


def test_a_newcomer_stands_behind_the_last_that_is_as_strong() -> None:
    # Of a b e c | d f g h the strengths are 10 9 6 8 | 7 5 4 3: 6.5 passes f, g and h, and stops at d.
    assert after(["abcd", "efgh"], "abcdefghx", newcomers={"x": 6.5}) == ["abcde", "fghx"]
    assert after(["abcd", "efgh"], "abcdefghx", newcomers={"x": 7.0}) == ["abcde", "fghx"]
    assert after(["abcd", "efgh"], "abcdefghx", newcomers={"x": 8.5}) == ["abcex", "dfgh"]
    assert after(["abcd", "efgh"], "abcdefghxy", newcomers={"x": 99, "y": 98}) == ["abexy", "cdfgh"]


def test_there_are_as_many_divisions_as_can_fill_the_largest_table() -> None:
    assert after(["abcd", "efgh"], "abcdefgh", count=4, least=4) == ["abce", "dfgh"]
    assert after(["abcd", "efgh"], "abcdefg", count=4, least=4) == ["abcdefg"]
    assert after(["abcd", "efgh"], "abc", least=4) == []
    assert after(["abcd", "efgh"], "abcdefgh", count=4, least=2) == ["ab", "ce", "df", "gh"]


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[list[str]], list[Strength], set[str], int, int]:
    """Divisions as `line_up` cuts them, a table of their bots and newcomers, who is entered, move and least."""
    bots = [f"b{i:02}" for i in range(draw(st.integers(0, 24)))]
    before = line_up(draw(st.permutations(bots)), draw(st.integers(1, 5)))
    lines = [
        line(bot, draw(st.integers(-20, 20)), 1 if draw(st.booleans()) else None, number)
        for number, members in enumerate(before, start=1)
        for bot in members
    ]
    lines += [line(f"n{i}", draw(st.integers(-20, 20)), draw(st.sampled_from([1, None]))) for i in range(4)]
    lines.sort(key=lambda one: (one.rank is None, one.division or 99, -one.strength))
    known = sorted({one.bot for one in lines})
    entered = {bot for bot in known if draw(st.integers(0, 5))} | {"z"}
    return before, lines, entered, draw(st.integers(0, 8)), draw(st.integers(1, 5))


@given(seasons(), st.integers(1, 6))
def test_every_bot_that_can_be_placed_is_in_one_division_and_their_sizes_differ_by_one_at_most(
    season: tuple[list[list[str]], list[Strength], set[str], int, int], count: int
) -> None:
    before, table, entered, move, least = season
    found = next_divisions(table, numbers(before), entered, count, move, least)
    placed = [bot for bots in found for bot in bots]
    ranked = {one.bot for one in table if one.rank is not None}
    able = {bot for bot in entered if bot in numbers(before) or bot in ranked}
    assert len(placed) == len(set(placed))
    assert set(placed) == (able if len(able) >= least else set())
    assert all(bots == sorted(bots) and len(bots) >= least for bots in found)
    sizes = [len(bots) for bots in found]
    assert sizes == sorted(sizes, reverse=True)
    assert not sizes or sizes[0] - sizes[-1] <= 1
    assert len(found) == min(count, len(able) // least)


@given(seasons())
def test_where_nobody_comes_or_leaves_exactly_those_who_are_due_move_by_one_division(
    season: tuple[list[list[str]], list[Strength], set[str], int, int],
) -> None:
    before, table, _, move, _ = season
    bots = {bot for members in before for bot in members}
    sizes = [len(members) for members in before]
    count = sum(size > 0 for size in sizes)
    was = numbers(before)
    found = next_divisions(table, was, bots, max(count, 1), move, 1)
    now = numbers(found)
    up = [bot for bot in bots if now[bot] < was[bot]]
    down = [bot for bot in bots if now[bot] > was[bot]]
    assert [len(members) for members in found] == [size for size in sizes if size]
    assert all(abs(now[bot] - was[bot]) <= 1 for bot in bots)
    assert len(up) == len(down) == sum(min(move, a // 2, b // 2) for a, b in pairwise(sizes))
    strength = {one.bot: one.strength for one in table}
    for bot in up:
        assert sum(strength[other] > strength[bot] for other in before[was[bot] - 1]) < move
    for bot in down:
        assert sum(strength[other] < strength[bot] for other in before[was[bot] - 1]) < move


@given(seasons(), st.integers(1, 6))
def test_whoever_comes_or_leaves_nobody_overtakes_another_and_no_newcomer_one_who_is_stronger(
    season: tuple[list[list[str]], list[Strength], set[str], int, int], count: int
) -> None:
    before, table, entered, _, least = season
    was, now = numbers(before), numbers(next_divisions(table, numbers(before), entered, count, 0, least))
    assert all(now[a] <= now[b] for a in now for b in now if a in was and b in was and was[a] < was[b])
    strength = {one.bot: one.strength for one in table if one.rank is not None}
    newcomers = now.keys() - was.keys()
    assert all(
        now[bot] <= now[new] for new in newcomers for bot in now if bot in strength and strength[bot] > strength[new]
    )
