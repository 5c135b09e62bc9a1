"""Entries in the store: from which round on they count, and who must read them again."""

from __future__ import annotations

import pytest

from harness.store import Entry, SeasonRow, Store
from tests.store.synthetic import BOTS, announce, open_round, store_all, version_of


def test_a_round_is_not_opened_for_entries_that_have_changed_since_they_were_read(store: Store) -> None:
    season = announce(store)
    read = store.entries(season.id, 1)
    store.enter(season.id, BOTS[0], "f" * 64, 1)
    assert store.open_round(season.id, 1, [], None, None, read) is False
    assert store.rounds(season.id) == []
    assert store.open_round(season.id, 1, [], None, None, store.entries(season.id, 1)) is True


def test_what_was_done_with_an_entry_is_told_apart(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    ada, bob, cyd = sorted(BOTS)[:3]
    assert store.bench(season.id, ada, 1) == 2
    store.withdraw(season.id, bob, 2)
    store.bench(season.id, cyd, 2)
    store.enter(season.id, cyd, version_of(cyd), 2)
    store.enter(season.id, cyd, version_of(cyd, 1), 2)
    changes = store.entry_changes(season.id)
    assert [(each.from_round, each.act, each.plays) for each in changes[ada]] == [
        (1, "entered", True),
        (2, "benched", False),
    ]
    assert changes[bob][-1].act == "withdrawn"
    assert (changes[cyd][-1].act, changes[cyd][-1].version) == ("let-in", version_of(cyd, 1))
    assert [entry.bot for entry in store.entries(season.id, 2)] == sorted(set(BOTS) - {ada, bob})
    store.enter(season.id, ada, version_of(ada), 3)
    assert store.entry_changes(season.id)[ada][-1].act == "let-in"


def test_an_entry_takes_effect_at_the_next_opening_at_the_earliest(store: Store) -> None:
    season = announce(store)
    store_all(store, season, open_round(store, season, 1))
    assert store.enter(season.id, BOTS[0], "f" * 64, 1) == 2
    assert store.withdraw(season.id, BOTS[1], 1) == 2
    assert store.next_round(season.id) == 2
    assert store.entries(season.id, 1) == [Entry(bot, version_of(bot)) for bot in sorted(BOTS)]
    assert [entry.bot for entry in store.entries(season.id, 2)] == sorted(set(BOTS) - {BOTS[1]})


@pytest.mark.parametrize("deed", ["enter", "bench", "withdraw"])
def test_a_season_that_has_a_successor_takes_no_more_entries(store: Store, deed: str) -> None:
    season = announce(store)
    later = announce(store, number=2)
    before = store.entry_changes(season.id)
    ada = BOTS[0]
    write = {
        "enter": lambda id_: store.enter(id_, ada, "f" * 64, 1),
        "bench": lambda id_: store.bench(id_, ada, 1),
        "withdraw": lambda id_: store.withdraw(id_, ada, 1),
    }[deed]
    assert write(season.id) is None
    assert store.entry_changes(season.id) == before
    assert write(later.id) == 1


def test_a_season_is_not_announced_for_entries_of_the_one_before_that_have_changed_since(store: Store) -> None:
    season = announce(store)
    read = store.entry_changes(season.id)
    store.bench(season.id, BOTS[0], 1)
    bots = [Entry(bot, version_of(bot)) for bot in BOTS]

    def follow() -> SeasonRow | None:
        return store.announce_season(
            "test", 2, {}, "s", "c", season.header,
            rounds_planned=1, entries=bots, out={BOTS[1]: "benched", BOTS[2]: "withdrawn"}, known=read,
        )  # fmt: skip

    assert follow() is None
    assert [row.number for row in store.seasons("test")] == [1]
    read = store.entry_changes(season.id)
    assert follow() is not None
    acts = {bot: [(each.from_round, each.act) for each in done] for bot, done in store.entry_changes("test/2").items()}
    expected = {bot: [(1, "entered")] for bot in BOTS}
    assert acts == expected | {BOTS[1]: [(1, "benched")], BOTS[2]: [(1, "withdrawn")]}
