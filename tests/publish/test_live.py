"""A site that is kept up to date while the league is played: when it is written, and that a failure ends no run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import BadInput, HarnessFailure
from harness.league import Event, RoundOver, SeasonAnnounced, SeasonEnded, SiteNotWritten
from harness.publish import LiveSite, season_site
from harness.store import Store, open_store
from tests.e2e.harness_command import harness, league_text
from tests.publish.made_site import PLAIN, Made, MadeSeason, written_league


@pytest.fixture
def league(tmp_path: Path) -> Made:
    return written_league(tmp_path, PLAIN, form="ladder", seats=(3,), rounds=2)


@pytest.fixture
def store(league: Made) -> Iterator[Store]:
    with open_store(league.store) as store:
        yield store


ROUND_OVER = RoundOver(1, 2, "", "")
LAST_ROUND_OVER = RoundOver(2, 2, "", "")


def test_the_site_follows_the_events_of_a_run(league: Made, store: Store, tmp_path: Path) -> None:
    site, told = tmp_path / "site", list[Event]()
    live = LiveSite(league.league, store, site, bool, told.append)
    live.begin()
    assert not list(site.glob("*.html"))
    season = MadeSeason(league.league, store, 1, PLAIN)
    live(SeasonAnnounced("caves", 1, 2, season.row.commitment, practice=False))
    assert season.row.commitment in (site / "season-1/index.html").read_text()
    season.play(2)
    live(ROUND_OVER)
    assert (site / "season-1/rounds/1.html").exists()
    season.play(2)
    live(LAST_ROUND_OVER)
    # The end of the season comes at once.
    assert not (site / "season-1/rounds/2.html").exists()
    season.end()
    live(SeasonEnded("caves", 1, season.row.secret, complete=True))
    assert season.row.secret in (site / "season-1/index.html").read_text()
    assert live.finish() is None
    assert told == []


def test_a_failure_is_told_once_and_ends_the_run_only_at_its_end(league: Made, store: Store, tmp_path: Path) -> None:
    site, told = tmp_path / "site", list[Event]()
    season = MadeSeason(league.league, store, 1, PLAIN)
    live = LiveSite(league.league, store, site, bool, told.append)
    live.begin()
    (site / "index.html").unlink()
    (site / "index.html").mkdir()
    season.play(2)
    for _ in range(2):
        live(ROUND_OVER)
    assert len(told) == 1
    assert isinstance(told[0], SiteNotWritten)
    assert "index.html" in told[0].reason
    failure = live.finish()
    assert isinstance(failure, HarnessFailure)
    assert re.fullmatch(r"all matches are kept, but the site .*; harness publish writes it later", failure.sentence)
    (site / "index.html").rmdir()
    assert live.finish() is None
    assert (site / "season-1/rounds/1.html").exists()


def test_a_defect_in_a_page_ends_no_run(
    league: Made, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise KeyError("a row\nthat is not there")

    told = list[Event]()
    live = LiveSite(league.league, store, tmp_path / "site", bool, told.append)
    live.begin()
    MadeSeason(league.league, store, 1, PLAIN).play(2)
    monkeypatch.setattr(season_site, "pairs_page", broken)
    live(ROUND_OVER)
    assert [type(event) for event in told] == [SiteNotWritten]
    failure = live.finish()
    assert failure is not None
    assert "internal error, KeyError" in failure.sentence
    assert "\n" not in failure.sentence


@pytest.mark.parametrize("announced", [False, True])
def test_a_folder_that_is_not_its_own_is_refused_before_anything_is_played(
    league: Made, store: Store, tmp_path: Path, announced: bool
) -> None:
    if announced:
        MadeSeason(league.league, store, 1, PLAIN)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").touch()
    live = LiveSite(league.league, store, tmp_path / "thesis", bool, lambda _: None)
    with pytest.raises(BadInput, match=r"thesis\.tex"):
        live.begin()


def test_a_run_publishes_as_it_goes_and_the_command_finds_nothing_left_to_do(tmp_path: Path) -> None:
    text = league_text("small", ['sample = "never"', 'sample = "at-once"', 'sample = "random"'], seats="[3]")
    (tmp_path / "small.toml").write_text(text)
    harness("run-league", "small.toml", "--publish", "site", "--workers", "1", cwd=tmp_path)
    assert "season 1 is over" in (tmp_path / "site/index.html").read_text().lower()
    done = harness("publish", "small.toml", "--out", "site", "--json", cwd=tmp_path)
    counted = json.loads(done.stdout)
    assert (counted["written"], counted["removed"], counted["rendered"]) == (0, 0, 0)
    assert counted["files"] > 20
    line = harness("publish", "small.toml", "--out", "site", cwd=tmp_path).stdout
    assert line == f"site/index.html: {counted['files']} files, 0 written, {counted['files']} as they were\n"


def test_what_cant_be_published_is_one_line_and_status_2(tmp_path: Path) -> None:
    text = league_text("small", ['sample = "never"', 'sample = "at-once"', 'sample = "random"'], seats="[3]")
    (tmp_path / "small.toml").write_text(text)
    done = harness("publish", "small.toml", "--out", "site", cwd=tmp_path, expect=2)
    assert done.stderr.count("\n") == 1
    harness("run-league", "small.toml", "--rounds", "0", cwd=tmp_path)
    done = harness("publish", "small.toml", "--out", ".", cwd=tmp_path, expect=2)
    assert done.stderr.count("\n") == 1
    assert "which no publish wrote" in done.stderr
    done = harness("run-league", "small.toml", "--publish", ".", cwd=tmp_path, expect=2)
    assert "which no publish wrote" in done.stderr
    harness("publish", "small.toml", "--out", "site", cwd=tmp_path)
    assert (tmp_path / "site/index.html").exists()
