"""A ladder being played: each round is paired from what the rounds before it came to."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from harness.league import Event, RoundOpened, load_league, void_match
from harness.protocol import MatchName
from tests.league.desk import Desk, Table
from tests.second.ladder import ladder_tables

START = (25.0, 25 / 3)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.format = "ladder"
    desk.settings |= {"rounds": "8", "seats": "[3, 4]"}
    desk.bots += ["eve", "fay", "gus", "hal", "ivy"]
    for bot in desk.bots:
        desk.write_bot(bot)
    return desk


def test_each_round_is_paired_from_the_ratings_seats_and_meetings_after_all_rounds_before(desk: Desk) -> None:
    matches, sat_out, met = Counter[str](), Counter[str](), Counter[frozenset[str]]()
    seats = {bot: [0, 0, 0, 0] for bot in desk.bots}
    checked = []

    def check(event: Event) -> None:
        if not isinstance(event, RoundOpened):
            return
        with desk.store() as store:
            row = store.season("test")
            assert row is not None
            assert row.season_seed is not None
            ratings = store.ratings(row.id)
            tables = [list(table) for table in store.tables(row.id)[event.round]]
        bots = [
            {
                "id": bot,
                "author": bot,
                "mu": ratings[bot].mu if bot in ratings else START[0],
                "sigma": ratings[bot].sigma if bot in ratings else START[1],
                "matches": matches[bot],
                "sat_out": sat_out[bot],
                "seats": seats[bot],
            }
            for bot in desk.bots
        ]
        pairs = [[*pair, times] for pair, times in met.items()]
        assert tables == ladder_tables(bots, pairs, event.round, [3, 4], row.season_seed, start=START)
        checked.append(event.round)
        for table in tables:
            matches.update(table)
            met.update(frozenset(pair) for pair in combinations(table, 2))
            for seat, bot in enumerate(table):
                seats[bot][seat] += 1
        sat_out.update(set(desk.bots) - {bot for table in tables for bot in table})

    desk.run(Table(forfeiter="eve"), check, rounds=3)
    with desk.store() as store:
        # A voided match was a meeting all the same, and its bots have not sat out; the ratings are without it.
        void_match(load_league(desk.file), store, MatchName("test", 1, 2, 1), "a wrong deck")
    desk.run(Table(forfeiter="eve"), check)
    assert checked == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_new_version_is_known_less_well_and_gets_the_first_table(desk: Desk) -> None:
    desk.settings["games"] = "4"
    desk.run(rounds=6)
    with desk.store() as store:
        assert max(rating.sigma for rating in store.ratings("test/1").values()) < START[1] * 0.75
    desk.submit("ivy", "changed = True\n")
    table = Table()
    desk.run(table, rounds=1)
    assert "ivy" in {seat.bot for seat in table.played[0].seats}
    with desk.store() as store:
        assert store.rated_versions("test/1") == store.newest_versions("test/1")


def test_the_order_of_arrival_changes_no_pairing(tmp_path: Path) -> None:
    dumps = []
    for name, backwards in (("one", False), ("two", True)):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name)
        desk.format = "ladder"
        desk.settings |= {"rounds": "5"}
        desk.bots += ["eve", "fay", "gus"]
        for bot in desk.bots:
            desk.write_bot(bot)
        desk.run(Table(forfeiter="bob", backwards=backwards))
        dumps.append(desk.dump())
    assert dumps[0] == dumps[1]
