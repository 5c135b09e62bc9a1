"""Bots in C, JavaScript and Python at one table, through the commands that a user types."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.harness_command import harness, league_text
from tests.second.replay import check_record
from tests.second.season import check_season_file

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: apt install gcc libc6-dev"),
    pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js: apt install nodejs"),
]


def test_one_match(tmp_path: Path) -> None:
    harness(
        "play",
        "sample:depth-c",
        "sample:gem-threshold-js",
        "sample:fixed-depth",
        "-n",
        "5",
        "--seed",
        "three languages",
        "--trust-bots",
        "--record",
        "match.json",
        cwd=tmp_path,
    )
    record = json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))
    check_record(record)
    assert record["faults"] == record["incidents"] == []
    assert [seat["bot"] for seat in record["seats"]] == ["depth-c", "gem-threshold-js", "fixed-depth"]
    assert len(record["games"]) == 5
    assert len(record["sandbox"]["builds"]) >= 1
    harness("replay", "verify", "match.json", cwd=tmp_path)


def test_a_league(tmp_path: Path) -> None:
    bots = ['sample = "depth-c"', 'sample = "gem-threshold-js"', 'sample = "random"']
    path = tmp_path / "languages.toml"
    path.write_text(league_text("languages", bots, seats="[3]", rounds=2), encoding="utf-8")
    harness("run-league", path, cwd=tmp_path)
    table = json.loads(harness("standings", path, "--json", cwd=tmp_path).stdout)
    rows = table["standings"] if isinstance(table, dict) else table
    assert sorted(row["bot"] for row in rows) == ["depth-c", "gem-threshold-js", "random"]
    assert all(row["games"] == 2 * 3 * 3 for row in rows)
    assert harness("faults", path, cwd=tmp_path).returncode == 0
    harness("replay", "export", path, "--out", "season.jsonl", cwd=tmp_path)
    check_season_file(tmp_path / "season.jsonl")
