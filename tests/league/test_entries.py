"""What may change during a season, and how: the league file, its bots, their bytes."""

from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.executors import StopSignal
from harness.league import (
    load_league,
    run_league,
    submit,
)
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"), [("games", "2"), ("rounds", "3"), ("seats", "[4]"), ("seed", '"other"'), ("max_forfeits", "9")]
)
def test_a_league_file_changed_during_a_season_is_refused(desk: Desk, key: str, value: str) -> None:
    desk.run(rounds=1)
    desk.settings[key] = value
    with pytest.raises(LeagueFileError, match=rf"^league.toml: {key} changed during season 1; put it .* --new-season$"):
        desk.run()
    assert desk.run(new_season=True).season == 2


def test_a_changed_bot_is_refused_with_the_command_that_enters_it(desk: Desk, tmp_path: Path) -> None:
    desk.settings["rounds"] = "3"
    desk.run(rounds=1)
    old = desk.entered(1)["bob"]
    desk.write_bot("bob", "changed = True\n")
    with pytest.raises(LeagueFileError) as refused:
        desk.run()
    assert "bot bob is no longer the version entered in season 1" in refused.value.sentence
    assert f"`harness submit {desk.file} {tmp_path / 'bob'}`" in refused.value.sentence
    assert "--new-season" in refused.value.sentence
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "bob", tmp_path, desk.told.append)
    assert (done.bot, done.season, done.round, done.changed) == ("bob", 1, 2, True)
    table = Table()
    desk.run(table)
    new = {seat.version for fixture in table.played for seat in fixture.seats if seat.bot == "bob"}
    assert new == {done.version} != {old}


def test_a_bot_added_to_the_file_is_refused_until_it_is_submitted(desk: Desk, tmp_path: Path) -> None:
    desk.run(rounds=1)
    desk.write_bot("eve")
    desk.bots.append("eve")
    with pytest.raises(
        LeagueFileError, match=r"bot eve is not entered in season 1; enter it with `harness submit .*eve`"
    ):
        desk.run()
    with desk.store() as store:
        submit(load_league(desk.file), store, str(tmp_path / "eve"), Path(), desk.told.append)
    table = Table()
    desk.run(table)
    assert "eve" in {seat.bot for fixture in table.played for seat in fixture.seats}


def test_a_bot_gone_from_the_file_is_refused_until_it_is_put_back_or_withdrawn(desk: Desk) -> None:
    desk.settings["rounds"] = "3"
    desk.run(rounds=1)
    desk.bots.remove("dot")
    with pytest.raises(LeagueFileError, match=r"bot dot plays in season 1 and is gone .*; put it back, .*--new-season"):
        desk.run()
    desk.bots.append("dot")
    assert desk.run(rounds=1).rounds == 1
    desk.bots.remove("dot")
    with desk.store() as store:
        store.withdraw("test/1", "dot", 3)
    table = Table()
    desk.run(table)
    assert {seat.bot for fixture in table.played for seat in fixture.seats} == {"ada", "bob", "cyd"}


def test_too_few_bots_for_a_table_end_the_run_with_a_sentence_and_all_kept(desk: Desk) -> None:
    desk.settings["seats"] = "[4]"
    desk.run(rounds=1)
    with desk.store() as store:
        store.withdraw("test/1", "dot", 2)
    before = desk.dump()
    with pytest.raises(LeagueFileError, match=r"^league.toml: round 2 of season 1 can't be paired: "):
        desk.run()
    assert desk.dump() == before


def test_entries_are_told_in_the_season_file_where_they_change(desk: Desk, tmp_path: Path) -> None:
    desk.settings["rounds"] = "3"
    desk.run(rounds=2)
    desk.write_bot("bob", "changed = True\n")
    with desk.store() as store:
        submit(load_league(desk.file), store, "bob", tmp_path, desk.told.append)
    desk.run()
    with desk.store() as store:
        lines = [line for line in store.season_lines("test/1") if "entries" in line]
    assert [line["round"] for line in lines] == [1, 3]
    assert lines[0]["entries"] == sorted([bot, version] for bot, version in desk.entered(1).items())
    assert lines[1]["entries"] == sorted([bot, version] for bot, version in desk.entered(3).items())


def test_an_author_changed_during_a_season_is_refused_since_pairings_hang_on_it(desk: Desk) -> None:
    desk.run(rounds=1)
    text = desk.file.read_text().replace('path = "bob"', 'path = "bob"\nauthor = "somebody else"')
    other = desk.file.with_name("other.toml")
    other.write_text(text)
    with (
        desk.store() as store,
        pytest.raises(LeagueFileError, match=r"the author of bot bob changed during season 1; put it back"),
    ):
        run_league(load_league(other), store, tell=desk.told.append, stop=StopSignal(), executor=Table())
