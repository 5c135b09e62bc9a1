"""Figures as lines of text and as rows of a table."""

from __future__ import annotations

from benchmarks.figure import TABLE_HEAD, Figure


def test_the_notes_of_a_figure_stand_on_a_line_of_their_own() -> None:
    figure = Figure("a turn", "9 µs", "floor 3 µs", "3.0", "most of it waits")
    assert figure.text() == "  a turn: 9 µs; floor 3 µs; 3.0\n    most of it waits"
    assert Figure("a turn", "9 µs", "floor 3 µs", "3.0").text() == "  a turn: 9 µs; floor 3 µs; 3.0"


def test_a_row_has_the_columns_of_the_head() -> None:
    row = Figure("a turn", "9 µs", "floor 3 µs", "3.0", "most of it waits").row()
    assert row == "| a turn | 9 µs | floor 3 µs | 3.0. most of it waits |"
    assert {line.count("|") for line in TABLE_HEAD.split("\n")} == {row.count("|")}


def test_a_row_without_a_ratio_has_its_notes_alone_there() -> None:
    assert (
        Figure("a turn", "9 µs", "no bots", "-", "most of it waits").row()
        == "| a turn | 9 µs | no bots | most of it waits |"
    )
    assert Figure("a turn", "skipped", "no compiler", "-").row() == "| a turn | skipped | no compiler | - |"
