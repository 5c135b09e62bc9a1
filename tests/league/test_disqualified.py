"""Disqualification: what it does to the games already played, to those to come, and to the seasons after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.errors import BadInput, LeagueFileError, StoreError
from harness.executors import Failure, Outcome
from harness.league import (
    check_season,
    disqualify_bot,
    list_bots,
    load_league,
    unbench_bot,
    void_match,
    withdraw_bot,
    write_lines,
)
from harness.league.desk import Disqualification
from harness.protocol import MatchName
from harness.ratings import Ladder, Parameters, match_ranks
from harness.referee import Fixture
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.write_bot("eve")
    made.bots.append("eve")
    made.settings["rounds"] = "4"
    return made


def disqualify(desk: Desk, bot: str, reason: str = "looked at the deck") -> Disqualification:
    with desk.store() as store:
        return disqualify_bot(load_league(desk.file), store, bot, reason)


def state(desk: Desk, bot: str) -> str:
    with desk.store() as store:
        row = store.season("test")
        assert row is not None
        return next(one.state for one in list_bots(store, row) if one.bot == bot)


def test_no_match_with_it_counts_and_what_is_left_is_rated_as_if_they_had_never_been(desk: Desk) -> None:
    desk.run(rounds=2)
    with desk.store() as store:
        before = list(store.records("test/1"))
    withs = [one for one in before if "bob" in {seat["bot"] for seat in one["seats"]}]
    done = disqualify(desk, "bob")
    assert (done.voided, done.voided_in, done.season, done.round) == (len(withs), 1, 1, 3)
    assert withs
    ladder = Ladder(Parameters())
    for record in before:
        if record not in withs:
            ladder.apply(match_ranks(record))
    with desk.store() as store:
        assert [record["match"] for record in store.records("test/1")] == [
            record["match"] for record in before if record not in withs
        ]
        assert store.ratings("test/1") == ladder.ratings
        assert {void.reason for void in store.voids("test/1")} == {"bob is disqualified: looked at the deck"}
    table = Table()
    desk.run(table)
    assert "bob" not in {seat.bot for fixture in table.played for seat in fixture.seats}
    with desk.store() as store:
        assert "bob" not in {line.bot for line in store.official("test/1")}
        report = check_season((line[:-1] for line in write_lines(store.season_lines("test/1"))), "season")
    assert (report.problem, report.voided) == (None, len(withs))


def test_in_an_open_round_its_matches_to_come_are_left_out(desk: Desk) -> None:
    asked: list[str] = []

    def strike(fixture: object) -> None:
        if not asked:
            asked.append("bob")
            disqualify(desk, "bob")

    assert desk.run(Table(spoil=strike)).ended
    with desk.store() as store:
        played = {seat["bot"] for record in store.records("test/1") for seat in record["seats"]}
        assert "bob" not in played
        assert {"ada", "cyd"} <= played
        report = check_season((line[:-1] for line in write_lines(store.season_lines("test/1"))), "season")
    assert report.problem is None


def test_it_stays_out_of_the_seasons_after_until_it_is_let_in(desk: Desk) -> None:
    desk.settings["rounds"] = "1"
    desk.run()
    disqualify(desk, "bob")
    for _ in range(2):
        table = Table()
        desk.run(table, new_season=True)
        assert "bob" not in {seat.bot for fixture in table.played for seat in fixture.seats}
        assert state(desk, "bob") == "disqualified"
    with pytest.raises(LeagueFileError, match=r"bob is disqualified.*harness bots .* unbench bob"):
        desk.submit("bob", "print(1)\n")
    desk.write_bot("bob")
    with desk.store() as store:
        unbench_bot(load_league(desk.file), store, "bob")
    table = Table()
    desk.run(table, new_season=True)
    assert "bob" in {seat.bot for fixture in table.played for seat in fixture.seats}
    with desk.store() as store:
        assert store.voids("test/1"), "what was voided stays void"


def test_a_match_that_was_void_already_keeps_its_reason(desk: Desk) -> None:
    desk.run(rounds=1)
    with desk.store() as store:
        first = next(one["match"] for one in store.records("test/1") if "bob" in str(one["seats"]))
        void_match(load_league(desk.file), store, MatchName.parse(first), "a wrong deck")
    disqualify(desk, "bob")
    with desk.store() as store:
        reasons = {void.match: void.reason for void in store.voids("test/1")}
    assert reasons.pop(first) == "a wrong deck"
    assert set(reasons.values()) == {"bob is disqualified: looked at the deck"}


def test_of_a_season_that_is_over_the_official_table_is_made_anew(desk: Desk) -> None:
    desk.settings |= {"rounds": "3", "games": "10"}
    desk.run(Table(depths={"ada": 3, "bob": 2}))
    with desk.store() as store:
        before = {line.bot: line for line in store.official("test/1")}
    assert set(before) == {"ada", "bob", "cyd", "dot", "eve"}
    disqualify(desk, "ada")
    with desk.store() as store:
        after = {line.bot: line for line in store.official("test/1")}
        assert list(after.values()) == store.season_table("test/1")
    assert set(after) == {"bob", "cyd", "dot", "eve"}
    assert after["bob"].games < before["bob"].games


@pytest.mark.parametrize(
    ("reason", "says"), [(" \n", "reason: empty"), ("x" * 201, "201 characters"), ("a\x1bb", "can't be seen")]
)
def test_a_reason_that_can_t_stand_in_a_line_is_refused(desk: Desk, reason: str, says: str) -> None:
    desk.run(rounds=1)
    with pytest.raises(BadInput, match=says):
        disqualify(desk, "bob", reason)
    assert state(desk, "bob") == "plays"


def test_who_is_disqualified_can_t_be_so_again_nor_be_withdrawn(desk: Desk) -> None:
    desk.run(rounds=1)
    disqualify(desk, "bob")
    with pytest.raises(StoreError, match="disqualified already"):
        disqualify(desk, "bob")
    with desk.store() as store, pytest.raises(StoreError, match="disqualified already"):
        withdraw_bot(load_league(desk.file), store, "bob")


def test_neither_a_bench_nor_a_submission_that_comes_late_lets_it_in(desk: Desk) -> None:
    desk.run(rounds=1)
    version = desk.entered(1)["bob"]
    disqualify(desk, "bob")
    with desk.store() as store:
        # As those do who have read the entries before it was disqualified.
        with pytest.raises(StoreError, match="disqualified already"):
            store.bench("test/1", "bob", 2)
        with pytest.raises(StoreError, match="bob is disqualified"):
            store.enter("test/1", "bob", version, 2)
    assert state(desk, "bob") == "disqualified"


def test_of_lost_matches_that_it_explains_nobody_else_is_benched(desk: Desk) -> None:
    lost = {"test/1/1/1", "test/1/1/2"}

    def lose(fixture: Fixture) -> Sequence[Outcome] | None:
        if fixture.match in lost:
            return [Failure(fixture, "a worker ended with signal 9", 3, machine=False)]
        return None

    table = Table(spoil=lose)
    desk.run(table, rounds=1)
    shared = set.intersection(
        *({seat.bot for seat in fixture.seats} for fixture in table.played if fixture.match in lost)
    )
    assert shared, "the two tables share somebody"
    for bot in sorted(shared):
        disqualify(desk, bot)
        break
    desk.run(rounds=1)
    with desk.store() as store:
        acts = {bot: changes[-1].act for bot, changes in store.entry_changes("test/1").items()}
    assert "benched" not in acts.values()
