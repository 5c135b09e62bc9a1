"""Seasons with divisions: the first one undivided, then promotion, relegation, withdrawals and newcomers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from harness.league import DivisionsDrawn, check_season, load_league, withdraw_bot, write_lines
from harness.ratings import Strength
from tests.league.desk import Desk, Table

BOTS = ("ada", "bob", "cyd", "dot", "eve", "fay", "gil", "hal")
DEPTHS = {bot: depth for depth, bot in enumerate(BOTS, start=1)}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.format = "divisions"
    made.options = {"count": "2", "move": "1"}
    made.settings |= {"rounds": "4", "games": "4"}
    for bot in BOTS:
        made.write_bot(bot)
    made.bots = list(BOTS)
    return made


def play(desk: Desk, **wanted: bool) -> Table:
    table = Table(depths=DEPTHS)
    desk.run(table, **wanted)
    return table


def divisions(desk: Desk, season: int) -> list[list[str]]:
    with desk.store() as store:
        row = store.season("test", season)
        assert row is not None
        found: list[list[str]] = row.header.get("divisions", [])
        return found


def official(desk: Desk, season: int) -> list[Strength]:
    with desk.store() as store:
        return store.official(f"test/{season}")


def problem(desk: Desk, season: int) -> object:
    with desk.store() as store:
        lines = (line[:-1] for line in write_lines(store.season_lines(f"test/{season}")))
        return check_season(lines, "season").problem


def test_the_first_season_is_undivided_and_its_table_cuts_the_field(desk: Desk) -> None:
    table = play(desk)
    assert divisions(desk, 1) == []
    met = {frozenset(pair) for fixture in table.played for pair in pairwise(seat.bot for seat in fixture.seats)}
    assert len(met) > 20, "all play all"
    ranked = [line.bot for line in official(desk, 1)]
    assert sorted(ranked) == sorted(BOTS)
    play(desk, new_season=True)
    assert divisions(desk, 2) == [sorted(ranked[:4]), sorted(ranked[4:])]


def test_divisions_play_apart_and_after_each_season_one_goes_up_and_one_comes_down(desk: Desk) -> None:
    play(desk)
    table = play(desk, new_season=True)
    upper, lower = (set(bots) for bots in divisions(desk, 2))
    for fixture in table.played:
        seated = {seat.bot for seat in fixture.seats}
        assert seated <= upper or seated <= lower
    ranked = official(desk, 2)
    assert {line.bot for line in ranked[:4]} == upper
    assert [line.division for line in ranked] == [1] * 4 + [2] * 4
    assert [line.rank for line in ranked] == list(range(1, 9))
    play(desk, new_season=True)
    down, up = ranked[3].bot, ranked[4].bot
    (drawn,) = desk.of(DivisionsDrawn)
    assert (drawn.season, drawn.up, drawn.down) == (3, (up,), (down,))
    assert [list(bots) for bots in drawn.divisions] == divisions(desk, 3)
    assert divisions(desk, 3) == [sorted((upper - {down}) | {up}), sorted((lower - {up}) | {down})]
    assert [problem(desk, season) for season in (1, 2, 3)] == [None] * 3


def test_who_is_withdrawn_leaves_room_and_who_comes_plays_placement_until_the_season_is_over(desk: Desk) -> None:
    play(desk)
    desk.run(Table(depths=DEPTHS), new_season=True, rounds=1)
    upper, lower = (set(bots) for bots in divisions(desk, 2))
    gone = sorted(upper)[0]
    with desk.store() as store:
        withdraw_bot(load_league(desk.file), store, gone)
    desk.submit("new")
    table = Table(depths={**DEPTHS, "new": 3})
    desk.run(table)
    tables = [(fixture, {seat.bot for seat in fixture.seats}) for fixture in table.played if fixture.season == 2]
    with_new = [seated for _, seated in tables if "new" in seated]
    assert len(with_new) == 3 * 3, "once in every seat in each of the three rounds left"
    assert all(gone not in seated for _, seated in tables)
    assert {bot for seated in with_new for bot in seated} & upper
    assert {bot for seated in with_new for bot in seated} & lower
    for _, seated in tables:
        assert "new" in seated or seated <= upper or seated <= lower
    last = next(line for line in official(desk, 2) if line.bot == "new")
    assert (last.division, last.games) == (0, 9 * 4)
    kept = next(line for line in official(desk, 2) if line.bot == gone)
    assert kept.games > 0, "the games of who withdraws count"
    desk.bots.remove(gone)
    play(desk, new_season=True)
    found = divisions(desk, 3)
    assert sorted(bot for bots in found for bot in bots) == sorted({*BOTS, "new"} - {gone})
    assert [len(bots) for bots in found] == [4, 4]
    assert [problem(desk, season) for season in (1, 2, 3)] == [None] * 3


def test_a_division_that_cannot_fill_a_table_plays_on_with_hosts(desk: Desk) -> None:
    play(desk)
    desk.run(Table(depths=DEPTHS), new_season=True, rounds=1)
    upper = set(divisions(desk, 2)[0])
    with desk.store() as store:
        for bot in sorted(upper)[:2]:
            withdraw_bot(load_league(desk.file), store, bot)
    left = set(sorted(upper)[2:])
    table = Table(depths=DEPTHS)
    assert desk.run(table).ended
    seats = [seat.bot for fixture in table.played for seat in fixture.seats]
    assert all(seats.count(bot) >= 3 * 3 for bot in left)
    assert problem(desk, 2) is None


def test_a_header_s_divisions_are_the_same_however_often_the_run_is_stopped(tmp_path: Path) -> None:
    found = []
    for name, stops in (("one", 0), ("two", 3)):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name)
        desk.format, desk.bots = "divisions", list(BOTS)
        desk.settings |= {"rounds": "4", "games": "4"}
        for bot in BOTS:
            desk.write_bot(bot)
        for new in (False, True, True):
            for stop in range(stops):
                desk.run(Table(depths=DEPTHS, backwards=True), new_season=new and not stop, rounds=1)
            play(desk, new_season=new and not stops)
        found.append(desk.dump())
    assert found[0] == found[1]


def test_a_season_that_is_cut_short_moves_nobody(desk: Desk) -> None:
    play(desk)
    desk.run(Table(depths={**DEPTHS, "ada": 9}), new_season=True, rounds=3)
    before = divisions(desk, 2)
    desk.run(Table(depths=DEPTHS), new_season=True, rounds=1)
    assert divisions(desk, 3) == before != []


def test_a_crowded_division_keeps_no_newcomer_out(desk: Desk) -> None:
    play(desk)
    desk.run(Table(depths=DEPTHS), new_season=True, rounds=1)
    desk.submit("new")
    assert "new" in desk.entered(2)
