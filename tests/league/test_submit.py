"""Submission: a version is kept, built if need be, and entered."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import LeagueFileError
from harness.executors import StopSignal
from harness.league import SeasonAnnounced, load_league, run_league, submit
from harness.store import Store
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


def test_a_bot_that_must_be_built_is_built_at_submission_and_needs_trust_where_it_is_not_contained(
    desk: Desk, tmp_path: Path
) -> None:
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


def test_without_trust_there_is_no_run_that_contains_nobody(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "careful.toml").write_text(desk.file.read_text().replace("trust_bots = true", "trust_bots = false"))
    with desk.store() as store, pytest.raises(LeagueFileError, match="trust_bots"):
        run_league(
            load_league(tmp_path / "careful.toml"), store, tell=desk.told.append, stop=StopSignal(), executor=Table()
        )


@pytest.mark.parametrize("format_", ["round-robin", "ladder"])
def test_an_author_with_more_bots_than_can_be_kept_apart_is_refused_and_halts_nobody(
    desk: Desk, tmp_path: Path, format_: str
) -> None:
    desk.format = format_
    desk.settings["rounds"] = "4"
    desk.run(rounds=1)
    entered, refused = [], []
    with desk.store() as store:
        for number in range(8):
            place = desk.write_bot(f"flood-{number}")
            (place / "bot.toml").write_text(
                (place / "bot.toml").read_text().replace(f'author = "flood-{number}"', 'author = "Mallory"')
            )
            try:
                submit(load_league(desk.file), store, f"flood-{number}", tmp_path, desk.told.append)
            except LeagueFileError as error:
                refused.append(error.sentence)
            else:
                entered.append(f"flood-{number}")
    assert refused
    for sentence in refused:
        assert " can't be entered: " in sentence
        assert "are by 'mallory'" in sentence
    assert 1 <= len(entered) < 8
    desk.run()
    assert set(entered) <= set(desk.entered(2))
    with desk.store() as store:
        # A new version of one that is there is none more.
        desk.write_bot("ada", "changed = True\n")
        assert submit(load_league(desk.file), store, "ada", tmp_path, desk.told.append).changed


def test_whoever_announces_the_first_season_both_submissions_are_in_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write_bot("eve")
    desk.write_bot("fay")
    announce_season = Store.announce_season
    first = []

    def late(store: Store, *rest: Any, **more: Any) -> Any:
        if not first:
            first.append("fay")
            with desk.store() as other:
                submit(load_league(desk.file), other, "fay", tmp_path, desk.told.append)
        return announce_season(store, *rest, **more)

    monkeypatch.setattr(Store, "announce_season", late)
    with desk.store() as store:
        done = submit(load_league(desk.file), store, "eve", tmp_path, desk.told.append)
        assert (done.season, done.round, done.changed) == (1, 1, True)
    desk.run(rounds=1)
    assert {"eve", "fay"} <= set(desk.entered(1))


def test_a_run_plays_the_first_season_that_a_submission_announced_meanwhile(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write_bot("eve")
    announce_season = Store.announce_season
    first = []

    def late(store: Store, *rest: Any, **more: Any) -> Any:
        if not first:
            first.append("eve")
            with desk.store() as other:
                submit(load_league(desk.file), other, "eve", tmp_path, lambda event: None)
        return announce_season(store, *rest, **more)

    monkeypatch.setattr(Store, "announce_season", late)
    assert desk.run(rounds=1).season == 1
    assert "eve" in desk.entered(1)
