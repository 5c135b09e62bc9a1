"""The ladder as table, JSON and CSV: right numbers, hostile names visible, readable at 80 columns."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from harness.cli.csv_text import csv_text
from harness.cli.json_text import dumped
from harness.cli.ladder_table import FIELDS, ladder_json, ladder_table
from harness.cli.terminal import ASCII, UNICODE
from harness.ratings import Standing


def standing(rank: int, bot: str, **more: Any) -> Standing:
    fields: dict[str, Any] = {
        "version": "ab" * 32,
        "mu": 25.125,
        "sigma": 2.0,
        "provisional": False,
        "matches": 12,
        "games": 120,
        "wins": 40.5,
        "win_share": 0.3375,
        "points": 28.456,
        "mean_rank": 2.0417,
        "faults": 0,
    }
    return Standing(rank=rank, bot=bot, **(fields | more))


LADDER = [standing(1, "careful", faults=3), standing(2, "new", provisional=True, games=8, mu=30.0)]


def drawn(ladder: list[Standing], width: int = 80, **more: Any) -> list[str]:
    paper = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    paper.print(ladder_table(ladder, more.pop("sign", UNICODE), width, **more))
    assert isinstance(paper.file, io.StringIO)
    return [line.rstrip() for line in paper.file.getvalue().splitlines()]


def test_a_row_holds_rank_rating_with_95_percent_interval_and_means() -> None:
    row = drawn(LADDER)[1].split()
    assert row == ["1", "careful", "25.12", "±", "3.92", "33.8", "28.46", "2.04", "120", "3"]


def test_a_provisional_rating_has_a_question_mark() -> None:
    lines = drawn(LADDER)
    assert "30.00 ± 3.92?" in lines[2]
    assert "?" not in lines[1]


def test_nothing_is_said_of_the_results_of_a_bot_that_has_not_played() -> None:
    idle = standing(1, "idle", matches=0, games=0, wins=0, win_share=0.0, points=0.0, mean_rank=0.0)
    assert drawn([idle])[1].split() == ["1", "idle", "25.12", "±", "3.92", "-", "-", "-", "0"]


def test_no_faults_leave_the_cell_empty() -> None:
    assert drawn(LADDER)[2].endswith("8")


def test_only_the_top_is_drawn_where_asked() -> None:
    assert len(drawn([standing(n, f"bot-{n}") for n in range(1, 9)], top=3)) == 4


LONG = "a-name-of-thirty-two-letters-xyz"


@pytest.mark.parametrize(
    ("width", "gone"),
    [
        (120, []),
        (100, []),
        (85, ["mean rank"]),
        (80, ["mean rank", "points"]),
        (72, ["mean rank", "points", "games"]),
        (60, ["mean rank", "points", "games"]),
        (48, ["mean rank", "points", "games"]),
    ],
)
def test_a_narrow_screen_loses_columns_in_order_and_only_then_letters_of_a_name(width: int, gone: list[str]) -> None:
    lines = drawn([standing(100, LONG, faults=1000, games=100_000), standing(101, "short")], width)
    assert len(lines) == 3, "a name is never wrapped"
    assert max(map(len, lines)) <= width
    for heading in ("rank", "bot", "95 %", "win %", "points", "mean rank", "games", "faults"):
        assert (heading in lines[0]) is (heading not in gone)
    name = lines[1].split()[1]
    assert name == LONG or (width < 72 and name.endswith("…") and LONG.startswith(name[:-1]))
    assert (name == LONG) is (width >= 72)
    assert "25.12 ± 3.92" in lines[1]


def test_no_column_goes_where_all_fit() -> None:
    lines = drawn([standing(1, "expected-value-leavers")], 120)
    assert "expected-value-leavers" in drawn([standing(1, "expected-value-leavers")], 80)[1]
    assert "mean rank" in lines[0]


def test_a_name_is_cut_in_ascii_where_nothing_else_can_be_had() -> None:
    line = drawn([standing(1, LONG)], 50, sign=ASCII)[1]
    assert line.isascii()
    assert "... " in line


def test_divisions_and_states_have_columns_only_where_there_are_any() -> None:
    assert not {"division", "state"} & set(drawn(LADDER)[0].split())
    divided = [standing(1, "top", division=1), standing(2, "newcomer")]
    assert [line.split()[:3] for line in drawn(divided)] == [
        ["rank", "division", "bot"],
        ["1", "1", "top"],
        ["2", "newcomer", "25.12"],
    ]
    some_out = [standing(1, "stays"), standing(2, "leaves", state="withdrawn")]
    assert [line.split()[-1] for line in drawn(some_out)] == ["state", "120", "withdrawn"]


def test_who_is_disqualified_has_no_rank() -> None:
    out = standing(0, "cheat", state="disqualified")
    lines = drawn([standing(1, "fair"), replace(out, rank=None)])
    assert lines[2].split()[0] == "cheat"
    assert ladder_json([replace(out, rank=None)])[0]["rank"] is None


def test_a_narrow_screen_keeps_division_and_state() -> None:
    lines = drawn([standing(10, LONG, division=2, state="disqualified", faults=7)], 80)
    assert lines[1].split()[1] == "2"
    assert lines[1].endswith("disqualified")
    assert max(map(len, lines)) <= 80


def test_ascii_signs_where_nothing_else_can_be_had() -> None:
    assert "".join(drawn(LADDER, sign=ASCII)).isascii()


HOSTILE = "\x1b[2J\u202egnp\x07"


def test_hostile_names_are_visible_in_table_and_csv() -> None:
    text = "".join(drawn([standing(1, HOSTILE)], width=200)) + csv_text(FIELDS, ladder_json([standing(1, HOSTILE)]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x07" not in text
    assert text.count("U+001B") == 2
    assert "\x1b" not in dumped(ladder_json([standing(1, HOSTILE)]))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x"])
def test_a_spreadsheet_runs_no_name(name: str) -> None:
    row = next(csv.DictReader(io.StringIO(csv_text(FIELDS, ladder_json([standing(1, name)])))))
    assert row["bot"] == f"'{name}"


def test_json_and_csv_hold_the_same_exact_numbers() -> None:
    parsed = json.loads(dumped(ladder_json(LADDER)))
    rows = list(csv.DictReader(io.StringIO(csv_text(FIELDS, ladder_json(LADDER)))))
    for one, row, it in zip(LADDER, rows, parsed, strict=True):
        assert float(row["mu"]) == it["mu"] == one.mu
        assert float(row["win_share"]) == it["win_share"] == one.win_share
        assert int(row["games"]) == it["games"] == one.games
        assert list(row) == list(it)


def test_no_field_of_the_ladder_is_a_time() -> None:
    assert not [name for name in ladder_json(LADDER)[0] if "us" in name.split("_") or "time" in name]
