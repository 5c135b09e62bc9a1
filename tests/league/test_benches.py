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
    load_league,
    unbench_bot,
)
from harness.league.bench import culprits
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


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        ([], {}),
        (["eab"], {}),
        (["eab", "cdf"], {}),
        (["eab", "ecd"], {"e": 2}),
        (["eab", "eac"], {"e": 2, "a": 2}),
        # a and b sat in two as well, but e explains them.
        (["eab", "eac", "edb"], {"e": 3}),
        (["eab", "eac", "edb", "cfg"], {"e": 3}),
        (["eab", "ead", "edb", "cfg", "chg"], {"e": 3, "c": 2, "g": 2}),
        # Two that kill: together they are equal, apart the second has two matches of its own.
        (["ea", "eb", "fc", "fd"], {"e": 2, "f": 2}),
        (["ea", "eb", "ec", "ef", "fa", "fb"], {"e": 4, "f": 2}),
        (["ea", "eb", "ef", "fc"], {"e": 3}),
        (["abc", "abc"], {"a": 2, "b": 2, "c": 2}),
    ],
)
def test_lost_matches_point_to_who_is_common_to_most_and_then_to_who_is_left(
    lost: list[str], expected: dict[str, int]
) -> None:
    assert culprits(lost) == expected
    assert culprits([match[::-1] for match in reversed(lost)]) == expected


def killer(bot: str, rounds: int) -> Callable[[Fixture], Sequence[Outcome] | None]:
    """Every match of the first rounds with this bot is lost."""

    def spoil(fixture: Fixture) -> Sequence[Outcome] | None:
        if fixture.round > rounds or bot not in {seat.bot for seat in fixture.seats}:
            return None
        return [Failure(fixture, "a worker ended with signal 9", 3, machine=False)]

    return spoil


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_one_bot_that_kills_all_its_matches_benches_no_innocent(desk: Desk, seed: str) -> None:
    desk.settings |= {"rounds": "5", "seed": f'"{seed}"', "seats": "[4]"}
    desk.bots += ["eve", "fay", "gus"]
    for bot in desk.bots:
        desk.write_bot(bot)
    desk.run(Table(spoil=killer("eve", 1)))
    assert [(event.bot, event.round) for event in desk.of(BotBenched)] == [("eve", 2)]
    assert desk.of(BotBenched)[0].reason.startswith("4 matches with it were given up")


def test_what_a_bench_explained_counts_no_more_against_others(desk: Desk) -> None:
    desk.settings |= {"rounds": "6", "seats": "[4]"}
    desk.bots += ["eve", "fay", "gus"]
    for bot in desk.bots:
        desk.write_bot(bot)
    desk.run(Table(spoil=killer("eve", 1)), rounds=1)
    # One more lost match a round, of bots that each lost one beside eve.
    desk.run(Table(spoil=give_up("test/1/2/1")), rounds=2)
    assert [(event.bot, event.round) for event in desk.of(BotBenched)] == [("eve", 2)]
    with desk.store() as store:
        unbench_bot(load_league(desk.file), store, "eve")
    desk.run(Table(spoil=killer("eve", 4)), rounds=2)
    assert [(event.bot, event.round) for event in desk.of(BotBenched)] == [("eve", 5)]
