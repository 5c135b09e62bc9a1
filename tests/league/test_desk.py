"""The organiser's desk: the list of bots, the bench, withdrawals, and voided matches."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.errors import BadInput, LeagueFileError, StoreError
from harness.executors import Failure, Outcome
from harness.league import (
    BotBenched,
    DeskChange,
    ListedBot,
    MatchVoided,
    bench_bot,
    check_season,
    list_bots,
    load_league,
    submit,
    unbench_bot,
    void_match,
    withdraw_bot,
    write_lines,
)
from harness.protocol import MatchName
from harness.ratings import Ladder, Parameters, Rating, match_ranks
from harness.referee import Fixture
from tests.league.desk import BOTS, Desk, Table
from tests.ratings.tally import tally

DEEDS = {"bench": bench_bot, "unbench": unbench_bot, "withdraw": withdraw_bot}
VOID = MatchName("test", 1, 1, 2)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.settings["rounds"] = "4"
    return made


def do(desk: Desk, deed: str, bot: str) -> DeskChange:
    with desk.store() as store:
        return DEEDS[deed](load_league(desk.file), store, bot)


def listed(desk: Desk) -> dict[str, ListedBot]:
    with desk.store() as store:
        row = store.season("test")
        assert row is not None
        return {one.bot: one for one in list_bots(store, row)}


def seated(table: Table) -> dict[int, set[str]]:
    rounds: dict[int, set[str]] = {}
    for fixture in table.played:
        rounds.setdefault(fixture.round, set()).update(seat.bot for seat in fixture.seats)
    return rounds


def told(one: ListedBot) -> tuple[str, int, int]:
    return one.state, one.since_season, one.since_round


def test_the_list_tells_version_author_faults_and_what_each_does(desk: Desk, tmp_path: Path) -> None:
    desk.settings["max_forfeits"] = "2"
    desk.run(Table(forfeiter="ada"), rounds=2)
    assert {bot: told(one) for bot, one in listed(desk).items()} == {
        "ada": ("benched", 1, 2),
        "bob": ("plays", 1, 1),
        "cyd": ("plays", 1, 1),
        "dot": ("plays", 1, 1),
    }
    do(desk, "withdraw", "cyd")
    desk.write_bot("bob", "changed = True\n")
    desk.write_bot("eve")
    with desk.store() as store:
        for bot in ("bob", "eve"):
            submit(load_league(desk.file), store, bot, tmp_path, desk.told.append)
        faults = [fault.bot for fault in store.faults("test/1")]
    now = listed(desk)
    assert {bot: told(one) for bot, one in now.items()} == {
        "ada": ("benched", 1, 2),
        "bob": ("enters", 1, 3),
        "cyd": ("withdrawn", 1, 3),
        "dot": ("plays", 1, 1),
        "eve": ("enters", 1, 3),
    }
    assert {bot: one.faults for bot, one in now.items()} == {bot: faults.count(bot) for bot in now}
    assert now["ada"].faults > 2
    assert now["bob"].version == desk.entered(3)["bob"] != desk.entered(2)["bob"]
    assert (now["eve"].title, now["eve"].author) == ("eve", "eve")


@pytest.mark.parametrize(("deed", "state"), [("bench", "benched"), ("withdraw", "withdrawn")])
def test_a_bot_that_is_taken_out_plays_no_more_from_the_next_opening_on(desk: Desk, deed: str, state: str) -> None:
    desk.run(rounds=1)
    done = do(desk, deed, "bob")
    assert (done.bot, done.state, done.season, done.round) == ("bob", state, 1, 2)
    table = Table()
    assert desk.run(table).ended, "the league file still names it, and the season goes on"
    assert seated(table) == {number: {"ada", "cyd", "dot"} for number in (2, 3, 4)}
    assert told(listed(desk)["bob"]) == (state, 1, 2)


def test_an_unbenched_bot_plays_again_with_its_newest_version(desk: Desk) -> None:
    desk.run(rounds=1)
    do(desk, "bench", "bob")
    desk.run(rounds=1)
    done = do(desk, "unbench", "bob")
    assert (done.state, done.season, done.round, done.version) == ("enters", 1, 3, desk.entered(1)["bob"])
    assert told(listed(desk)["bob"]) == ("enters", 1, 3)
    table = Table()
    desk.run(table)
    assert all("bob" in bots for bots in seated(table).values())
    assert told(listed(desk)["bob"]) == ("plays", 1, 3)


def test_a_bench_taken_back_before_the_next_opening_leaves_the_entries_as_they_were(desk: Desk) -> None:
    desk.run(rounds=1)
    do(desk, "bench", "bob")
    do(desk, "unbench", "bob")
    assert told(listed(desk)["bob"]) == ("plays", 1, 1)
    desk.run()
    with desk.store() as store:
        assert [line["round"] for line in store.season_lines("test/1") if "entries" in line] == [1]


def test_during_an_open_round_the_desk_works_and_the_round_is_played_as_it_was_drawn(desk: Desk) -> None:
    def withdraw_meanwhile(fixture: Fixture) -> Sequence[Outcome] | None:
        if (fixture.round, fixture.number) == (2, 1):
            do(desk, "withdraw", "bob")
        return None

    table = Table(spoil=withdraw_meanwhile)
    desk.run(table)
    drawn = seated(table)
    assert "bob" in drawn[2]
    assert "bob" not in drawn[3] | drawn[4]


def test_a_bot_benched_at_an_opening_that_failed_can_be_let_in_and_its_faults_count_anew(desk: Desk) -> None:
    desk.settings |= {"seats": "[4]", "max_forfeits": "1", "games": "2"}
    desk.run(Table(forfeiter="ada"), rounds=1)
    with pytest.raises(LeagueFileError) as refused:
        desk.run(Table(forfeiter="ada"), rounds=3)
    assert f"`harness bots {desk.file} unbench ada`" in refused.value.sentence
    (benched,) = desk.of(BotBenched)
    done = do(desk, "unbench", "ada")
    assert done.round == benched.round
    desk.run()
    assert desk.of(BotBenched) == []


def test_a_new_version_of_a_bot_just_let_in_does_not_bring_its_old_faults_back(desk: Desk, tmp_path: Path) -> None:
    desk.settings["max_forfeits"] = "2"
    desk.run(Table(forfeiter="ada"), rounds=2)
    do(desk, "unbench", "ada")
    desk.write_bot("ada", "mended = True\n")
    with desk.store() as store:
        submit(load_league(desk.file), store, "ada", tmp_path, desk.told.append)
    desk.run()
    assert desk.of(BotBenched) == []


@pytest.mark.parametrize(
    ("before", "deed", "says"),
    [
        (["bench"], "bench", "bot bob is benched already, from round 2 of season 1 on"),
        (["withdraw"], "bench", "bot bob is withdrawn already, from round 2 of season 1 on"),
        (["withdraw"], "withdraw", "bot bob is withdrawn already"),
        (["bench", "withdraw"], "unbench", "bot bob is withdrawn from season 1, not benched; .*`harness submit`"),
        ([], "unbench", "bot bob is not benched: it plays from round 1 of season 1 on"),
    ],
)
def test_what_is_so_already_is_one_sentence(desk: Desk, before: list[str], deed: str, says: str) -> None:
    desk.run(rounds=1)
    for each in before:
        do(desk, each, "bob")
    dump = desk.dump()
    with pytest.raises(StoreError, match=f"^{says}"):
        do(desk, deed, "bob")
    assert desk.dump() == dump


@pytest.mark.parametrize("deed", DEEDS)
def test_a_bot_or_a_season_that_is_not_there_is_one_sentence(desk: Desk, deed: str) -> None:
    with pytest.raises(StoreError, match=r"no season of test has been announced; begin with harness run-league$"):
        do(desk, deed, "ada")
    desk.run(rounds=1)
    with pytest.raises(StoreError, match=r"^no bot 'zoe' in season 1; there are ada, bob, cyd, dot$"):
        do(desk, deed, "zoe")


def test_a_withdrawn_bot_may_change_in_its_folder_or_go_from_the_file(desk: Desk) -> None:
    desk.run(rounds=1)
    do(desk, "withdraw", "bob")
    desk.write_bot("bob", "goes on elsewhere\n")
    desk.run(rounds=1)
    desk.bots.remove("bob")
    assert desk.run().ended


def test_a_benched_bot_that_changed_is_refused_with_the_command_that_enters_it(desk: Desk, tmp_path: Path) -> None:
    desk.run(rounds=1)
    do(desk, "bench", "bob")
    desk.write_bot("bob", "mended = True\n")
    with pytest.raises(LeagueFileError, match="no longer the version entered in season 1; enter it with `harness sub"):
        desk.run()
    with desk.store() as store:
        submit(load_league(desk.file), store, "bob", tmp_path, desk.told.append)
    table = Table()
    desk.run(table)
    assert "bob" in seated(table)[2]


def test_a_bot_gone_from_the_file_is_refused_with_the_command_that_withdraws_it(desk: Desk) -> None:
    desk.run(rounds=1)
    desk.bots.remove("dot")
    with pytest.raises(LeagueFileError) as refused:
        desk.run()
    assert f"`harness bots {desk.file} withdraw dot`" in refused.value.sentence
    do(desk, "withdraw", "dot")
    assert desk.run().ended


def test_behind_the_last_opening_a_submitted_bot_is_changed_for_the_next_season(desk: Desk, tmp_path: Path) -> None:
    desk.settings["rounds"] = "1"
    desk.write_bot("eve")
    desk.write_bot("fay")
    with desk.store() as store:
        for bot in ("eve", "fay"):
            submit(load_league(desk.file), store, bot, tmp_path, desk.told.append)
    desk.run()
    for bot in ("eve", "fay"):
        done = do(desk, "bench", bot)
        assert (done.state, done.season, done.round) == ("benched", 2, 1)
        assert told(listed(desk)[bot]) == ("benched", 2, 1)
    assert (do(desk, "unbench", "eve").season, told(listed(desk)["eve"])) == (2, ("plays", 1, 1))
    desk.run(new_season=True)
    assert {bot: told(one) for bot, one in listed(desk).items()} == {
        **dict.fromkeys((*BOTS, "eve"), ("plays", 2, 1)),
        "fay": ("benched", 2, 1),
    }


@pytest.mark.parametrize(("deed", "state"), [("bench", "benched"), ("withdraw", "withdrawn")])
@pytest.mark.parametrize("wanted", [{"new_season": True}, {"follow": True, "rounds": 1}])
def test_behind_the_last_opening_a_bot_of_the_file_is_put_out_of_the_next_season(
    desk: Desk, deed: str, state: str, wanted: dict[str, Any]
) -> None:
    desk.settings["rounds"] = "1"
    desk.run()
    done = do(desk, deed, "bob")
    assert (done.state, done.season, done.round) == (state, 2, 1)
    table = Table()
    desk.run(table, **wanted)
    assert seated(table) == {1: {"ada", "cyd", "dot"}}
    assert told(listed(desk)["bob"]) == (state, 2, 1)
    assert desk.run().ended, "a season under way may be gone on with, or shown"


@pytest.mark.parametrize("wanted", [{"new_season": True}, {"follow": True, "rounds": 1}])
def test_behind_the_last_opening_a_bot_is_let_in_for_the_next_season(desk: Desk, wanted: dict[str, Any]) -> None:
    desk.settings["rounds"] = "2"
    desk.run(rounds=1)
    do(desk, "bench", "bob")
    desk.run()
    done = do(desk, "unbench", "bob")
    assert (done.state, done.season, done.round) == ("enters", 2, 1)
    table = Table()
    desk.run(table, **wanted)
    assert "bob" in seated(table)[1]


def rated_without(desk: Desk, match: MatchName) -> dict[str, Rating]:
    ladder = Ladder(Parameters())
    with desk.store() as store:
        for record in store.records("test/1"):
            if record["match"] != str(match):
                ladder.apply(match_ranks(record))
    return ladder.ratings


@pytest.mark.parametrize("rounds", [2, None])
def test_a_voided_match_is_rated_away_and_the_season_file_holds(desk: Desk, rounds: int | None) -> None:
    table = Table(forfeiter="ada")
    desk.run(table, rounds=rounds)
    expected = rated_without(desk, VOID)
    with desk.store() as store:
        assert store.ratings("test/1") != expected
        done = void_match(load_league(desk.file), store, VOID, "  a wrong\n deck ")
        assert (done.match, done.reason, done.counted, done.later) == ("test/1/1/2", "a wrong deck", True, None)
        assert store.ratings("test/1") == expected
        remaining = [record for record in store.records("test/1") if record["match"] != str(VOID)]
        assert {row.bot: row.games for row in store.standings("test/1")} == {
            bot: sums.games for bot, sums in tally(remaining).items()
        }
        report = check_season((line[:-1] for line in write_lines(store.season_lines("test/1"))), "season")
    assert (report.problem, report.voided, report.records) == (None, 1, len(table.played))


def test_a_match_voided_before_its_turn_is_left_out(desk: Desk) -> None:
    def void_meanwhile(fixture: Fixture) -> Sequence[Outcome] | None:
        if (fixture.round, fixture.number) == (1, 1):
            with desk.store() as store:
                assert not void_match(load_league(desk.file), store, VOID, "a bad machine").counted
        return None

    assert desk.run(Table(spoil=void_meanwhile)).ended
    with desk.store() as store:
        assert str(VOID) not in {record["match"] for record in store.records("test/1")}
        assert [(void.match, void.reason) for void in store.voids("test/1")] == [("test/1/1/2", "a bad machine")]
        report = check_season((line[:-1] for line in write_lines(store.season_lines("test/1"))), "season")
    assert (report.problem, report.voided) == (None, 1)


def test_a_match_that_is_voided_while_the_run_gives_it_up_keeps_the_organiser_s_reason(desk: Desk) -> None:
    def void_then_lose(fixture: Fixture) -> Sequence[Outcome] | None:
        if fixture.match != str(VOID):
            return None
        with desk.store() as store:
            void_match(load_league(desk.file), store, VOID, "it kills the machine")
        return [Failure(fixture, "a worker ended with signal 9", 3, machine=False)]

    summary = desk.run(Table(spoil=void_then_lose))
    assert (summary.ended, summary.voided) == (True, 0)
    assert [voided.match for voided in desk.of(MatchVoided)] == [str(VOID)]
    with desk.store() as store:
        assert [void.reason for void in store.voids("test/1")] == ["it kills the machine"]


def test_a_late_voiding_says_which_season_keeps_its_ratings(desk: Desk) -> None:
    desk.settings["rounds"] = "1"
    desk.run()
    desk.run(new_season=True)
    with desk.store() as store:
        before = store.ratings("test/2")
        assert void_match(load_league(desk.file), store, VOID, "late").later == 2
        assert store.ratings("test/2") == before


@pytest.mark.parametrize(
    ("match", "reason", "says"),
    [
        (VOID, "", "^reason: empty"),
        (VOID, " \n", "^reason: empty"),
        (VOID, "x" * 201, "^reason: 201 characters"),
        (VOID, "a\x1b[2Jb", "^reason: 'a⟨U\\+001B⟩"),
        (VOID, "a \udcff b", "can't be seen"),
        (VOID, "given up: a worker was lost in each of its three tries", "in other words"),
        (MatchName("test", 1, 1, 99), "why", "^there is no match test/1/1/99 "),
        (MatchName("test", 7, 1, 1), "why", "^match test/7/1/1: test has no season 7; there are: 1$"),
    ],
)
def test_what_cannot_be_voided_changes_nothing(desk: Desk, match: MatchName, reason: str, says: str) -> None:
    desk.run(rounds=1)
    before = desk.dump()
    with desk.store() as store, pytest.raises(BadInput, match=says):
        void_match(load_league(desk.file), store, match, reason)
    assert desk.dump() == before
