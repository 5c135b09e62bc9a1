"""Submission: a version is kept, built if need be, and entered."""

from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.executors import StopSignal
from harness.league import SeasonAnnounced, load_league, run_league, submit
from tests.league.desk import Desk, Table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_same_bytes_twice_change_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.run(rounds=1)
    before = desk.dump()
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "bob", tmp_path, desk.told.append)
    assert not done.changed
    assert desk.dump() == before


def test_a_submission_before_the_first_season_announces_it_and_enters_the_bot(desk: Desk, tmp_path: Path) -> None:
    desk.write_bot("stranger")
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "stranger", tmp_path, desk.told.append)
        assert (done.season, done.round, done.changed) == (1, 1, True)
        kept = store.version(done.version)
        assert kept is not None
        assert kept.bot == "stranger"
    [announced] = desk.told
    assert isinstance(announced, SeasonAnnounced)
    desk.run(rounds=1)
    assert "stranger" in desk.entered(1)


def test_a_submission_between_two_seasons_enters_the_next(desk: Desk, tmp_path: Path) -> None:
    desk.settings["rounds"] = "1"
    desk.run()
    desk.write_bot("stranger")
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "stranger", tmp_path, desk.told.append)
        assert (done.season, done.round, done.changed) == (2, 1, True)
    desk.run(new_season=True)
    with desk.store() as store:
        assert "stranger" in [entry.bot for entry in store.entries("test/2", 1)]


def test_a_benched_bot_comes_back_with_a_new_version(desk: Desk, tmp_path: Path) -> None:
    desk.settings["rounds"] = "4"
    desk.run(rounds=1)
    with desk.store() as store:
        store.withdraw("test/1", "bob", 2)
    desk.run(rounds=1)
    assert "bob" not in desk.entered(2)
    desk.write_bot("bob", "mended = True\n")
    with desk.store() as store:
        submit(load_league(desk.file), store, "bob", tmp_path, desk.told.append)
    desk.run()
    assert "bob" in desk.entered(3)


def test_a_bot_keeps_the_id_that_the_league_file_gives_it(desk: Desk, tmp_path: Path) -> None:
    text = desk.file.read_text().replace('path = "bob"', 'path = "bob"\nname = "robert"')
    (tmp_path / "named.toml").write_text(text)
    with desk.store() as store:
        assert submit(load_league(tmp_path / "named.toml"), store, "bob", tmp_path, desk.told.append).bot == "robert"


def test_a_bot_that_must_be_built_is_built_at_submission_and_needs_trust(desk: Desk, tmp_path: Path) -> None:
    place = tmp_path / "built"
    place.mkdir()
    (place / "bot.toml").write_text('name = "built"\ncommand = "sh made.sh"\nbuild = "sh make.sh"\n')
    (place / "make.sh").write_text("echo exit > made.sh\n")
    league = load_league(desk.file)
    (tmp_path / "careful.toml").write_text(desk.file.read_text().replace("trust_bots = true", "trust_bots = false"))
    with desk.store() as store:
        with pytest.raises(LeagueFileError, match="trust_bots"):
            submit(load_league(tmp_path / "careful.toml"), store, "built", tmp_path, desk.told.append)
        assert store.reproducible_dump()["versions"] == []
        kept = store.version(submit(league, store, "built", tmp_path, desk.told.append).version)
    assert kept is not None
    assert kept.built is not None
    assert kept.build_hash is not None


def test_without_trust_there_is_no_run(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "careful.toml").write_text(desk.file.read_text().replace("trust_bots = true", "trust_bots = false"))
    with desk.store() as store, pytest.raises(LeagueFileError, match="trust_bots"):
        run_league(
            load_league(tmp_path / "careful.toml"), store, tell=desk.told.append, stop=StopSignal(), executor=Table()
        )
