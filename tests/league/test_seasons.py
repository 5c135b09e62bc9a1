"""Seasons: announced, played round by round, ended, followed by another."""

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.errors import BadInput, LeagueFileError, StoreError
from harness.game import commitment, match_seed, seed_from_text
from harness.league import (
    BotsContained,
    LadderMoved,
    MatchPlayed,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    load_league,
    submit,
)
from tests.league.desk import BOTS, Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_season_is_announced_played_and_ended_with_its_secret(desk: Desk) -> None:
    summary = desk.run()
    kinds = [type(event) for event in desk.told if not isinstance(event, MatchPlayed | LadderMoved)]
    assert kinds == [SeasonAnnounced, BotsContained, *[RoundOpened, RoundOver] * 2, SeasonEnded]
    secret = seed_from_text("practice")
    assert desk.told[0] == SeasonAnnounced("test", 1, 2, commitment(secret), practice=True)
    assert desk.told[-1] == SeasonEnded("test", 1, secret, complete=True)
    assert (summary.rounds_over, summary.rounds, summary.ended, summary.practice) == (2, 2, True, True)
    assert summary.played == len(desk.of(MatchPlayed)) > 0
    with desk.store() as store:
        row = store.season("test", 1)
        assert row is not None
        assert (row.state, row.secret, row.seq) == ("ended", secret, summary.played)
        assert desk.of(RoundOver)[-1] == RoundOver(2, 2, row.results, row.evidence)


def test_without_a_stated_seed_secrets_are_drawn_and_the_season_is_no_practice(desk: Desk) -> None:
    del desk.settings["seed"]
    desk.run()
    (first,) = desk.of(SeasonEnded)
    desk.run(new_season=True)
    (second,) = desk.of(SeasonEnded)
    assert first.secret != second.secret
    assert len(first.secret) == 32
    assert not desk.of(SeasonAnnounced)[0].practice


def test_fixtures_are_seeded_by_season_round_and_number(desk: Desk) -> None:
    table = Table()
    desk.run(table)
    with desk.store() as store:
        row = store.season("test")
    assert row is not None
    assert row.season_seed is not None
    assert len({fixture.seed for fixture in table.played}) == len(table.played)
    for fixture in table.played:
        assert fixture.seed == match_seed(row.season_seed, 1, fixture.round, fixture.number)
        assert fixture.match == f"test/1/{fixture.round}/{fixture.number}"


def test_sizes_of_tables_take_turns(desk: Desk) -> None:
    desk.settings |= {"seats": "[3, 4]", "rounds": "3"}
    table = Table()
    desk.run(table)
    assert {(fixture.round, len(fixture.seats)) for fixture in table.played} == {(1, 3), (2, 4), (3, 3)}


def test_the_order_of_arrival_changes_nothing_that_can_be_reproduced(tmp_path: Path) -> None:
    dumps = []
    for name, backwards in (("one", False), ("two", True)):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name)
        desk.run(Table(backwards=backwards))
        dumps.append(desk.dump())
    assert dumps[0] == dumps[1]


def test_rounds_limit_a_run_and_the_next_one_goes_on(desk: Desk) -> None:
    desk.settings["rounds"] = "4"
    first = desk.run(rounds=1)
    assert (first.rounds_over, first.ended) == (1, False)
    second = desk.run(rounds=2)
    assert (second.rounds_over, second.rounds, second.ended) == (3, 2, False)
    assert desk.of(SeasonResumed)[0].played == first.played
    third = desk.run()
    assert (third.rounds_over, third.rounds, third.ended) == (4, 1, True)


def test_an_ended_season_has_nothing_to_play(desk: Desk) -> None:
    desk.run()
    before = desk.dump()
    for wanted in ({}, {"season": 1}):
        summary = desk.run(**wanted)
        assert (summary.ended, summary.played) == (True, 0)
        # The ladder is told all the same: it is what the command is run for.
        assert [type(event) for event in desk.told] == [LadderMoved]
    assert desk.dump() == before


def test_a_season_that_is_not_there_is_refused(desk: Desk) -> None:
    with pytest.raises(LeagueFileError, match="no season 2: none has been announced"):
        desk.run(season=2)
    desk.run()
    with pytest.raises(LeagueFileError, match="no season 2: the newest is 1"):
        desk.run(season=2)


def test_season_and_new_season_exclude_each_other(desk: Desk) -> None:
    with pytest.raises(BadInput, match="exclude"):
        desk.run(season=1, new_season=True)


def test_a_new_season_keeps_mu_and_widens_sigma(desk: Desk) -> None:
    desk.settings["rounds"] = "8"
    desk.run(Table(forfeiter="ada"))
    with desk.store() as store:
        before = store.ratings("test/1")
        parameters = store.season("test").parameters  # type: ignore[union-attr]
    desk.write_bot("bob", "changed = True\n")
    desk.run(new_season=True, rounds=0)
    with desk.store() as store:
        after = store.ratings("test/2")
    for bot in BOTS:
        d = 0.4 if bot == "bob" else 0.1
        wider = math.sqrt(before[bot].sigma ** 2 + (d * parameters.sigma) ** 2)
        assert after[bot].mu == before[bot].mu
        assert after[bot].sigma == pytest.approx(min(wider, parameters.sigma), abs=1e-12)
        assert before[bot].sigma < after[bot].sigma <= parameters.sigma


def test_a_new_season_ends_the_one_under_way_as_it_stands(desk: Desk) -> None:
    played = desk.run(rounds=1).played
    desk.run(new_season=True, rounds=1)
    assert desk.told[0] == SeasonEnded("test", 1, seed_from_text("practice"), complete=False)
    assert desk.of(SeasonAnnounced)[0].season == 2
    with desk.store() as store:
        assert [(row.number, row.state) for row in store.seasons("test")] == [(1, "ended"), (2, "running")]
        assert len(list(store.records("test/1"))) == played


def test_a_new_season_takes_over_who_was_submitted_but_not_who_left_the_file(desk: Desk, tmp_path: Path) -> None:
    desk.run(rounds=1)
    desk.write_bot("eve")
    with desk.store() as store:
        assert submit(load_league(desk.file), store, "eve", tmp_path, desk.told.append).changed
    desk.bots.remove("dot")
    desk.run(new_season=True, rounds=0)
    assert set(desk.entered(1)) == {"ada", "bob", "cyd", "eve"}


def test_a_second_run_is_refused_while_one_holds_the_store(desk: Desk) -> None:
    with desk.store() as store, store.run_lock(), pytest.raises(StoreError, match="holds the store"):
        desk.run()


def test_no_rounds_announces_the_season_and_plays_nothing(desk: Desk) -> None:
    table = Table()
    summary = desk.run(table, rounds=0)
    assert [type(event) for event in desk.told] == [SeasonAnnounced, LadderMoved]
    assert (summary.rounds_over, summary.ended, table.played) == (0, False, [])
    desk.submit("eve")
    desk.run(table)
    assert "eve" in {seat.bot for fixture in table.played for seat in fixture.seats}
    with desk.store() as store:
        assert [row.number for row in store.seasons("test")] == [1]


def test_a_season_s_header_tells_what_its_bots_bring_and_who_its_anchors_are(desk: Desk) -> None:
    desk.anchors = {"cyd", "ada"}
    desk.run()
    desk.run(new_season=True, rounds=1)
    with desk.store() as store:
        first, second = store.seasons("test")
        before = store.ratings("test/1")
    assert first.header["anchors"] == second.header["anchors"] == ["ada", "cyd"]
    assert "starts" not in first.header
    entered = desk.entered(1)
    assert [row[:2] for row in second.header["starts"]] == [[bot, entered[bot]] for bot in sorted(before)]
    for bot, _, mu, sigma in second.header["starts"]:
        assert float(mu) == before[bot].mu
        assert float(sigma) > before[bot].sigma


def test_anchors_that_change_during_a_season_are_refused(desk: Desk) -> None:
    desk.run(rounds=1)
    desk.anchors = {"bob"}
    with pytest.raises(LeagueFileError, match="anchors changed during season 1"):
        desk.run()


def test_a_season_announced_before_anchors_were_kept_goes_on(desk: Desk) -> None:
    desk.anchors = {"ada"}
    desk.run(rounds=1)
    with closing(sqlite3.connect(desk.folder / "league.db")) as database, database:
        [(config, header)] = database.execute("SELECT config, header FROM seasons")
        older = [{k: v for k, v in json.loads(text).items() if k != "anchors"} for text in (config, header)]
        database.execute("UPDATE seasons SET config = ?, header = ?", [json.dumps(each) for each in older])
    assert desk.run().ended
