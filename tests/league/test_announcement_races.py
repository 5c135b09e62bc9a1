"""Submissions and deeds of the desk that come while the next season is announced: none is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.league import bench_bot, load_league, submit, unbench_bot, withdraw_bot
from harness.league.season import announce
from harness.store import Store
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def rounds_of(table: Table, bot: str) -> set[tuple[int, int]]:
    """The seasons and rounds in which it played."""
    return {(fixture.season, fixture.round) for fixture in table.played if bot in {seat.bot for seat in fixture.seats}}


def test_a_submission_while_the_next_season_is_announced_is_not_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce_season = Store.announce_season

    def late(store: Store, league: str, number: int, *rest: Any, **more: Any) -> Any:
        if number == 2:
            desk.submit("eve")  # the entries of season 1 have been read by now
        return announce_season(store, league, number, *rest, **more)

    monkeypatch.setattr(Store, "announce_season", late)
    table = Table()
    desk.run(table, follow=True, rounds=3)
    assert min(rounds_of(table, "eve")) == (2, 1)


def test_a_submission_to_a_season_that_is_followed_meanwhile_enters_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.run()
    enter = Store.enter

    def late(store: Store, season_id: str, *rest: Any) -> int | None:
        if season_id == "test/1":
            league = load_league(desk.file)
            announce(league, league.load_bots(), store, store.season("test"), lambda event: None)
        return enter(store, season_id, *rest)

    desk.write_bot("eve")
    monkeypatch.setattr(Store, "enter", late)
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "eve", desk.folder, lambda event: None)
        assert (done.season, done.round, done.changed) == (2, 1, True)
        assert "eve" in [entry.bot for entry in store.entries("test/2", 1)]


DEEDS = {"bench": bench_bot, "unbench": unbench_bot, "withdraw": withdraw_bot}
ACTS = {"bench": "benched", "unbench": "let-in", "withdraw": "withdrawn"}


@pytest.fixture
def over(desk: Desk) -> Desk:
    """With a season that is over, and out of the next by the organiser's hand is ada."""
    desk.settings |= {"rounds": "1"}
    desk.bots += ["eve"]
    desk.write_bot("eve")
    desk.run()
    with desk.store() as store:
        bench_bot(load_league(desk.file), store, "ada")
    return desk


def newest_act(desk: Desk, season_id: str, bot: str) -> str:
    with desk.store() as store:
        return store.entry_changes(season_id)[bot][-1].act


@pytest.mark.parametrize(("deed", "bot"), [("bench", "bob"), ("unbench", "ada"), ("withdraw", "bob")])
def test_a_deed_of_the_desk_while_the_next_season_is_announced_is_not_lost(
    over: Desk, deed: str, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce_season = Store.announce_season
    done = []

    def late(store: Store, *rest: Any, **more: Any) -> Any:
        if not done:
            # The entries of season 1 have been read by now.
            with over.store() as other:
                done.append(DEEDS[deed](load_league(over.file), other, bot))
        return announce_season(store, *rest, **more)

    monkeypatch.setattr(Store, "announce_season", late)
    table = Table()
    over.run(table, follow=True, rounds=1)
    assert [(one.season, one.round) for one in done] == [(2, 1)]
    assert rounds_of(table, bot) == ({(2, 1)} if deed == "unbench" else set())
    assert newest_act(over, "test/2", bot) == ("entered" if deed == "unbench" else ACTS[deed])


@pytest.mark.parametrize(
    ("deed", "bot", "method"), [("bench", "bob", "bench"), ("unbench", "ada", "enter"), ("withdraw", "bob", "withdraw")]
)
def test_a_deed_in_a_season_that_is_followed_meanwhile_is_done_in_the_next(
    over: Desk, deed: str, bot: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = getattr(Store, method)

    def late(store: Store, season_id: str, *rest: Any, **more: Any) -> Any:
        if season_id == "test/1":
            league = load_league(over.file)
            announce(league, league.load_bots(), store, store.season("test"), lambda event: None, follow=True)
        return write(store, season_id, *rest, **more)

    monkeypatch.setattr(Store, method, late)
    before = newest_act(over, "test/1", bot)
    with over.store() as store:
        done = DEEDS[deed](load_league(over.file), store, bot)
    assert (done.bot, done.season, done.round) == (bot, 2, 1)
    assert newest_act(over, "test/1", bot) == before
    assert newest_act(over, "test/2", bot) == ACTS[deed]
