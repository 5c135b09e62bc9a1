"""The file of a season with divisions: they are kept apart, and each round has the matches that the format gives it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from harness.league.season_file import SeasonReport, check_season
from tests.league.forging import Line, sha
from tests.league.test_season_file import SECRET, close, entries_line, header, record_of, shake

UPPER, LOWER = ["ada", "bob", "cy"], ["dee", "eve", "fay"]
SEVEN = [*UPPER, *LOWER, "gus"]
SEED = shake(f"season/{SECRET}/{sha(entries_line(1, *SEVEN)['entries'])}")

# Each division a round robin, then three tables of the newcomer with hosts of both.
ROUND_1 = [
    *[UPPER[i:] + UPPER[:i] for i in range(3)],
    *[LOWER[i:] + LOWER[:i] for i in range(3)],
    ["gus", "ada", "dee"],
    ["bob", "gus", "eve"],
    ["fay", "cy", "gus"],
]


def season(round_1: list[list[str]], round_2: Sequence[list[str]] = (), without: str = "") -> SeasonReport:
    lines: list[Line] = [{**header(), "pairing": "divisions", "seats": [3], "games": 1, "divisions": [UPPER, LOWER]}]
    lines.append(entries_line(1, *SEVEN))
    lines += [record_of(SEED, 1, n, table, games=1) for n, table in enumerate(round_1, start=1)]
    if round_2:
        lines.append(entries_line(2, *(bot for bot in SEVEN if bot != without)))
        lines += [record_of(SEED, 2, n, table, games=1) for n, table in enumerate(round_2, start=1)]
    return check_season([json.dumps(line).encode() for line in close(lines)], "s.jsonl")


def test_divisions_that_keep_to_themselves_hold() -> None:
    report = season(ROUND_1)
    assert report.problem is None
    assert not any("the season stops within" in each for each in report.unchecked)


@pytest.mark.parametrize(
    ("number", "table", "says"),
    [
        (2, ["bob", "cy", "dee"], "seats[2].bot: 'dee' of division 2 sits with 'bob' of division 1;"),
        (5, ["eve", "ada", "dee"], "seats[1].bot: 'ada' of division 1 sits with 'eve' of division 2;"),
        (7, ["bob", "ada", "dee"], "seats[2].bot: 'dee' of division 2 sits with 'bob' of division 1;"),
    ],
)
def test_a_table_of_two_divisions_without_a_newcomer_is_named(number: int, table: list[str], says: str) -> None:
    problem = season([*ROUND_1[: number - 1], table, *ROUND_1[number:]]).problem
    assert problem is not None
    assert problem.place == f"line {number + 2} (starter/1/1/{number})"
    assert problem.sentence.startswith(says)


def test_a_division_that_fills_no_table_any_more_plays_with_the_other() -> None:
    # Three of the upper one among themselves, then three tables each for dee, eve and gus.
    tables = [*ROUND_1[:3], *([bot, "ada", "bob"] for bot in ("dee", "eve", "gus") for _ in range(3))]
    assert season(ROUND_1, tables, without="fay").problem is None


def test_a_round_has_a_match_for_each_member_and_a_table_s_worth_for_each_newcomer() -> None:
    problem = season(ROUND_1[:8], [["ada", "bob", "cy"]], without="fay").problem
    assert problem is not None
    assert str(problem) == "line 11: round 1 has 8 of its 9 matches before this line"
    problem = season([*ROUND_1, ["gus", "bob", "dee"]]).problem
    assert problem is not None
    assert "number 10 of a round that has 9 matches" in problem.sentence
