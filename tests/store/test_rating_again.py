"""Rating a season again: the same to the bit, the official table with it, and on which platform."""

from __future__ import annotations

import pytest

from harness.ratings import match_ranks, platform_name
from harness.store import Store, seasons
from tests.store.synthetic import BOTS, play_season


def test_rating_again_changes_no_bit(store: Store) -> None:
    season, _ = play_season(store, rounds=3)
    before = store.reproducible_dump()
    heard: list[int] = []
    store.rate_again(season.id, heard.append)
    assert store.reproducible_dump() == before
    assert sum(heard) == season.seq == 18


def test_what_was_rated_elsewhere_is_rated_anew_and_the_platform_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(season: object, number: int) -> None:
        if number == 2:
            monkeypatch.setattr(seasons, "platform_name", lambda: "Elsewhere 1")

    season, _ = play_season(store, rounds=3, between=elsewhere)
    known = store.season("test")
    assert known is not None
    assert known.platform == f"{platform_name()}; then Elsewhere 1"
    monkeypatch.undo()
    store.rate_again(season.id)
    known = store.season("test")
    assert known is not None
    assert known.platform == platform_name()


def test_the_official_table_is_kept_at_the_end_and_is_that_of_the_matches(store: Store) -> None:
    season, _ = play_season(store, rounds=3)
    kept = store.official(season.id)
    assert {line.bot for line in kept} == set(BOTS)
    assert kept == store.season_table(season.id)
    assert store.official("test/9") == []


def test_ranks_of_matches_are_those_of_their_records_and_void_ones_are_left_out(store: Store) -> None:
    season, _ = play_season(store, rounds=2)
    records = list(store.records(season.id))
    assert list(store.match_ranks(season.id)) == [match_ranks(record) for record in records]
    store.void(season.id, 1, 2, "for the test")
    assert list(store.match_ranks(season.id)) == [match_ranks(record) for record in store.records(season.id)]
    assert len(records) == len(list(store.match_ranks(season.id))) + 1
