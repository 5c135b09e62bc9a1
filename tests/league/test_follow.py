"""A run that follows: season after season, with what is submitted on the way, and waiting where nobody can play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import Interrupted, LeagueFileError
from harness.executors import Failure, StopSignal
from harness.league import (
    BotBenched,
    Event,
    LadderMoved,
    MatchPlayed,
    RoundOpened,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    Waiting,
    bench_bot,
    load_league,
    submit,
    unbench_bot,
    withdraw_bot,
)
from harness.store import Store
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def at(kind: type, count: int, do: Callable[[], object]) -> Callable[[Event], None]:
    """Does it at the count-th event of a kind."""
    left = count

    def tell(event: Event) -> None:
        nonlocal left
        if isinstance(event, kind):
            left -= 1
            if left == 0:
                do()

    return tell


def played(table: Table) -> list[tuple[int, int]]:
    """Season and round of each match, once each."""
    return sorted({(fixture.season, fixture.round) for fixture in table.played})


def versions(table: Table, bot: str) -> dict[tuple[int, int], str]:
    return {
        (fixture.season, fixture.round): seat.version
        for fixture in table.played
        for seat in fixture.seats
        if seat.bot == bot
    }


def test_behind_a_season_the_next_begins_with_its_ratings(desk: Desk) -> None:
    table = Table()
    summary = desk.run(table, follow=True, rounds=5)
    assert played(table) == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    kinds = [type(event) for event in desk.told if not isinstance(event, MatchPlayed | LadderMoved)]
    assert [kind for kind in kinds if kind in (SeasonAnnounced, SeasonEnded)] == [
        SeasonAnnounced, SeasonEnded, SeasonAnnounced, SeasonEnded, SeasonAnnounced
    ]  # fmt: skip
    assert (summary.season, summary.rounds, summary.rounds_over, summary.ended) == (3, 5, 1, False)
    assert summary.played == len(table.played)
    with desk.store() as store:
        assert [row.state for row in store.seasons("test")] == ["ended", "ended", "running"]
        carried = {bot: rating.mu for bot, rating in store.ratings("test/1").items()}
        line = next(iter(store.history("test/2")))
        assert line.before.mu == carried[line.bot]


def test_as_many_rounds_as_asked_for_end_a_season_and_begin_no_other(desk: Desk) -> None:
    summary = desk.run(follow=True, rounds=4)
    assert (summary.season, summary.ended) == (2, True)
    with desk.store() as store:
        assert [row.number for row in store.seasons("test")] == [1, 2]


@pytest.mark.parametrize("wanted", [{}, {"season": 1}])
def test_a_season_that_is_over_is_followed_by_the_next(desk: Desk, wanted: dict[str, Any]) -> None:
    desk.run()
    table = Table()
    assert desk.run(table, follow=True, rounds=1, **wanted).season == 2
    assert played(table) == [(2, 1)]


def test_a_season_under_way_is_gone_on_with(desk: Desk) -> None:
    desk.run(rounds=1)
    table = Table()
    desk.run(table, follow=True, rounds=2, season=1)
    assert isinstance(desk.told[0], SeasonResumed)
    assert played(table) == [(1, 2), (2, 1)]


def test_another_season_than_the_newest_can_not_be_followed(desk: Desk) -> None:
    desk.run(follow=True, rounds=3)
    with pytest.raises(LeagueFileError, match=r"season 1 is over, and --follow goes on with the newest, 2; leave"):
        desk.run(follow=True, season=1)


def test_a_new_season_can_be_followed(desk: Desk) -> None:
    desk.run(rounds=1)
    table = Table()
    desk.run(table, follow=True, new_season=True, rounds=3)
    assert played(table) == [(2, 1), (2, 2), (3, 1)]


def test_what_is_submitted_in_a_round_plays_from_the_next(desk: Desk) -> None:
    desk.settings["rounds"] = "3"

    def submissions() -> None:
        desk.submit("eve")
        desk.submit("bob", "changed = True\n")

    table = Table()
    desk.run(table, at(RoundOpened, 1, submissions), follow=True, rounds=2)
    assert sorted(versions(table, "eve")) == [(1, 2)]
    bob = versions(table, "bob")
    assert bob[1, 1] != bob[1, 2]


@pytest.mark.parametrize("when", [1, 2])
def test_a_version_submitted_in_a_season_plays_on_in_the_next(desk: Desk, when: int) -> None:
    def submissions() -> None:
        desk.submit("eve")
        desk.submit("bob", "changed = True\n")

    table = Table()
    desk.run(table, at(RoundOpened, when, submissions), follow=True, rounds=4)
    bob = versions(table, "bob")
    assert bob[2, 1] == bob[2, 2] != bob[1, 1]
    assert {(2, 1), (2, 2)} <= set(versions(table, "eve"))


def test_a_submission_in_the_last_round_says_that_it_plays_in_the_next_season(desk: Desk) -> None:
    done = []

    def enter() -> None:
        desk.write_bot("eve")
        with desk.store() as store:
            done.append(submit(load_league(desk.file), store, "eve", desk.folder, lambda event: None))

    table = Table()
    desk.run(table, at(RoundOpened, 2, enter), follow=True, rounds=3)
    assert [(one.season, one.round) for one in done] == [(2, 1)]
    assert min(versions(table, "eve")) == (2, 1)


def test_the_league_file_is_read_again_for_each_season(desk: Desk) -> None:
    def change() -> None:
        desk.settings["rounds"] = "1"
        assert desk.file.is_file()

    table = Table()
    desk.run(table, at(RoundOpened, 1, change), follow=True, rounds=4)
    assert played(table) == [(1, 1), (1, 2), (2, 1), (3, 1)]


def test_a_file_that_has_become_another_leagues_ends_the_run(desk: Desk) -> None:
    file = desk.file

    def change() -> None:
        file.write_text(file.read_text().replace('name = "test"', 'name = "other"'))

    with pytest.raises(LeagueFileError, match=r"league.name: 'other', and 'test' when the run began; put it back"):
        desk.run(Table(), at(RoundOpened, 1, change), follow=True)
    with desk.store() as store:
        assert store.season("other") is None


def withdraw(desk: Desk, *bots: str) -> None:
    with desk.store() as store:
        for bot in bots:
            withdraw_bot(load_league(desk.file), store, bot)


def test_where_too_few_are_entered_it_waits_for_a_submission_and_says_so_once(desk: Desk) -> None:
    desk.settings |= {"rounds": "3", "seats": "[4]"}
    desk.run(rounds=1)
    withdraw(desk, "cyd", "dot")

    def first(event: Event) -> None:
        if isinstance(event, Waiting):
            desk.submit("eve")
            desk.submit("fay")

    table = Table()
    desk.run(table, first, follow=True, rounds=1)
    (waited,) = desk.of(Waiting)
    assert (waited.season, waited.round) == (1, 2)
    assert waited.reason == "2 bots can't fill a table of 4"
    assert waited.mend == f"enter other bots with `harness submit {desk.file} BOT`"
    assert {seat.bot for fixture in table.played for seat in fixture.seats} == {"ada", "bob", "eve", "fay"}
    assert played(table) == [(1, 2)]


def test_what_does_not_help_enough_is_waited_on_with_the_new_reason(desk: Desk) -> None:
    desk.settings |= {"rounds": "3", "seats": "[4]"}
    desk.run(rounds=1)
    withdraw(desk, "cyd", "dot")
    more = iter(["eve", "fay"])

    def one_each_time(event: Event) -> None:
        if isinstance(event, Waiting):
            desk.submit(next(more))

    desk.run(Table(), one_each_time, follow=True, rounds=1)
    assert [event.reason for event in desk.of(Waiting)] == [
        "2 bots can't fill a table of 4",
        "3 bots can't fill a table of 4",
    ]


def test_a_benched_bot_is_waited_for_and_named(desk: Desk) -> None:
    desk.settings |= {"rounds": "3", "seats": "[4]", "max_forfeits": "1"}
    desk.run(Table(forfeiter="bob"), rounds=1)

    def let_in() -> None:
        with desk.store() as store:
            unbench_bot(load_league(desk.file), store, "bob")

    table = Table()
    desk.run(table, at(Waiting, 1, let_in), follow=True, rounds=1)
    (waited,) = desk.of(Waiting)
    assert [event.bot for event in desk.of(BotBenched)] == ["bob"]
    assert f"`harness bots {desk.file} unbench bob`" in waited.mend
    assert played(table) == [(1, 2)]


def test_a_stop_ends_the_wait(desk: Desk) -> None:
    desk.settings |= {"seats": "[4]"}
    desk.run(rounds=1)
    withdraw(desk, "dot")
    before = desk.dump()
    with StopSignal() as stop, pytest.raises(Interrupted, match=r"^stopped while round 2 waited for bots; .* go on$"):
        desk.run(Table(), at(Waiting, 1, stop.request), follow=True, stop=stop)
    assert desk.dump() == before


def test_a_stop_between_two_seasons_announces_no_more(desk: Desk) -> None:
    stop = StopSignal()
    with pytest.raises(Interrupted, match=r"^stopped behind season 1; "):
        desk.run(Table(), at(SeasonEnded, 1, stop.request), follow=True, stop=stop)
    with desk.store() as store:
        assert [row.number for row in store.seasons("test")] == [1]


def bench(desk: Desk, bot: str) -> None:
    with desk.store() as store:
        bench_bot(load_league(desk.file), store, bot)


def test_who_is_out_at_the_end_stays_out_until_somebody_has_looked(desk: Desk) -> None:
    desk.bots += ["eve", "fay"]
    for bot in desk.bots:
        desk.write_bot(bot)

    def put_out() -> None:
        desk.submit("gus")
        bench(desk, "ada")
        bench(desk, "gus")
        withdraw(desk, "fay")

    def look() -> None:
        with desk.store() as store:
            unbench_bot(load_league(desk.file), store, "ada")
            unbench_bot(load_league(desk.file), store, "gus")
        desk.submit("fay")

    table = Table()
    early, late = at(RoundOpened, 1, put_out), at(RoundOpened, 3, look)

    def both(event: Event) -> None:
        early(event)
        late(event)

    desk.run(table, both, follow=True, rounds=4)
    for bot in ("ada", "fay"):
        assert set(versions(table, bot)) == {(1, 1), (2, 2)}, bot
    assert set(versions(table, "gus")) == {(2, 2)}


def test_who_begins_a_season_by_hand_lets_all_of_the_file_in_again(desk: Desk) -> None:
    desk.run(rounds=1)
    bench(desk, "ada")
    table = Table()
    desk.run(table, new_season=True, follow=True, rounds=1)
    assert (2, 1) in versions(table, "ada")


class CrashError(Exception):
    """Stands for a death of the process at an event."""


def death() -> None:
    raise CrashError


def test_a_run_that_dies_behind_an_announcement_has_put_out_who_is_kept_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.settings["rounds"] = "2"
    desk.bots += ["eve"]
    desk.write_bot("eve")
    desk.run(rounds=1)
    bench(desk, "ada")
    announce_season = Store.announce_season

    def die(*rest: Any, **more: Any) -> Any:
        announce_season(*rest, **more)
        death()

    with monkeypatch.context() as patched:
        patched.setattr(Store, "announce_season", die)
        with pytest.raises(CrashError):
            desk.run(follow=True)
    with desk.store() as store:
        assert [row.number for row in store.seasons("test")] == [1, 2]
    assert desk.entered(1).keys() == {"bob", "cyd", "dot", "eve"}
    table = Table()
    desk.run(table, follow=True, rounds=1)
    assert played(table) == [(2, 1)]
    assert versions(table, "ada") == {}


@pytest.mark.parametrize("format_", ["round-robin", "ladder"])
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        (RoundOpened, 1),
        (MatchPlayed, 2),
        (RoundOpened, 2),
        (SeasonEnded, 1),
        (SeasonAnnounced, 2),
        (RoundOpened, 3),
        (MatchPlayed, 6),
    ],
)
def test_wherever_it_dies_the_next_run_follows_to_the_same(
    tmp_path: Path, format_: str, kind: type, count: int
) -> None:
    desks = []
    for name in ("whole", "broken"):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name)
        desk.format = format_
        desk.settings |= {"seats": "[3, 4]"}
        desk.bots += ["eve", "fay", "gus"]
        for bot in desk.bots:
            desk.write_bot(bot)
        desks.append(desk)
    whole, broken = desks
    whole.run(Table(forfeiter="ada"), follow=True, rounds=4)
    with pytest.raises(CrashError):
        broken.run(Table(forfeiter="ada"), at(kind, count, death), follow=True)
    # The run that died counts no rounds for the next one: that goes on to the end of season 2.
    with broken.store() as store:
        newest = store.season("test")
        assert newest is not None
        over = sum(each.state == "over" for each in store.rounds(newest.id)) + 2 * (newest.number - 1)
    broken.run(Table(forfeiter="ada"), follow=True, rounds=4 - over)
    assert broken.dump() == whole.dump()


def test_with_every_match_given_up_a_ladder_goes_on_and_counts_them_as_met(desk: Desk) -> None:
    desk.format = "ladder"
    desk.settings |= {"rounds": "3", "seats": "[3]"}
    table = Table(
        spoil=lambda fixture: (
            [Failure(fixture, "a worker ended with signal 9", 3, machine=False)] if fixture.round == 1 else None
        )
    )
    desk.run(table)
    tables = [{seat.bot for seat in fixture.seats} for fixture in table.played]
    assert len(tables) == 3, "one table of three, of four bots, in each of three rounds"
    out = [set(desk.bots) - seated for seated in tables]
    assert len({frozenset(one) for one in out}) == 3, "who sat out of a match that was given up has sat out"
