"""The pilot plays a few matches of each size and nothing of them is kept."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from harness.bots import Bot
from harness.errors import LeagueFileError
from harness.league import load_league, pilot, plan
from harness.referee import Fixture
from sandbox import Backend
from tests.league.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.bots += ["eve", "fay", "gus", "hal", "ida"]
    for bot in desk.bots:
        desk.write_bot(bot)
    desk.settings["seats"] = "[4, 3, 4]"
    return desk


def test_each_size_is_measured_by_at_most_three_tables_of_different_bots(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Fixture] = []
    room = import_module("harness.league.pilot")  # whose name in the room's face is that of the function

    def play(fixtures: Iterable[Fixture], bots: Sequence[Bot], backend: Backend) -> Iterator[None]:
        yield from map(played.append, fixtures)

    monkeypatch.setattr(room, "play_here", play)
    league = load_league(desk.file)
    entrants = league.load_bots()
    seconds = pilot(league, entrants)
    assert sorted(seconds) == [3, 4]
    warming_up, *played = played
    assert warming_up.games == 1
    assert [[seat.bot for seat in fixture.seats] for fixture in played] == [
        ["ada", "bob", "cyd"], ["dot", "eve", "fay"], ["gus", "hal", "ida"],
        ["ada", "bob", "cyd", "dot"], ["eve", "fay", "gus", "hal"],
    ]  # fmt: skip
    assert {(fixture.games, fixture.limits) for fixture in played} == {(league.games, league.limits)}
    assert plan(league, entrants, seconds).seconds is not None


def test_a_pilot_needs_the_trust_that_a_run_needs(desk: Desk) -> None:
    text = desk.file.read_text().replace("trust_bots = true", "trust_bots = false")
    careful = desk.folder / "careful.toml"
    careful.write_text(text)
    league = load_league(careful)
    with pytest.raises(LeagueFileError, match=r"^careful\.toml: sandbox: .*`trust_bots = true`"):
        pilot(league, league.load_bots())


def test_matches_are_really_played(desk: Desk) -> None:
    league = load_league(desk.file)
    assert all(value > 0 for value in pilot(league, league.load_bots()[:4]).values())
