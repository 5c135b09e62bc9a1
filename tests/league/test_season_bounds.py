"""Season files that were made to cost a reader much: it reads no further than it must, and computes no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from harness.league import season_file, season_footer
from harness.league.formats import FORMATS
from harness.league.season_file import check_season
from tests.league.true_season import true_season

Line = dict[str, Any]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    return true_season(tmp_path_factory.mktemp("season") / "a.db")


def as_bytes(lines: list[Line]) -> list[bytes]:
    return [json.dumps(line).encode() for line in lines]


def test_behind_a_footer_nothing_more_is_read(season: list[Line]) -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        yield from as_bytes(season)
        while True:
            read += 1
            assert read < 10, "it reads on"
            yield b""

    problem = check_season(endless(), "s").problem
    assert problem is not None
    assert problem.place == f"line {len(season) + 1}"
    assert "an empty line after the footer" in problem.sentence


def test_without_an_end_it_stops_at_the_bound(season: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season_file, "_MOST_LINES", 30)
    first, *_ = as_bytes(season)

    def endless() -> Iterator[bytes]:
        yield first
        while True:
            yield b""

    problem = check_season(endless(), "s").problem
    assert problem is not None
    assert problem.place == "line 2", "where it first went wrong"


def test_of_many_versions_a_table_of_others_is_refused_before_one_is_computed(
    season: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season_footer, "_FEW_VERSIONS", 1)
    monkeypatch.setattr(season_footer, "_table", lambda walk: pytest.fail("it was computed"))
    *body, footer = season
    problem = check_season(as_bytes([*body, {**footer, "official": []}]), "s").problem
    assert problem is not None
    assert problem.sentence.startswith("official: not of the ")


def test_a_table_of_too_many_versions_is_said_not_to_be_checked(
    season: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season_footer, "MOST_VERSIONS", 1)
    monkeypatch.setattr(season_footer, "_table", lambda walk: pytest.fail("it was computed"))
    report = check_season(as_bytes(season), "s")
    assert report.problem is None
    assert any(told.startswith("the official table is of ") for told in report.unchecked)


def test_a_table_in_a_season_that_is_not_over_is_refused(season: list[Line]) -> None:
    *body, footer = season
    running = {name: value for name, value in footer.items() if name != "secret"}
    problem = check_season(as_bytes([*body, running]), "s").problem
    assert problem is not None
    assert problem.sentence.startswith("official: a table of a season that is not over")


def test_how_many_matches_a_round_has_is_asked_once_a_round(
    season: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    format_ = FORMATS[season[0]["pairing"]]
    matches = type(format_).matches

    def counted(*words: Any) -> int:
        nonlocal asked
        asked += 1
        return matches(*words)

    monkeypatch.setattr(type(format_), "matches", counted)
    assert check_season(as_bytes(season), "s").problem is None
    rounds = {line["fixture"]["round"] for line in season if "fixture" in line}
    records = sum("fixture" in line for line in season)
    assert asked <= 2 * len(rounds) < records
