"""What the last line of a season's file says beyond its chains, and that the file holds whenever it is written."""

from __future__ import annotations

from typing import Any

import pytest

from harness.league.season_file import check_season, write_lines
from harness.ratings import Rating, platform_name
from harness.store import Store
from harness.store import season_footer as footers
from tests.second.season import season_problems
from tests.store.synthetic import announce, open_round, play_season, store_all, version_of


def lines_of(store: Store) -> list[dict[str, Any]]:
    """The season's lines; both implementations find that they hold."""
    lines = list(store.season_lines("test/1"))
    report = check_season((line[:-1] for line in write_lines(lines)), "season")
    assert report.problem is None
    assert season_problems(lines) == []
    return lines


def history(store: Store) -> list[list[list[str]]]:
    found: dict[int, list[list[str]]] = {}
    for row in store.history("test/1"):
        found.setdefault(row.seq, []).append([repr(row.after.mu), repr(row.after.sigma)])
    return [found[seq] for seq in sorted(found)]


def test_a_season_that_is_over_has_heads_ratings_and_its_table(store: Store) -> None:
    season, _ = play_season(store, rounds=2)
    *before, footer = lines_of(store)
    assert set(footer) == {"results", "evidence", "secret", "heads", "ratings", "platform", "official"}
    assert len(footer["heads"]) == len(before)
    assert footer["ratings"] == history(store)
    assert footer["platform"] == platform_name()
    assert [(bot, version, float(strength)) for bot, version, _, _, strength, *_ in footer["official"]] == [
        (line.bot, line.version, line.strength) for line in store.official(season.id)
    ]


def test_a_season_that_runs_has_no_table_and_no_rating_of_what_is_not_shown(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    shown = history(store)
    store_all(store, season, open_round(store, season, 2)[:3])
    store.apply_ready(season.id)
    *before, footer = lines_of(store)
    assert "official" not in footer
    assert len(history(store)) == 9
    assert footer["ratings"] == shown
    assert len(footer["heads"]) == len(before) == 8


def test_a_season_that_was_only_announced_has_lists_too(store: Store) -> None:
    announce(store)
    _, footer = lines_of(store)
    assert (len(footer["heads"]), footer["ratings"]) == (1, [])


@pytest.mark.parametrize("number", [1, 4])
def test_what_was_voided_by_a_line_that_is_not_shown_yet_still_counts_in_the_file(store: Store, number: int) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    published = lines_of(store)
    open_round(store, season, 2)
    store.void(season.id, 1, number, "a wrong deck")
    assert len(history(store)) == 5
    assert lines_of(store) == published


def test_ratings_that_the_header_does_not_begin_with_are_left_out(store: Store) -> None:
    season = announce(store, rounds=1, ratings={"ada": Rating(30.0, 2.0)})
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    store.end_season(season.id)
    footer = lines_of(store)[-1]
    assert set(footer) == {"results", "evidence", "secret", "heads"}


def test_a_list_too_long_for_a_reader_is_left_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    season = announce(store, rounds=1)
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    monkeypatch.setattr(footers, "_MOST_OF_A_LIST", 500)
    footer = lines_of(store)[-1]
    assert "heads" in footer
    assert "ratings" not in footer


def test_a_new_version_is_rated_from_a_wider_start(store: Store) -> None:
    def change(season: Any, number: int) -> None:
        if number == 2:
            store.enter(season.id, "ada", version_of("ada", 1), 2)

    play_season(store, rounds=2, between=change)
    assert lines_of(store)[-1]["ratings"] == history(store)
