"""`harness bots`: the list for people and for programs, and the three deeds in a sentence each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

LEAGUE = """
[league]
name = "small"
edition = "iello-2016"
format = "round-robin"
seats = [3]
games = 1
rounds = 3
seed = "a"

[[bots]]
sample = "never"
[[bots]]
sample = "at-once"
[[bots]]
sample = "random"
[[bots]]
path = "hostile"
author = "=x\\u202Ey"

[sandbox]
backend = "bare"
trust_bots = true
"""
BOT = """
print('{"type":"ready"}', flush=True)
raise SystemExit(3)
"""

Harness = Callable[..., Result]


@pytest.fixture
def league(harness: Harness, tmp_path: Path) -> Path:
    """A league after the first of three rounds; one of its bots has a title that would clear the screen."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "hostile"\ntitle = "a\\u001B[2Jb\\u202E"\ncommand = "python3 bot.py"\n')
    (folder / "bot.py").write_text(BOT)
    file = tmp_path / "small.toml"
    file.write_text(LEAGUE)
    done = harness("run-league", file, "--rounds", 1)
    assert done.exit_code == 0, done.output
    return file


def test_the_list_is_a_table_of_all_bots(harness: Harness, league: Path) -> None:
    done = harness("bots", league)
    assert (done.exit_code, done.stderr) == (0, "")
    heading, *rows = done.stdout.splitlines()
    assert heading.split() == ["bot", "version", "title", "author", "state", "since", "faults"]
    assert [row.split()[0] for row in rows] == ["at-once", "hostile", "never", "random"]
    assert all("plays" in row and "round 1" in row for row in rows)
    assert [row.split()[-1] for row in rows][1] in "123"
    assert harness("bots", league, "list").stdout == done.stdout


def test_hostile_titles_and_authors_are_made_visible(harness: Harness, league: Path) -> None:
    text = harness("bots", league).stdout
    assert "a⟨U+001B⟩[2Jb⟨U+202E⟩" in text
    assert "=x⟨U+202E⟩y" in text
    assert all(line.isprintable() for line in text.splitlines())
    assert harness("bots", league, "--json").stdout.isascii()


def test_the_list_as_json_has_whole_versions(harness: Harness, league: Path) -> None:
    assert harness("bots", league, "withdraw", "never").exit_code == 0
    said = json.loads(harness("bots", league, "--json").stdout)
    assert (said["league"], said["season"]) == ("small", 1)
    by_bot = {one["bot"]: one for one in said["bots"]}
    standings = json.loads(harness("standings", league, "--json").stdout)["standings"]
    assert {bot: (one["version"], one["faults"]) for bot, one in by_bot.items()} == {
        row["bot"]: (row["version"], row["faults"]) for row in standings
    }
    assert (by_bot["never"]["state"], by_bot["never"]["since_season"], by_bot["never"]["since_round"]) == (
        "withdrawn",
        1,
        2,
    )
    assert (by_bot["hostile"]["title"], by_bot["hostile"]["author"]) == ("a\x1b[2Jb\u202e", "=x\u202ey")


def test_bench_unbench_and_withdraw_say_from_when(harness: Harness, league: Path) -> None:
    version = next(one for one in json.loads(harness("bots", league, "--json").stdout)["bots"] if one["bot"] == "never")
    assert harness("bots", league, "bench", "never").output == "never: benched from round 2 of season 1 on\n"
    assert "benched" in harness("bots", league).stdout
    again = harness("bots", league, "bench", "never")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == "harness: bot never is benched already, from round 2 of season 1 on\n"
    assert harness("run-league", league, "--rounds", 1).exit_code == 0
    done = harness("bots", league, "unbench", "never")
    assert done.output == f"never, version {version['version'][:12]}: plays from round 3 of season 1 on\n"
    assert "enters round 3" in harness("bots", league).stdout
    assert harness("bots", league, "withdraw", "never").output == "never: withdrawn from round 3 of season 1 on\n"
    assert harness("run-league", league).exit_code == 0
    done = harness("bots", league, "unbench", "never")
    assert done.exit_code == 2
    assert "is withdrawn from season 1, not benched" in done.stderr


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_table_keeps_bot_state_and_faults_on_narrow_screens(
    harness: Harness, league: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    from harness.cli import bots as module
    from harness.cli.paper import console

    monkeypatch.setattr(module, "console", lambda stream, table: console(stream))
    lines = harness("bots", league, env={"COLUMNS": str(width)}).stdout.splitlines()
    assert len(lines) == 5
    assert {"bot", "state", "faults"} <= set(lines[0].split())
    assert all(len(line) <= width for line in lines)


def test_a_bot_is_disqualified_with_a_reason_and_its_matches_count_no_more(harness: Harness, league: Path) -> None:
    done = harness("bots", league, "disqualify", "never", "--reason", "reads other\nbots")
    assert (done.exit_code, done.stderr) == (0, "")
    told = (
        r"never: disqualified from round 2 of season 1 on; [1-9]\d* matches of season 1 with it count no more \(.*\)\n"
    )
    assert re.fullmatch(told, done.stdout)
    assert "disqualified" in harness("bots", league).stdout
    last = json.loads(harness("standings", league, "--json").stdout)["standings"][-1]
    assert (last["bot"], last["rank"], last["games"], last["state"]) == ("never", None, 0, "disqualified")
    back = harness("bots", league, "unbench", "never")
    assert (back.exit_code, "plays from round 2" in back.stdout) == (0, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["disqualify", "never"], "--reason"),
        (["bench", "never", "--reason", "why"], "--reason is to disqualify a bot"),
        (["disqualify", "never", "--reason", " "], "reason: empty"),
        (["disqualify", "nobody", "--reason", "why"], "no bot 'nobody'"),
    ],
)
def test_what_cannot_be_disqualified_is_one_sentence(
    harness: Harness, league: Path, words: list[str], says: str
) -> None:
    done = harness("bots", league, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr
