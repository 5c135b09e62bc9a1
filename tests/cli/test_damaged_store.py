"""The commands on a league whose store is damaged: one sentence that says where and what to do, never a traceback."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from harness.store import open_store
from tests.e2e.harness_command import league_text
from tests.store.synthetic import play_season

LEAGUE = league_text("test", [f'sample = "{name}"' for name in ("never", "at-once", "random")], seats="[3]")

COMMANDS = {
    "standings": (),
    "standings as JSON": ("--json",),
    "faults": (),
    "bots": (),
    "replay export": ("--out", "season.jsonl"),
}
SPOILT = {
    "a text for a number of rounds": "UPDATE seasons SET rounds_planned = 'many'",
    "a text for a rating": "UPDATE ratings SET mu = 'high' WHERE bot = 'ada'",
    "a text for a count": "UPDATE rounds SET fixtures = 'six'",
    "bytes for a state": "UPDATE seasons SET state = x'00'",
    "broken JSON": "UPDATE seasons SET header = '{'",
    "a broken record": "UPDATE record_files SET data = x'1f8b08'",
    "no rounds": "DROP TABLE rounds",
    "no measures": "DELETE FROM season_measures",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "league.db"
    with open_store(path) as made:
        play_season(made, rounds=1)
    return path


@pytest.mark.parametrize("spoilt", list(SPOILT))
def test_a_damaged_store_is_told_in_one_sentence(
    store: Path, spoilt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harness: Callable[..., Result]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("league.toml").write_text(LEAGUE)
    Path("league.db").write_bytes(store.read_bytes())
    with closing(sqlite3.connect("league.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(SPOILT[spoilt])
    refused = 0
    for name, options in COMMANDS.items():
        command = name.removesuffix(" as JSON").split()
        result = harness(*command, "league.toml", *options)
        assert "internal error" not in result.stderr, name
        if result.exit_code:
            refused += 1
            assert result.exit_code == 2, (name, result.stderr)
            assert result.stderr.count("\n") == 1
            assert result.stderr.startswith("harness: store league.db: it is damaged: "), result.stderr
            assert result.stderr.endswith("; go back to a copy of it, or begin with a new one\n")
    assert refused


def test_a_sound_store_is_not_refused(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harness: Callable[..., Result]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("league.toml").write_text(LEAGUE)
    Path("league.db").write_bytes(store.read_bytes())
    for name, options in COMMANDS.items():
        assert harness(*name.removesuffix(" as JSON").split(), "league.toml", *options).exit_code == 0, name
