"""A season in the store: what is applied, in which order, and that the order of arrival leaves no trace."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import StoreError
from harness.game import commitment
from harness.protocol import Chains
from harness.ratings import Ladder, Parameters, match_ranks
from harness.referee import Fixture, verify_record
from harness.store import SeasonRow, Store, VersionRow
from harness.store.seasons import lock_season
from harness.store.voiding import rate_again
from tests.ratings.tally import tally
from tests.store.synthetic import (
    BOTS,
    SECRET,
    announce,
    contract_fields,
    open_round,
    play,
    play_season,
    store_all,
    version_of,
)

NewStore = Callable[[], Store]


def shuffled(seed: int) -> Callable[[list[Fixture]], list[Fixture]]:
    return lambda fixtures: random.Random(seed).sample(fixtures, len(fixtures))


def test_synthetic_records_are_records(store: Store) -> None:
    season, _ = play_season(store, rounds=1)
    assert [verify_record(record) for record in store.records(season.id)] == [None] * 6


@pytest.mark.parametrize("apply_each", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_arrival_leaves_no_trace(new_store: NewStore, seed: int, apply_each: bool) -> None:
    straight, mixed = new_store(), new_store()
    play_season(straight, run="one")
    play_season(mixed, run="two", order=shuffled(seed), apply_each=apply_each)
    assert mixed.reproducible_dump() == straight.reproducible_dump()
    first, second = straight.season("test"), mixed.season("test")
    assert first is not None
    assert second is not None
    assert first.results == second.results
    assert first.evidence != second.evidence


def test_records_are_applied_in_canonical_order_without_a_gap(store: Store) -> None:
    season = announce(store)
    fixtures = open_round(store, season, 1)
    store_all(store, season, fixtures[1:3])
    assert store.apply_ready(season.id) == []
    store_all(store, season, fixtures[:1])
    applied = store.apply_ready(season.id)
    assert [(each.seq, each.number) for each in applied] == [(1, 1), (2, 2), (3, 3)]
    assert [each.record["match"] for each in applied] == [f"test/1/1/{n}" for n in (1, 2, 3)]
    (round_,) = store.rounds(season.id)
    assert (round_.state, round_.fixtures, round_.stored, round_.applied) == ("open", 6, 3, 3)
    assert [fixture.number for fixture in store.unplayed(season.id, 1)] == [4, 5, 6]


def test_more_records_than_a_batch_are_applied_at_once(store: Store) -> None:
    season = announce(store)
    fixtures = open_round(store, season, 1, matches=150)
    store_all(store, season, reversed(fixtures))
    assert [each.seq for each in store.apply_ready(season.id)] == list(range(1, 151))
    assert store.rounds(season.id)[0].state == "over"


def test_fixtures_come_back_as_they_were(store: Store) -> None:
    season = announce(store)
    assert open_round(store, season, 1) == store.unplayed(season.id, 1)


def test_ratings_and_history_are_those_of_the_ladder(store: Store) -> None:
    season, applied = play_season(store)
    ladder = Ladder(Parameters())
    changes = [change for record in store.records(season.id) for change in ladder.apply(match_ranks(record))]
    assert store.ratings(season.id) == ladder.ratings
    assert [(row.bot, row.before, row.after) for row in store.history(season.id)] == [
        (change.bot, change.before, change.after) for change in changes
    ]
    assert [row.seq for row in store.history(season.id)] == [seq for seq in range(1, 19) for _ in range(4)]
    assert applied[-1].after == {bot: ladder.ratings[bot] for bot in applied[-1].after}


def rate_all_again(store: Store, season: SeasonRow) -> None:
    with store._database.writing() as connection:
        rate_again(connection, lock_season(connection, season.id))


def test_rating_again_changes_nothing(store: Store) -> None:
    season, _ = play_season(store)
    before = store.reproducible_dump()
    rate_all_again(store, season)
    assert store.reproducible_dump() == before


def test_standings_add_up_the_records(store: Store) -> None:
    season = announce(store)
    for number, seats in ((1, 4), (2, 3)):
        store_all(store, season, open_round(store, season, number, matches=20, seats=seats))
        store.apply_ready(season.id)
    records = list(store.records(season.id))
    standings = store.standings(season.id)
    assert {row.bot: (row.matches, row.games, row.faults) for row in standings} == {
        bot: (sums.matches, sums.games, sums.faults) for bot, sums in tally(records).items()
    }
    assert [row.rank for row in standings] == list(range(1, len(BOTS) + 1))
    assert sum(row.wins for row in standings) == pytest.approx(sum(_decided(r) for r in store.records(season.id)))
    for size in (3, 4):
        assert {row.bot: row.games for row in store.standings(season.id, size)} == {
            bot: sums.games for bot, sums in tally(r for r in records if len(r["seats"]) == size).items()
        }
    assert store.standings(season.id, 5) == []


def _decided(record: dict[str, Any]) -> int:
    return sum(any(rank > 1 for rank in game["ranks"]) or any(game["scores"]) for game in record["games"])


def test_a_second_record_of_a_fixture_is_ignored(store: Store) -> None:
    season = announce(store)
    fixture = open_round(store, season, 1)[0]
    store_all(store, season, [fixture], run="first")
    store_all(store, season, [fixture], run="second")
    kept = store.record(season.id, 1, 1, finished_rounds_only=False)
    assert kept == play(fixture, "first")[0]


def test_a_record_of_no_fixture_is_refused(store: Store) -> None:
    season = announce(store)
    fixture = open_round(store, season, 1)[0]
    record, stderr = play(fixture)
    with pytest.raises(StoreError, match="no fixture"):
        store.store_record(season.id, fixture, {**record, "match": "test/1/1/9"}, stderr, 1)


def test_nothing_of_an_open_round_is_shown(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    store.apply_ready(season.id)
    fixtures = open_round(store, season, 2)
    store_all(store, season, fixtures[:3])
    store.apply_ready(season.id)
    assert {record["fixture"]["round"] for record in store.records(season.id)} == {1}
    assert store.record(season.id, 2, 1) is None
    assert {fault.round for fault in store.faults(season.id)} <= {1}
    lines = list(store.season_lines(season.id))
    assert [line["fixture"]["number"] for line in lines[2:-1]] == [1, 2, 3, 4, 5, 6]
    (first, _) = store.rounds(season.id)
    assert contract_fields(lines[-1]) == {"results": first.results, "evidence": first.evidence}


def test_the_season_file_carries_its_chains_and_at_its_end_the_secret(store: Store) -> None:
    season, _ = play_season(store, rounds=2)
    lines = list(store.season_lines(season.id))
    chains = Chains()
    chains.start(lines[0])
    for line in lines[1:-1]:
        if "outcome" in line:
            chains.add_record(line["outcome"], line["digest"])
        else:
            chains.add_line(line)
    assert contract_fields(lines[-1]) == {"results": chains.results, "evidence": chains.evidence, "secret": SECRET}
    assert (season.results, season.evidence) == (chains.results, chains.evidence)
    assert lines[1] == {"round": 1, "entries": [[bot, version_of(bot)] for bot in BOTS]}
    assert len(lines) == 1 + 1 + 12 + 1


def test_entries_count_from_the_round_that_they_name(store: Store) -> None:
    def change(season: SeasonRow, number: int) -> None:
        if number == 2:
            store.enter(season.id, "ada", version_of("ada", 1), 2)
            store.withdraw(season.id, "bob", 2)

    season, _ = play_season(store, rounds=2, between=change)
    assert [entry.bot for entry in store.entries(season.id, 1)] == list(BOTS)
    assert [entry.bot for entry in store.entries(season.id, 2)] == [bot for bot in BOTS if bot != "bob"]
    assert store.newest_versions(season.id)["ada"] == version_of("ada", 1)
    assert store.newest_versions(season.id)["bob"] == version_of("bob")
    assert [line["round"] for line in store.season_lines(season.id) if "entries" in line] == [1, 2]
    standing = {row.bot: row for row in store.standings(season.id)}
    assert standing["ada"].version == version_of("ada", 1)
    second = next(row for row in store.history(season.id) if row.bot == "ada" and row.round == 2)
    first = [row for row in store.history(season.id) if row.bot == "ada" and row.round == 1][-1]
    assert second.before.mu == first.after.mu
    assert second.before.sigma > first.after.sigma
    rate_all_again(store, season)
    assert next(row for row in store.history(season.id) if row.bot == "ada" and row.round == 2) == second


def test_a_round_is_opened_once_and_after_the_one_before(store: Store) -> None:
    season = announce(store)
    open_round(store, season, 1)
    with pytest.raises(StoreError, match="round 2"):
        store.open_round(season.id, 2, [], None, None)
    with pytest.raises(StoreError, match="round 1"):
        store.open_round(season.id, 1, [], None, None)


def test_a_season_that_ends_as_it_stands_counts_what_was_stored(store: Store) -> None:
    season = announce(store)
    fixtures = open_round(store, season, 1)
    store_all(store, season, [fixtures[0], fixtures[4]])
    store.end_season(season.id)
    assert [record["fixture"]["number"] for record in store.records(season.id)] == [1, 5]
    row = store.season("test")
    assert row is not None
    assert (row.state, row.seq) == ("ended", 2)
    # No gap: a line stands for each match, its record or that it is void.
    lines = [line.get("void") or line.get("match") for line in store.season_lines(season.id)]
    assert [name for name in lines if name] == [f"test/1/1/{number}" for number in range(1, 7)]
    assert all(void.reason == "the season ended before it was played" for void in store.voids(season.id))


def test_seasons_are_numbered_upwards_and_the_newest_is_the_default(store: Store) -> None:
    announce(store, number=1)
    announce(store, number=2)
    assert [row.number for row in store.seasons("test")] == [1, 2]
    newest = store.season("test")
    assert newest is not None
    assert newest.number == 2
    assert store.season("test", 3) is None
    assert store.season("other") is None
    # Somebody else was faster: what is there stays, and nothing is written.
    before = store.reproducible_dump()
    for number in (1, 2):
        again = store.announce_season("test", number, {}, SECRET, commitment(SECRET), {}, rounds_planned=9)
        assert again is None
    assert store.reproducible_dump() == before


def test_faults_come_with_their_evidence_and_stderr(store: Store) -> None:
    season, _ = play_season(store)
    expected = [(record["match"], fault) for record in store.records(season.id) for fault in record["faults"]]
    assert expected, "the synthetic season has faults"
    found = store.faults(season.id)
    assert sorted((row.match, row.seat) for row in found) == sorted((match, fault["seat"]) for match, fault in expected)
    assert all(row.fault in [fault for _, fault in expected] for row in found)
    assert all(("≥" in row.stderr and "\0" in row.stderr) == (row.seat % 2 == 1) for row in found)
    bot = found[0].bot
    assert store.faults(season.id, bot) == [row for row in found if row.bot == bot]


def test_a_version_is_kept_once_a_bot(store: Store) -> None:
    store.add_version(VersionRow("ada", "1" * 64, "Ada", "A", "python", b"archive", None, None))
    store.add_version(VersionRow("ada", "1" * 64, "other", "B", "c", b"other", None, None))
    store.add_version(VersionRow("zoe", "1" * 64, "Zoe", "Z", "python", b"archive", b"built", "2" * 64))
    row = store.version("1" * 64)
    assert row is not None
    assert (row.bot, row.title, row.archive, row.built) == ("ada", "Ada", b"archive", None)
    row = store.version("1" * 64, "zoe")
    assert row is not None
    assert (row.author, row.built, row.build_hash) == ("Z", b"built", "2" * 64)
    assert store.version("3" * 64) is None


def test_a_season_that_is_not_there_is_one_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="test/9"):
        store.standings("test/9")
