"""The views of `harness standings` as people see them: wide and narrow, in ASCII, with hostile names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from harness.cli.breakdown_table import breakdown_view
from harness.cli.columns import Column, least_width, table
from harness.cli.csv_text import csv_text
from harness.cli.head_to_head_table import head_to_head_view
from harness.cli.official_table import official_view
from harness.cli.terminal import ASCII, UNICODE, Signs
from harness.ratings import Rating, Strength, Totals
from harness.ratings.breakdown import Breakdown, Key
from harness.ratings.head_to_head import HeadToHead

HOSTILE = "\x1b[2J\u202egnp"


def drawn(parts: Iterable[RenderableType], width: int = 80) -> list[str]:
    paper = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    for part in parts:
        paper.print(part)
    assert isinstance(paper.file, io.StringIO)
    return [line.rstrip() for line in paper.file.getvalue().splitlines()]


# The official table


def strength(
    bot: str, rank: int | None, low: int | None = None, high: int | None = None, division: int = 0
) -> Strength:
    return Strength(bot, "ab" * 32, division, 120, 27.306, 25.9, 28.7, rank, low, high)


OFFICIAL = [strength("ada", 1, 1, 1), strength("bob", 2, 2, 4), strength("cyd", None), strength("dot", None)]


def test_a_line_of_the_official_table_holds_ranks_and_strengths_with_intervals() -> None:
    lines = drawn(official_view(OFFICIAL, final=True, sign=UNICODE, width=80))
    assert lines[3].split() == ["1", "1", "ada", "abababababab", "27.31", "[25.90,", "28.70]", "120"]
    assert lines[4].split()[:3] == ["2", "2–4", "bob"]


def test_what_is_not_ranked_stands_below_a_line_without_a_rank() -> None:
    lines = drawn(official_view(OFFICIAL, final=True, sign=UNICODE, width=80))
    assert set(lines[5]) == {"-", " "}
    assert [line.split()[0] for line in lines[6:8]] == ["cyd", "dot"]
    assert lines[8].startswith("not ranked, below the line: ")
    assert not [
        line for line in drawn(official_view(OFFICIAL[:2], final=True, sign=UNICODE, width=80)) if "---" in line
    ]


def test_the_official_table_says_whether_it_is_final() -> None:
    assert "final" in drawn(official_view(OFFICIAL, final=True, sign=UNICODE, width=80))[0]
    assert "as of now" in drawn(official_view(OFFICIAL, final=False, sign=UNICODE, width=80))[0]
    assert drawn(official_view([], final=False, sign=UNICODE, width=80))[1:] == ["no match counts yet"]


def test_the_official_table_says_where_its_level_comes_from() -> None:
    assert "what the bots brought" in drawn(official_view(OFFICIAL, final=True, sign=UNICODE, width=80))[1]
    anchored = drawn(official_view(OFFICIAL, final=True, anchors=["bob", "ada"], sign=UNICODE, width=80))
    assert anchored[1] == "its level: the mean of the anchors bob, ada"


def test_where_a_bot_has_several_versions_they_are_told_apart_on_any_screen() -> None:
    lines = [
        strength("contender-" + "x" * 20, 1, 1, 1),
        replace(strength("contender-" + "x" * 20, None), version="cd" * 32),
    ]
    text = "\n".join(drawn(official_view(lines, final=True, sign=UNICODE, width=60), 60))
    assert "abababab" in text
    assert "cdcdcdcd" in text


def test_divisions_have_a_column_where_there_are_any() -> None:
    assert "division" not in drawn(official_view(OFFICIAL, final=True, sign=UNICODE, width=80))[2]
    divided = [strength("ada", 1, 1, 1, 1), strength("bob", 2, 2, 2, 2), strength("cyd", 3, 3, 3)]
    lines = drawn(official_view(divided, final=True, sign=UNICODE, width=80))
    assert "division" in lines[2]
    assert [line.split()[2] for line in lines[3:]] == ["1", "2", "cyd"]


# Head to head


def field(size: int) -> tuple[list[HeadToHead], list[str]]:
    """Each bot won 8 of its 10 games against each that stands below it."""
    order = [f"contender-{number:02}" for number in range(size)]
    pairs = [
        HeadToHead(bot, other, 10, 8 if order.index(bot) < order.index(other) else 2, 0)
        for bot in order
        for other in order
        if bot != other
    ]
    return pairs, order


def matrix(size: int, width: int, bot: str | None = None, sign: Signs = UNICODE) -> list[str]:
    pairs, order = field(size)
    chosen = [pair for pair in pairs if bot is None or pair.bot == bot]
    return drawn(head_to_head_view(chosen, order, bot, sign, width), width)


def test_the_matrix_holds_shares_and_intervals_where_there_is_room() -> None:
    lines = matrix(3, 80)
    assert lines[1].split() == ["bot", "1", "2", "3"]
    assert lines[2].split() == ["1", "contender-00", "80", "49–94", "80", "49–94"]
    assert lines[4].split() == ["3", "contender-02", "20", "6–51", "20", "6–51"]


def test_without_room_for_intervals_a_star_tells_what_is_sure() -> None:
    pairs, order = field(12)
    sure = HeadToHead(order[0], order[1], 10, 9, 0)
    lines = drawn(head_to_head_view([sure, *pairs[1:]], order, None, UNICODE, 80), 80)
    assert lines[2].split()[:4] == ["1", "contender-00", "90*", "80"]
    assert lines[-1].startswith("*: the 95 % interval does not hold 50 %")
    assert len(lines) == 15
    assert max(map(len, lines)) <= 80


def test_a_field_too_wide_for_a_matrix_is_a_list_with_each_pair_once() -> None:
    lines = matrix(30, 80)
    assert len(lines) == 2 + 30 * 29 // 2
    assert lines[2].split() == ["contender-00", "contender-01", "80.0", "49.0–94.3", "10", "8", "0", "2"]
    assert max(map(len, lines)) <= 80
    assert len(matrix(30, 400)) == 2 + 30


def test_one_bot_is_a_list_of_its_pairs() -> None:
    lines = matrix(12, 80, "contender-11")
    assert len(lines) == 2 + 11
    assert lines[2].split() == ["contender-00", "20.0", "5.7–51.0", "10", "2", "0", "8"]


def test_bots_that_did_not_meet_have_a_dash() -> None:
    pairs = [HeadToHead("a", "b", 2, 1, 0), HeadToHead("b", "a", 2, 1, 0), HeadToHead("c", "a", 2, 1, 0)]
    lines = drawn(head_to_head_view(pairs, ["a", "b", "c"], None, UNICODE, 80))
    assert lines[3].split()[-1] == "-"


@pytest.mark.parametrize("bot", [None, "a"])
def test_nothing_shared_is_said(bot: str | None) -> None:
    (line,) = drawn(head_to_head_view([], ["a", "b"], bot, UNICODE, 80))
    assert "no" in line.split()


# Breakdowns


def part(bot: str, key: Key, games: int = 20) -> Breakdown:
    return Breakdown(bot, key, Totals(10, games, 840 * games // 4, 300, 40, 1), 840 * games // 4, Rating(25, 1))


def test_a_part_holds_results_beside_what_is_expected() -> None:
    lines = drawn(breakdown_view([part("ada", 4)], "size", None, UNICODE, 80))
    assert " ".join(lines[1].split()) == "bot seats matches games win % expected % points mean rank faults"
    assert lines[2].split() == ["ada", "4", "10", "20", "25.0", "25.0", "15.00", "2.00", "1"]


def test_a_bot_is_named_once() -> None:
    lines = drawn(breakdown_view([part("ada", 3), part("ada", 4), part("bob", 3)], "size", None, UNICODE, 80))
    assert [line.split()[0] for line in lines[2:5]] == ["ada", "4", "bob"]


def test_by_round_the_rating_after_it_stands_there() -> None:
    lines = drawn(breakdown_view([part("ada", 1)], "round", "ada", UNICODE, 80))
    assert "results of ada by round" in lines[0]
    assert "25.00 ± 1.96" in lines[2]


def test_many_opponents_are_cut_rather_than_broken_into_lines() -> None:
    names = tuple(f"contender-{number:02}" for number in range(7))
    lines = drawn(breakdown_view([part("ada", names)], "composition", None, UNICODE, 80), 80)
    assert len(lines) == 3, "the column that a fourth line explains has left"
    assert "…" in lines[2]
    assert " 20 " in lines[2]


# All of them

VIEWS: list[Callable[[str, Signs], Iterator[RenderableType]]] = [
    lambda bot, sign: official_view([strength(bot, 2, 1, 3), strength(bot, None)], final=True, sign=sign, width=400),
    lambda bot, sign: head_to_head_view(
        [HeadToHead(bot, "b", 2, 1, 1), HeadToHead("b", bot, 2, 0, 1)], [bot, "b"], None, sign, 400
    ),
    lambda bot, sign: head_to_head_view([HeadToHead(bot, "b", 2, 1, 1)], [bot, "b"], bot, sign, 400),
    lambda bot, sign: breakdown_view([part(bot, 1)], "round", None, sign, 400),
    lambda bot, sign: breakdown_view([part("b", bot)], "opponent", bot, sign, 400),
    lambda bot, sign: breakdown_view([part("b", ("a", bot))], "composition", None, sign, 400),
]


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_needs_more_than_ascii(view: Callable[[str, Signs], Iterator[RenderableType]]) -> None:
    assert "".join(drawn(view("ada", ASCII), 400)).isascii()


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_names_are_visible(view: Callable[[str, Signs], Iterator[RenderableType]]) -> None:
    text = "".join(drawn(view(HOSTILE, UNICODE), 400))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "U+001B" in text


# What they are drawn with


def test_of_two_columns_the_wider_is_cut_first() -> None:
    columns = (Column("a", cut=True), Column("b", cut=True), Column("c"))
    row = ("x" * 10, "y" * 30, "z" * 10)
    assert drawn([table(columns, [row], 50)], 50)[1].split() == ["x" * 10, "y" * 25 + "…", "z" * 10]
    assert drawn([table(columns, [row], 30)], 30)[1].split() == ["x" * 7 + "…", "y" * 7 + "…", "z" * 10]
    assert least_width(columns, [row]) == 8 + 2 + 8 + 2 + 10


def test_csv_writes_lists_nothing_and_what_a_spreadsheet_might_run() -> None:
    row = {"a": ["ada", "bob"], "b": None, "c": "=1+1", "d": True, "e": 0.1, "left out": 1}
    assert list(csv.reader(io.StringIO(csv_text("abcde", [row])))) == [
        ["a", "b", "c", "d", "e"],
        ["ada bob", "", "'=1+1", "true", "0.1"],
    ]
