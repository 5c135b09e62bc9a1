"""`harness void`: what it prints, what the ladder and the season's file are afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.ratings import Ladder, Parameters, match_ranks
from tests.cli.test_bad_arguments import LEAGUE
from tests.ratings.tally import tally

Harness = Callable[..., Result]


@pytest.fixture
def league(harness: Harness, tmp_path: Path) -> Path:
    """A league of four bots after two of its three rounds."""
    file = tmp_path / "small.toml"
    file.write_text(LEAGUE.replace("rounds = 1", "rounds = 3").replace("games = 1", "games = 4") + EIGHTH)
    done = harness("run-league", file, "--rounds", 2)
    assert done.exit_code == 0, done.output
    return file


EIGHTH = '\n[[bots]]\nsample = "hazard-count"\n'


def exported(harness: Harness, league: Path, tmp_path: Path) -> list[dict[str, object]]:
    file = tmp_path / "season.jsonl"
    assert harness("replay", "export", league, "--out", file).exit_code == 0
    done = harness("replay", "verify", file)
    assert (done.exit_code, done.stdout.startswith(f"{file}: OK")) == (0, True), done.output
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("name", ["small/1/1/1", "1/1/1"])
def test_a_voided_match_is_rated_away_and_the_season_still_verifies(
    harness: Harness, league: Path, tmp_path: Path, name: str
) -> None:
    before = exported(harness, league, tmp_path)
    done = harness("void", league, name, "--reason", "a wrong\ndeck")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "small/1/1/1: void; its games count no more, and what came after it is rated again\n"
    lines = exported(harness, league, tmp_path)
    assert lines[:-2] == before[:-1]
    assert lines[-2] == {"void": "small/1/1/1", "reason": "a wrong deck"}
    remaining = [line for line in lines if "games" in line and "match" in line and line["match"] != "small/1/1/1"]
    ladder = Ladder(Parameters())
    for record in remaining:
        ladder.apply(match_ranks(record))
    counted = tally(remaining)
    standings = json.loads(harness("standings", league, "--json").stdout)["standings"]
    assert {row["bot"]: (row["mu"], row["sigma"], row["games"]) for row in standings} == {
        bot: (rating.mu, rating.sigma, counted[bot].games) for bot, rating in ladder.ratings.items()
    }
    assert harness("run-league", league).exit_code == 0
    assert {"void": "small/1/1/1", "reason": "a wrong deck"} in exported(harness, league, tmp_path)


def test_a_match_is_voided_once(harness: Harness, league: Path) -> None:
    assert harness("void", league, "1/2/1", "--reason", "first").exit_code == 0
    done = harness("void", league, "1/2/1", "--reason", "second")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "harness: match small/1/2/1 is void already: first\n"


@pytest.mark.parametrize(
    ("match", "reason", "says"),
    [
        ("1/3/1", "why", "there is no match small/1/3/1 in the store"),
        ("1/1/99", "why", "no match small/1/1/99"),
        ("2/1/1", "why", "small has no season 2; there are: 1"),
        ("other/1/1/1", "why", "other/1/1/1 is of another league"),
        ("1/1", "why", "is no name of a match"),
        ("1/01/1", "why", "is no name of a match"),
        ("\x1b[2J", "why", "⟨U+001B⟩"),
        ("1/1/1", "", "reason: empty"),
        ("1/1/1", "x" * 201, "reason: 201 characters"),
        ("1/1/1", "a\u202eb", "⟨U+202E⟩"),
    ],
)
def test_what_cannot_be_voided_is_one_line(harness: Harness, league: Path, match: str, reason: str, says: str) -> None:
    done = harness("void", league, match, "--reason", reason)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr
    assert done.stderr[:-1].isprintable()
