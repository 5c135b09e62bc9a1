"""The commands that read what the fuzzers made: an exit status of the contract, one line on stderr at most."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from tests.fuzz.corpora import inputs

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
RECORDS = [*inputs("replay_file"), *inputs("season_file")]


def call(words: list[str], monkeypatch: pytest.MonkeyPatch, room: Path) -> tuple[int, str, str]:
    monkeypatch.setattr("tempfile.tempdir", str(room))
    done = CliRunner().invoke(main, words, prog_name="harness")
    assert done.exit_code in (0, 1, 2), done.output
    assert CONTROLS.search(done.output) is None
    assert done.stderr.count("\n") <= 1
    assert not list(room.glob("harness-traceback-*"))
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_verify(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    status, told, troubles = call(["replay", "verify", str(path)], monkeypatch, tmp_path)
    assert (troubles != "") == (status == 2)
    assert told.startswith(f"{path}: ") or status == 2
    assert (f"{path}: OK\n" in told) == (status == 0)
    if path.name.startswith("good-"):
        assert status == 0


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_show(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    status, told, troubles = call(["replay", "show", str(path)], monkeypatch, tmp_path)
    assert (told != "") or status == 2
    assert troubles.startswith(f"harness: {path}: ") or status == 0
    if path.name.startswith("good-") and path.parent.name == "replay_file":
        assert (status, troubles) == (0, "")


@pytest.mark.parametrize("path", inputs("league_file"), ids=lambda path: path.name)
def test_plan(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # A good one may name a bot that is not there.
    status, told, troubles = call(["plan", str(path)], monkeypatch, tmp_path)
    assert (told != "") == (status == 0)
    assert (troubles != "") == (status == 2)
