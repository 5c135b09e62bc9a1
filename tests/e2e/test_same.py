"""However a season comes to its end, it ends the same: kills, resumes and numbers of workers leave no trace."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from sandbox import probe
from tests.e2e.harness_command import BARE, harness, league_text, started
from tests.second.season import check_season_file, is_record

BOTS = [
    f'sample = "{name}"'
    for name in ("never", "at-once", "random", "hazard-count", "gem-threshold", "fixed-depth", "expected-value")
]


def league(folder: Path, sandbox: str = BARE) -> Path:
    folder.mkdir()
    path = folder / "same.toml"
    text = league_text("same", BOTS, seats="[3, 4]", games=4, rounds=4, sandbox=sandbox)
    path.write_text(text, encoding="utf-8")
    return path


def what_is_the_same(path: Path) -> dict[str, object]:
    """Standings, and of the season file all that the contract compares: lines, outcomes, the results chain."""
    folder = path.parent
    standings = json.loads(harness("standings", path, "--json", cwd=folder).stdout)
    harness("replay", "export", path, "--season", "1", "--out", "season.jsonl", cwd=folder)
    harness("replay", "verify", "season.jsonl", cwd=folder)
    lines = check_season_file(folder / "season.jsonl")
    records = [line for line in lines if is_record(line)]
    assert len(records) == 4 * 7, "not one match more or fewer than planned"
    return {
        "standings": standings,
        "header": lines[0],
        "outcomes": [(record["match"], record["outcome"]) for record in records],
        "faults": [[(fault["seat"], fault["kind"], fault["turn"]) for fault in record["faults"]] for record in records],
        "results": lines[-1]["results"],
        "secret": lines[-1]["secret"],
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    path = league(tmp_path_factory.mktemp("undisturbed") / "league")
    harness("run-league", path, "--workers", "1", cwd=path.parent)
    return what_is_the_same(path)


def test_two_workers(tmp_path: Path, undisturbed: dict[str, object]) -> None:
    path = league(tmp_path / "league")
    harness("run-league", path, "--workers", "2", cwd=path.parent)
    assert what_is_the_same(path) == undisturbed


def test_contained_in_bubblewrap(tmp_path: Path, undisturbed: dict[str, object]) -> None:
    (found,) = probe("bubblewrap")
    if not found.works:
        pytest.skip("; ".join(found.missing))
    path = league(tmp_path / "league", 'backend = "bubblewrap"')
    harness("run-league", path, "--workers", "2", cwd=path.parent)
    assert what_is_the_same(path) == undisturbed
    tiers = {
        record["sandbox"]["tier"] for record in check_season_file(path.parent / "season.jsonl") if is_record(record)
    }
    assert tiers == {found.tier}


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_killed_in_the_middle_and_started_again(tmp_path: Path, undisturbed: dict[str, object], kill: int) -> None:
    path = league(tmp_path / "league")
    run = started("run-league", path, cwd=path.parent)
    assert run.stdout is not None
    assert run.stderr is not None
    # A plain line a round is all that is needed to know that the season is under way.
    with run.stdout, run.stderr:
        for line in run.stderr:
            if "round 1" in line.lower():
                break
        os.kill(run.pid, kill)
        rest = run.stderr.read()
    status = run.wait()
    assert status == (-kill if kill == signal.SIGKILL else 130), rest
    assert "Traceback" not in rest
    harness("run-league", path, cwd=path.parent)
    assert what_is_the_same(path) == undisturbed


def test_round_by_round(tmp_path: Path, undisturbed: dict[str, object]) -> None:
    path = league(tmp_path / "league")
    for _ in range(4):
        harness("run-league", path, "--rounds", "1", cwd=path.parent)
    assert what_is_the_same(path) == undisturbed


def test_a_second_run_on_the_same_store_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "hang.py").write_text('import signal\nprint(\'{"type":"ready"}\', flush=True)\nsignal.pause()\n')
    path = folder / "same.toml"
    path.write_text(league_text("same", [*BOTS[:3], 'path = "hang.py"']), encoding="utf-8")
    run = started("run-league", path, cwd=folder)
    assert run.stdout is not None
    assert run.stderr is not None
    with run.stdout, run.stderr:
        for line in run.stderr:
            if "round 1" in line.lower():
                break
        second = harness("run-league", path, cwd=folder, expect=2)
        assert len(second.stderr.splitlines()) == 1
        assert str(run.pid) in second.stderr
        os.kill(run.pid, signal.SIGTERM)
        run.stderr.read()
    assert run.wait() == 130
