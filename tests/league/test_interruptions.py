"""Runs that end early, by a stop, a death or the machine's failure, and those that go on after them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.errors import HarnessFailure, Interrupted
from harness.executors import Failure, Outcome, StopSignal
from harness.league import Event, LadderMoved, MatchPlayed, load_league, run_league
from harness.referee import Fixture
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_machines_failure_ends_the_run_keeps_what_came_and_the_next_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    undisturbed, desk = Desk(tmp_path / "one"), Desk(tmp_path / "two")
    undisturbed.run()

    def no_space(fixture: Fixture) -> Sequence[Outcome] | None:
        if fixture.match != "test/1/2/2":
            return None
        return [Failure(fixture, "no space left on device", 3, machine=True)]

    with pytest.raises(HarnessFailure, match=r"no space left on device \(tried 3 times\)"):
        desk.run(Table(spoil=no_space))
    told = len(desk.of(MatchPlayed))
    with desk.store() as store:
        assert sum(round_.stored for round_ in store.rounds("test/1")) == told > 0
        assert store.voids("test/1") == []
    table = Table()
    desk.run(table)
    assert table.played[0].match == "test/1/2/2"
    assert desk.dump() == undisturbed.dump()


def test_a_stop_keeps_and_applies_what_came_and_the_next_run_plays_only_the_rest(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    undisturbed, desk = Desk(tmp_path / "one"), Desk(tmp_path / "two")
    undisturbed.run()
    stop = StopSignal()
    table = Table(spoil=lambda fixture: stop.request() if fixture.match == "test/1/1/2" else None)
    with pytest.raises(
        Interrupted, match=r"^stopped in round 1 with 2 of its \d+ matches played; all of it is kept"
    ) as end:
        desk.run(table, stop=stop)
    assert end.value.exit_status == 130
    with desk.store() as store:
        (round_,) = store.rounds("test/1")
        assert (round_.stored, round_.applied) == (2, 2)
    rest = Table()
    desk.run(rest)
    assert {f.match for f in table.played} & {f.match for f in rest.played} == set()
    assert desk.dump() == undisturbed.dump()


def test_a_stop_between_rounds_opens_no_more(desk: Desk) -> None:
    stop = StopSignal()
    last = 0

    def spoil(fixture: Fixture) -> None:
        nonlocal last
        last = max(last, fixture.number)
        if fixture.number == 4:
            stop.request()

    with pytest.raises(Interrupted, match=r"^stopped before round 2"):
        desk.run(Table(spoil=spoil), stop=stop)
    assert last == 4, "four bots at tables of three make four matches a round"
    with desk.store() as store:
        assert [round_.state for round_ in store.rounds("test/1")] == ["over"]


class CrashError(Exception):
    """Stands for a death of the process at an event."""


@pytest.mark.parametrize("at", range(14))
def test_wherever_a_run_dies_the_next_one_ends_the_same(tmp_path: Path, at: int) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    undisturbed, desk = Desk(tmp_path / "one"), Desk(tmp_path / "two")
    undisturbed.run(Table(forfeiter="ada"))
    left = at

    def tell(event: Event) -> None:
        nonlocal left
        if isinstance(event, LadderMoved):
            return
        left -= 1
        if left < 0:
            raise CrashError

    with desk.store() as store, pytest.raises(CrashError):
        run_league(load_league(desk.file), store, tell=tell, stop=StopSignal(), executor=Table(forfeiter="ada"))
    desk.run(Table(forfeiter="ada"))
    assert desk.dump() == undisturbed.dump()
