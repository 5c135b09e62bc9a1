"""What a published site asks of a store: against the records, the history and the lines that it tells elsewhere."""

from __future__ import annotations

import pytest

from harness.ratings import Rating
from harness.store import SeasonRow, Store, VersionRow, publication
from tests.store.synthetic import BOTS, announce, open_round, store_all, version_of


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publication, "_BATCH", 4)
    monkeypatch.setattr(publication, "_RECORDS", 3)


def played(store: Store) -> SeasonRow:
    """Two rounds that are over, one match of the first void, and a third that is open with records applied."""
    season = announce(store)
    for number in (1, 2):
        store_all(store, season, open_round(store, season, number))
        store.apply_ready(season.id)
    store_all(store, season, open_round(store, season, 3)[:3])
    store.apply_ready(season.id)
    store.void(season.id, 1, 2, "a wrong deck")
    return season


def test_record_keys_are_those_of_the_records_up_to_a_round(store: Store) -> None:
    season = played(store)
    keys = list(store.record_keys(season.id, 2))
    assert [(key.seq, key.round, key.number, key.void) for key in keys] == [
        (6 * (round_ - 1) + number, round_, number, (round_, number) == (1, 2))
        for round_ in (1, 2)
        for number in range(1, 7)
    ]
    digests = [store.record(season.id, key.round, key.number) for key in keys]
    assert [(key.digest, key.match) for key in keys] == [(one["digest"], one["match"]) for one in digests if one]
    assert all(key.size > 100 for key in keys)
    assert {key.round for key in store.record_keys(season.id, 1)} == {1}


def test_records_between_two_places_are_those_that_count(store: Store) -> None:
    season = played(store)
    whole = {record["match"]: record for record in store.records(season.id)}
    between = list(store.records_between(season.id, 1, 8))
    assert [record["match"] for record in between] == [
        "test/1/1/1", "test/1/1/3", "test/1/1/4", "test/1/1/5", "test/1/1/6", "test/1/2/1", "test/1/2/2",
    ]  # fmt: skip
    assert all(record == whole[record["match"]] for record in between)
    assert list(store.records_between(season.id, 2, 2)) == []


@pytest.mark.parametrize("last_round", [1, 2])
def test_round_ratings_are_the_last_of_each_bot_in_each_round(store: Store, last_round: int) -> None:
    season = played(store)
    due: dict[tuple[int, str], Rating] = {}
    for row in store.history(season.id):
        if row.round <= last_round:
            due[row.round, row.bot] = row.after
    told = list(store.round_ratings(season.id, last_round))
    assert [(one.round, one.bot) for one in told] == sorted(due)
    assert {(one.round, one.bot): one.rating for one in told} == due


def test_texts_are_those_of_the_versions_entered(store: Store) -> None:
    season = announce(store)
    for bot in BOTS[:2]:
        texts = (f"{bot} \u202e", "an author", "C") if bot == "ada" else ("", "", "")
        store.add_version(VersionRow(bot, version_of(bot), *texts, b"", None, None))
    store.add_version(VersionRow("ada", version_of("ada", 1), "not entered", "", "", b"", None, None))
    assert [(one.bot, one.version, one.title, one.author, one.language) for one in store.bot_texts(season.id)] == [
        ("ada", version_of("ada"), "ada \u202e", "an author", "C"),
        ("bob", version_of("bob"), "", "", ""),
    ]


def test_times_never_go_back(store: Store) -> None:
    season = played(store)
    times = store.season_times(season.id)
    assert list(times.closed) == [1, 2]
    assert times.ended is None
    assert times.announced <= times.closed[1] <= times.closed[2]
    store.end_season(season.id)
    ended = store.season_times(season.id).ended
    assert ended is not None
    assert ended >= times.closed[2]


def test_the_newest_faults_are_the_last_of_all(store: Store) -> None:
    season = announce(store, rounds=40)
    for number in range(1, 20):
        store_all(store, season, open_round(store, season, number))
        store.apply_ready(season.id)
    all_of_them = store.faults(season.id)
    assert len(all_of_them) > 5
    bot = max(all_of_them, key=lambda one: sum(other.bot == one.bot for other in all_of_them)).bot
    own = [one for one in all_of_them if one.bot == bot][::-1]
    assert len(own) > 1
    assert store.newest_faults(season.id, bot, 99, 99) == own
    assert store.newest_faults(season.id, bot, 99, 1) == own[:1]
    assert store.newest_faults(season.id, bot, own[0].round - 1, 99) == [one for one in own if one.round < own[0].round]


def test_tiers_up_to_a_round_count_its_matches(store: Store) -> None:
    season = played(store)
    assert store.tiers(season.id) == {"bare": 14}
    assert store.tiers(season.id, 2) == {"bare": 11}
    assert store.tiers(season.id, 1) == {"bare": 5}
