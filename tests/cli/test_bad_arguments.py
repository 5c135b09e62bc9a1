"""Bad usage and bad input: exit status 2, one clear line on stderr that says what and where, nothing on stdout."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

LEAGUE = """
[league]
name = "small"
edition = "iello-2016"
format = "round-robin"
seats = [3]
games = 1
rounds = 1
seed = "a"

[[bots]]
sample = "never"
[[bots]]
sample = "at-once"
[[bots]]
sample = "random"

[sandbox]
backend = "bare"
trust_bots = true
"""

THREE = ["sample:never", "sample:at-once", "sample:random"]

# (words, what the line must say); FILE names are those of the fixture below
CASES: list[tuple[list[str], str]] = [
    (["plya"], "did you mean play?"),
    (["frobnicate"], "no such command 'frobnicate'"),
    (["--verbose"], "'--verbose'"),
    (["replay"], "missing command"),
    (["replay", "sohw"], "did you mean show?"),
    (["play"], "BOT"),
    (["play", *THREE[:2]], "3 to 8"),
    (["play", *THREE * 3], "3 to 8"),
    (["play", *THREE, "-n", "0"], "-n"),
    (["play", *THREE, "-n", "many"], "'many'"),
    (["play", *THREE, "-n", "1000000"], "1000000"),
    (["play", *THREE, "--edition", "iello"], "iello-2016"),
    (["play", *THREE, "--edition"], "--edition"),
    (["play", *THREE, "--edition", ""], "edition"),
    (["play", *THREE, "--sandbox", "castle"], "--sandbox castle"),
    (["play", *THREE, "--record", "no-folder/match.json"], "no-folder"),
    (["play", *THREE, "--record", "folder"], "is a folder"),
    (["play", *THREE, "--gmaes", "3"], "--gmaes"),
    (["play", "sample:nver", *THREE[:2]], "sample:never"),
    (["play", "nowhere", *THREE[:2]], "nowhere"),
    (["play", "folder", *THREE[:2]], "bot.toml"),
    (["play", "bot.py", *THREE[:2], "--sandbox", "bare"], "--trust-bots"),
    (["play", "", *THREE[:2]], "harness: "),
    (["play", "a\nb\x1b[2J", *THREE[:2]], "U+001B"),
    (["replay", "show"], "FILE"),
    (["replay", "show", "nowhere.json"], "nowhere.json"),
    (["replay", "show", "folder"], "folder"),
    (["replay", "show", "junk"], "junk"),
    (["replay", "show", "empty"], "empty"),
    (["replay", "show", "half.json"], "half.json: "),
    (["replay", "show", "match.json", "match.json"], "match.json"),
    (["replay", "show", "match.json", "--game", "0"], "--game"),
    (["replay", "show", "match.json", "--game", "9"], "--game 9"),
    (["replay", "verify"], "FILE"),
    (["replay", "verify", "nowhere.json"], "nowhere.json"),
    (["replay", "verify", "folder"], "folder"),
    (["replay", "verify", "junk"], "junk"),
    (["replay", "verify", "broken.gz"], "broken.gz"),
    (["replay", "export", "league.toml"], "--out"),
    (["replay", "export", "nowhere.toml", "--out", "x"], "nowhere.toml"),
    (["replay", "export", "league.toml", "--out", "x"], "run-league"),
    (["replay", "export", "league.toml", "--out", "folder"], "folder"),
    (["replay", "export", "league.toml", "1/1/1", "--season", "1", "--out", "x"], "--season"),
    (["run-league"], "LEAGUE.toml"),
    (["run-league", "nowhere.toml"], "nowhere.toml"),
    (["run-league", "leagues/season.toml"], "leagues/season.toml: no such file; check the path"),
    (["run-league", "junk/season.toml"], "season.toml: can't be read"),
    (["run-league", "folder"], "folder"),
    (["run-league", "junk"], "junk"),
    (["run-league", "misspelt.toml"], "rounds"),
    (["run-league", "league.toml", "--workers", "0"], "--workers"),
    (["run-league", "league.toml", "--rounds", "-1"], "--rounds"),
    (["run-league", "league.toml", "--season", "1", "--new-season"], "--new-season"),
    (["run-league", "league.toml", "--store", "folder"], "folder"),
    (["run-league", "league.toml", "--store", ""], "names no file"),
    (["standings", "league.toml", "--store", ""], "names no file"),
    (["run-league", "league.toml", "--store", "junk"], "junk"),
    (["run-league", "distrustful.toml"], "trust_bots"),
    (["plan"], "LEAGUE.toml"),
    (["plan", "leagues/nowhere.toml"], "leagues/nowhere.toml: no such file; check the path"),
    (["plan", "missing-bot.toml"], "bots[0]"),
    (["standings", "nowhere.toml"], "nowhere.toml"),
    (["standings", "league.toml"], "run-league"),
    (["standings", "league.toml", "--json", "--csv"], "--csv"),
    (["standings", "league.toml", "--season", "0"], "--season"),
    (["standings", "league.toml", "--size", "2"], "--size"),
    (["faults", "league.toml"], "run-league"),
    (["faults", "league.toml", "never", "again"], "again"),
    (["submit", "league.toml"], "BOT"),
    (["submit", "league.toml", "nowhere"], "nowhere"),
    (["bots"], "LEAGUE.toml"),
    (["bots", "nowhere.toml"], "nowhere.toml"),
    (["bots", "league.toml"], "run-league"),
    (["bots", "league.toml", "--json"], "run-league"),
    (["bots", "league.toml", "lits"], "'lits'"),
    (["bots", "league.toml", "list", "never"], "list takes no bot"),
    (["bots", "league.toml", "bench"], "bench needs the id of a BOT"),
    (["bots", "league.toml", "unbench"], "unbench needs the id of a BOT"),
    (["bots", "league.toml", "withdraw"], "withdraw needs the id of a BOT"),
    (["bots", "league.toml", "bench", "never"], "run-league"),
    (["bots", "league.toml", "bench", "never", "again"], "again"),
    (["bots", "league.toml", "bench", "never", "--json"], "--json"),
    (["bots", "league.toml", "bench", "never", "--store", "nowhere.db"], "nowhere.db"),
    (["bots", "league.toml", "--store", "junk"], "junk"),
    (["void"], "LEAGUE.toml"),
    (["void", "league.toml"], "MATCH"),
    (["void", "league.toml", "1/1/1"], "--reason"),
    (["void", "league.toml", "1/1/1", "--reason"], "--reason"),
    (["void", "league.toml", "1/1/1", "--reason", "why"], "run-league"),
    (["void", "nowhere.toml", "1/1/1", "--reason", "why"], "nowhere.toml"),
    (["void", "league.toml", "1/1/1", "--reason", "why", "--store", "nowhere.db"], "nowhere.db"),
    (["schema", "nothing"], "nothing"),
    (["completion"], "SHELL"),
    (["completion", "tcsh"], "tcsh"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replay_file: Any) -> Path:
    replay_file()
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk").write_bytes(b"\x00\xff\x1b[31m junk\n" * 10)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "half.json").write_bytes((tmp_path / "match.json").read_bytes()[:500])
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b\x08\x00 no gzip at all")
    (tmp_path / "bot.py").write_text("print()\n")
    (tmp_path / "league.toml").write_text(LEAGUE)
    (tmp_path / "misspelt.toml").write_text(LEAGUE.replace("rounds = 1", "ruonds = 1"))
    (tmp_path / "distrustful.toml").write_text(LEAGUE.replace("= true", "= false"))
    (tmp_path / "missing-bot.toml").write_text(LEAGUE.replace('sample = "never"', 'path = "gone"'))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("words", "says"), CASES, ids=[ascii(" ".join(words)) for words, _ in CASES])
def test_bad_input_ends_with_2_and_one_line(
    harness: Callable[..., Result], here: Path, words: list[str], says: str
) -> None:
    done = harness(*words)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr[:-1].isprintable()
    assert done.stderr.startswith(("harness: ", "harness "))
    assert says in done.stderr
    assert "internal error" not in done.stderr


def test_nothing_is_left_behind_by_bad_input(harness: Callable[..., Result], here: Path) -> None:
    before = sorted(path.name for path in here.iterdir())
    for words, _ in CASES:
        if words[0] not in ("run-league", "submit"):
            harness(*words)
    assert sorted(path.name for path in here.iterdir()) == before


def test_no_two_cases_are_the_same() -> None:
    assert len({tuple(words) for words, _ in CASES}) == len(CASES) >= 25


def test_an_argument_that_is_not_utf_8_is_refused_in_one_line(tmp_path: Path) -> None:
    harness = Path(sys.executable).with_name("harness")
    for words in (
        ["play", "sample:never", "sample:random", "sample:at-once", "--seed", b"\x80"],
        ["plan", b"\xff.toml"],
    ):
        done = subprocess.run([harness, *words], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1
        assert b"not UTF-8" in done.stderr


def test_a_league_that_is_refused_leaves_no_store_behind(tmp_path: Path) -> None:
    harness = Path(sys.executable).with_name("harness")
    text = '[league]\nname = "t"\nedition = "iello-2016"\nformat = "round-robin"\nseats = [3]\ngames = 1\nrounds = 1\n'
    text += '[sandbox]\nbackend = "bare"\n' + "trust_bots = true\n" + '[[bots]]\npath = "nobody"\n' * 3
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    done = subprocess.run([harness, "run-league", "t.toml"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert [file.name for file in tmp_path.iterdir()] == ["t.toml"]
