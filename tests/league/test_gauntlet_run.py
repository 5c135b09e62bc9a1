"""Gauntlets as runs: they end when the candidate is known well enough, and not a round later after a stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.league import (
    IntervalReached,
    SeasonEnded,
    bench_bot,
    check_season,
    load_league,
    withdraw_bot,
    write_lines,
)
from tests.league.desk import Desk, Table

BOTS = ("ada", "bob", "cyd", "dot", "eve")
DEPTHS = {bot: 2 + place % 3 for place, bot in enumerate(BOTS)}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.format = "gauntlet"
    made.options = {"bot": '"ada"', "width": "4.0"}
    made.settings |= {"rounds": "40", "games": "5"}
    for bot in BOTS:
        made.write_bot(bot)
    made.bots = list(BOTS)
    return made


def half_width(desk: Desk) -> float:
    with desk.store() as store:
        line = next(line for line in store.official("test/1") if line.bot == "ada")
    return (line.high - line.low) / 2


def test_it_ends_with_the_first_round_after_which_the_interval_is_narrow_enough(desk: Desk) -> None:
    table = Table(depths=DEPTHS)
    summary = desk.run(table)
    (reached,) = desk.of(IntervalReached)
    assert reached.bot == "ada"
    assert reached.rounds == summary.rounds_over < 40
    assert desk.of(SeasonEnded)[0].complete
    assert half_width(desk) == (reached.high - reached.low) / 2 <= 4.0
    assert {seat.bot for fixture in table.played for seat in fixture.seats} == set(BOTS)
    assert all("ada" in {seat.bot for seat in fixture.seats} for fixture in table.played)
    with desk.store() as store:
        report = check_season((line[:-1] for line in write_lines(store.season_lines("test/1"))), "season")
    assert (report.problem, report.rounds) == (None, summary.rounds_over)


def test_one_round_less_was_not_enough(desk: Desk, tmp_path: Path) -> None:
    rounds = desk.run(Table(depths=DEPTHS)).rounds_over
    (tmp_path / "less").mkdir()
    less = Desk(tmp_path / "less")
    less.format, less.options, less.settings, less.bots = desk.format, desk.options, dict(desk.settings), desk.bots
    less.settings["rounds"] = str(rounds - 1)
    for bot in BOTS:
        less.write_bot(bot)
    assert less.run(Table(depths=DEPTHS)).ended
    assert less.of(IntervalReached) == []
    assert half_width(less) > 4.0


def test_stopped_after_every_round_it_ends_with_the_same_one(desk: Desk, tmp_path: Path) -> None:
    whole = desk.run(Table(depths=DEPTHS)).rounds_over
    (tmp_path / "stopped").mkdir()
    stopped = Desk(tmp_path / "stopped")
    stopped.format, stopped.options, stopped.bots = desk.format, desk.options, desk.bots
    stopped.settings = dict(desk.settings)
    for bot in BOTS:
        stopped.write_bot(bot)
    for _ in range(whole + 1):
        stopped.run(Table(depths=DEPTHS), rounds=1)
    assert stopped.dump() == desk.dump()


def test_a_budget_that_is_spent_ends_it_too(desk: Desk) -> None:
    desk.options["width"] = "0.2"
    desk.settings["rounds"] = "3"
    assert desk.run(Table(depths=DEPTHS)).rounds_over == 3
    assert desk.of(IntervalReached) == []


def test_who_is_put_out_after_it_ended_early_is_out_of_the_next_season(desk: Desk) -> None:
    desk.run(Table(depths=DEPTHS))
    with desk.store() as store:
        assert bench_bot(load_league(desk.file), store, "bob").season == 2
        assert withdraw_bot(load_league(desk.file), store, "cyd").season == 2
    table = Table(depths=DEPTHS)
    desk.run(table, new_season=True, rounds=1)
    assert {seat.bot for fixture in table.played for seat in fixture.seats} == {"ada", "dot", "eve"}


@pytest.mark.parametrize("deed", [bench_bot, withdraw_bot])
def test_without_its_candidate_a_season_says_how_to_get_it_back(desk: Desk, deed: Callable[..., object]) -> None:
    desk.run(Table(depths=DEPTHS), rounds=1)
    with desk.store() as store:
        deed(load_league(desk.file), store, "ada")
    way = "unbench ada" if deed is bench_bot else r"harness submit \S+ BOT"
    with pytest.raises(LeagueFileError, match=rf"'ada' is not entered; let it in again with `.*{way}"):
        desk.run(Table(depths=DEPTHS))


def test_the_candidate_can_t_be_an_anchor(desk: Desk) -> None:
    desk.anchors = {"ada"}
    with pytest.raises(LeagueFileError, match=r"bots\[0\]\.anchor: 'ada' is the bot that is tried"):
        desk.run(Table(depths=DEPTHS))
