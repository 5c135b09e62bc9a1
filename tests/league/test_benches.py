"""Faults, matches that kill their workers, and the bench."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from harness.executors import Failure, Outcome, Retry
from harness.league import (
    BotBenched,
    FaultSeen,
    MatchVoided,
    WorkerLost,
)
from harness.referee import Fixture
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_faults_are_told_and_too_many_bench_a_bot_at_the_next_opening(desk: Desk) -> None:
    desk.settings |= {"rounds": "4", "max_forfeits": "3"}
    table = Table(forfeiter="ada")
    desk.run(table)
    faults = desk.of(FaultSeen)
    assert {(fault.bot, fault.kind) for fault in faults} == {("ada", "crashed")}
    in_first = sum("ada" in {s.bot for s in f.seats} for f in table.played if f.round == 1)
    expected = 2 if in_first > 3 else 3
    (benched,) = desk.of(BotBenched)
    assert (benched.bot, benched.round) == ("ada", expected)
    assert "the league allows 3" in benched.reason
    assert max(f.round for f in table.played if "ada" in {s.bot for s in f.seats}) == expected - 1


def test_a_bot_that_the_organiser_lets_in_again_starts_with_no_faults(desk: Desk) -> None:
    desk.settings |= {"rounds": "5", "max_forfeits": "2"}
    desk.run(Table(forfeiter="ada"), rounds=2)
    (benched,) = desk.of(BotBenched)
    assert "ada" not in desk.entered(benched.round)
    with desk.store() as store:
        version = store.newest_versions("test/1")["ada"]
        store.enter("test/1", "ada", version, 3)
    table = Table()
    desk.run(table)
    assert desk.of(BotBenched) == []
    assert "ada" in {seat.bot for fixture in table.played for seat in fixture.seats}


def give_up(*matches: str) -> Callable[[Fixture], Sequence[Outcome] | None]:
    def spoil(fixture: Fixture) -> Sequence[Outcome] | None:
        if fixture.match not in matches:
            return None
        reason = "a worker ended with signal 9"
        return [
            Retry(fixture, reason, 1),
            Retry(fixture, reason, 2),
            Failure(fixture, reason, 3, machine=False),
        ]

    return spoil


@pytest.mark.parametrize("match", ["test/1/1/1", "test/1/1/2", "test/1/1/4", "test/1/2/4"])
def test_a_match_that_kills_its_workers_is_voided_and_the_season_goes_on(desk: Desk, match: str) -> None:
    summary = desk.run(Table(spoil=give_up(match)))
    assert [lost.tries for lost in desk.of(WorkerLost)] == [1, 2]
    (voided,) = desk.of(MatchVoided)
    assert (voided.match, voided.reason) == (match, "a worker ended with signal 9")
    assert (summary.voided, summary.ended) == (1, True)
    assert desk.of(BotBenched) == []
    with desk.store() as store:
        (line,) = [line for line in store.season_lines("test/1") if "void" in line]
    assert line == {"void": match, "reason": "given up: a worker was lost in each of its three tries"}


def test_a_bot_that_sat_in_two_such_matches_is_benched(desk: Desk) -> None:
    desk.settings["rounds"] = "3"
    table = Table(spoil=give_up("test/1/1/1", "test/1/1/2"))
    desk.bots += ["eve", "fay", "gus"]
    for bot in desk.bots:
        desk.write_bot(bot)
    desk.run(table)
    seats = [{seat.bot for seat in f.seats} for f in table.played if f.match in ("test/1/1/1", "test/1/1/2")]
    assert {event.bot for event in desk.of(BotBenched)} == seats[0] & seats[1]
    assert all(event.round == 2 and "workers died" in event.reason for event in desk.of(BotBenched))


def test_the_bench_for_lost_workers_survives_the_end_of_the_run(desk: Desk) -> None:
    desk.settings["rounds"] = "3"
    desk.bots += ["eve", "fay", "gus"]
    for bot in desk.bots:
        desk.write_bot(bot)
    table = Table(spoil=give_up("test/1/1/1", "test/1/1/2"))
    desk.run(table, rounds=1)
    assert desk.of(BotBenched) == []
    seats = [{seat.bot for seat in f.seats} for f in table.played if f.match in ("test/1/1/1", "test/1/1/2")]
    desk.run()
    assert {event.bot for event in desk.of(BotBenched)} == seats[0] & seats[1]


def test_what_an_organiser_voids_benches_nobody(desk: Desk) -> None:
    desk.settings["rounds"] = "3"
    desk.run(rounds=1)
    with desk.store() as store:
        for number in (1, 2, 3):
            store.void("test/1", 1, number, "given up by us")
    desk.run()
    assert desk.of(BotBenched) == []
