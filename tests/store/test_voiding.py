"""Voided matches: skipped in their turn, or taken back after it, without touching what was published."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.errors import StoreError
from harness.ratings import Ladder, Parameters, match_ranks
from harness.store import Store
from tests.ratings.tally import tally
from tests.store.synthetic import announce, contract_fields, open_round, play_season, store_all


def test_a_fixture_voided_before_it_is_played_is_skipped_and_leaves_its_line_in_its_place(store: Store) -> None:
    season = announce(store)
    fixtures = open_round(store, season, 1)
    store.void(season.id, 1, 2, "a worker was lost")
    assert [fixture.number for fixture in store.unplayed(season.id, 1)] == [1, 3, 4, 5, 6]
    store_all(store, season, fixtures)
    assert [(each.seq, each.number) for each in store.apply_ready(season.id)] == [
        (1, 1),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 6),
    ]
    assert store.rounds(season.id)[0].state == "over"
    lines = list(store.season_lines(season.id))
    assert lines[3] == {"void": "test/1/1/2", "reason": "a worker was lost"}
    (void,) = store.voids(season.id)
    assert (void.match, void.reason) == ("test/1/1/2", "a worker was lost")
    assert void.bots == tuple(seat.bot for seat in fixtures[1].seats)


def test_a_record_that_is_stored_but_not_applied_can_be_voided(store: Store) -> None:
    season = announce(store)
    fixtures = open_round(store, season, 1)
    store_all(store, season, fixtures[1:])
    store.void(season.id, 1, 2, "a bad machine")
    store_all(store, season, fixtures[:1])
    assert [each.number for each in store.apply_ready(season.id)] == [1, 3, 4, 5, 6]
    assert [record["fixture"]["number"] for record in store.records(season.id)] == [1, 3, 4, 5, 6]


def test_a_void_fixture_that_is_the_last_closes_the_round(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1)[:5])
    store.apply_ready(season.id)
    store.void(season.id, 1, 6, "lost")
    assert store.apply_ready(season.id) == []
    assert store.rounds(season.id)[0].state == "over"


@pytest.mark.parametrize("number", [1, 3, 6])
def test_voiding_what_was_applied_rates_again_as_if_it_had_never_been(store: Store, number: int) -> None:
    season, _ = play_season(store, rounds=2)
    published = list(store.season_lines(season.id))
    void = next(record for record in store.records(season.id) if record["match"] == f"test/1/1/{number}")
    store.void(season.id, 1, number, "a wrong deck")
    ladder, records = Ladder(Parameters()), list(store.records(season.id))
    for record in records:
        assert record["match"] != void["match"]
        ladder.apply(match_ranks(record))
    assert store.ratings(season.id) == ladder.ratings
    assert {row.bot: row.games for row in store.standings(season.id) if row.games} == {
        bot: sums.games for bot, sums in tally(records).items()
    }
    assert all(fault.match != void["match"] for fault in store.faults(season.id))
    lines = list(store.season_lines(season.id))
    assert lines[:-2] == published[:-1]
    assert lines[-2] == {"void": void["match"], "reason": "a wrong deck"}
    now = store.season("test")
    assert now is not None
    assert lines[-1]["results"] == now.results
    assert store.record(season.id, 1, number) == void


def test_a_late_voiding_between_rounds_stands_before_the_next_round(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    store.void(season.id, 1, 4, "late")
    assert list(store.season_lines(season.id))[-2] == {"void": "test/1/1/4", "reason": "late"}
    store_all(store, season, open_round(store, season, 2))
    store.apply_ready(season.id)
    lines = list(store.season_lines(season.id))
    assert [n for n, line in enumerate(lines) if "void" in line] == [8]
    now = store.season("test")
    assert now is not None
    assert contract_fields(lines[-1]) == {"results": now.results, "evidence": now.evidence}


def test_voiding_again_or_what_is_not_there_is_refused(store: Store) -> None:
    season = announce(store)
    open_round(store, season, 1)
    store.void(season.id, 1, 1, "lost")
    with pytest.raises(StoreError, match="void already: lost"):
        store.void(season.id, 1, 1, "again")
    with pytest.raises(StoreError, match="no match"):
        store.void(season.id, 1, 99, "nothing")


def test_a_match_that_a_season_ended_without_is_not_voided(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1)[:2])
    store.end_season(season.id)
    before = store.reproducible_dump()
    with pytest.raises(StoreError, match=r"^match test/1/1/3 is void already: the season ended before it was played"):
        store.void(season.id, 1, 3, "late")
    assert store.reproducible_dump() == before
    store.void(season.id, 1, 2, "late")
    assert list(store.season_lines(season.id))[-2] == {"void": "test/1/1/2", "reason": "late"}


def test_a_late_voiding_leaves_the_same_tables_wherever_records_arrived(new_store: Callable[[], Store]) -> None:
    dumps = []
    for run in ("one", "two"):
        store = new_store()
        season, _ = play_season(store, rounds=2, run=run, order=lambda fixtures: fixtures[::-1])
        store.void(season.id, 2, 3, "late")
        dumps.append(store.reproducible_dump())
    assert dumps[0] == dumps[1]
