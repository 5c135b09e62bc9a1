"""`harness re-rate`: the ladder again, the same to the bit, and where it was computed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.ratings import platform_name
from harness.store import open_store
from tests.cli.test_bad_arguments import LEAGUE

Harness = Callable[..., Result]


@pytest.fixture
def league(harness: Harness, tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(LEAGUE)
    done = harness("run-league", file)
    assert done.exit_code == 0, done.output
    return file


def test_it_prints_the_ladder_and_where_it_was_rated_and_changes_nothing(harness: Harness, league: Path) -> None:
    with open_store(league.with_suffix(".db"), write=False) as store:
        before = store.reproducible_dump()
    ladder = harness("run-league", league).stdout
    done = harness("re-rate", league)
    assert (done.exit_code, done.stdout) == (0, ladder)
    assert done.stderr.splitlines()[-1] == f"small, season 1: rated on {platform_name()}, as before"
    with open_store(league.with_suffix(".db"), write=False) as store:
        assert store.reproducible_dump() == before


def test_while_a_run_goes_on_it_is_refused(harness: Harness, league: Path) -> None:
    with open_store(league.with_suffix(".db")) as store, store.run_lock():
        done = harness("re-rate", league)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_season_that_is_not_there_is_named(harness: Harness, league: Path) -> None:
    done = harness("re-rate", league, "--season", 7)
    assert done.exit_code == 2
    assert "--season 7" in done.stderr
