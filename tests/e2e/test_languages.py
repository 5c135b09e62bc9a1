"""Bots in C, Java, JavaScript and Python at one table, through the commands that a user types: contained, and bare."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.executors import choose_backend
from sandbox import BARE as BARE_PROBE
from tests.e2e.harness_command import BARE, CONTAINED, harness, league_text
from tests.second.replay import check_record
from tests.second.season import check_season_file

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: apt install gcc libc6-dev"),
    pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js: apt install nodejs"),
    pytest.mark.skipif(shutil.which("javac") is None, reason="no Java: apt install default-jdk-headless"),
]

JAVA = r"""
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Bot {
    private static final Pattern TURN = Pattern.compile("\"turn\":(\\d+)");

    public static void main(String[] words) throws IOException {
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("{\"type\":\"ready\"}");
        String line;
        while ((line = told.readLine()) != null) {
            Matcher turn = TURN.matcher(line);
            if (line.contains("\"type\":\"decide\"") && turn.find()) {
                String action = Integer.parseInt(turn.group(1)) % 4 == 0 ? "leave" : "continue";
                System.out.printf(
                    "{\"type\":\"decision\",\"turn\":%s,\"action\":\"%s\"}%n", turn.group(1), action);
            }
        }
    }
}
"""

NAMES = ["depth-c", "gem-threshold-js", "fixed-depth", "java"]


@pytest.fixture
def java(tmp_path: Path) -> Path:
    """A bot that has to be built, in a folder named `java`."""
    folder = tmp_path / "java"
    folder.mkdir()
    (folder / "Bot.java").write_text(JAVA, encoding="utf-8")
    (folder / "bot.toml").write_text(
        'name = "java"\nlanguage = "Java"\nbuild = "javac Bot.java"\ncommand = "java Bot"\nexclude = ["Bot.class"]\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture(scope="module")
def strongest() -> str:
    """The tier that can be had here without trust in anybody."""
    found = choose_backend("auto", require=None, trusted=True, what="", to_trust="")
    if found == BARE_PROBE:
        pytest.skip("nothing here contains a bot: apt install bubblewrap")
    return found.tier


def one_match(folder: Path, more: Sequence[str]) -> str:
    """Plays a match of one bot a language and checks its record; the tier it names."""
    words = [f"sample:{name}" for name in NAMES[:3]] + ["java", "-n", "5", "--seed", "four languages"]
    harness("play", *words, "--record", "match.json", *more, cwd=folder)
    record = json.loads((folder / "match.json").read_text(encoding="utf-8"))
    check_record(record)
    assert record["faults"] == record["incidents"] == []
    assert [seat["bot"] for seat in record["seats"]] == NAMES
    assert len(record["games"]) == 5
    assert len([build for build in record["sandbox"]["builds"] if build is not None]) == 2
    harness("replay", "verify", "match.json", cwd=folder)
    return str(record["sandbox"]["tier"])


def league(folder: Path, sandbox: str) -> None:
    """Plays a league of one bot a language and checks its season file."""
    bots = [f'sample = "{name}"' for name in NAMES[:3]] + ['path = "java"']
    path = folder / "languages.toml"
    path.write_text(league_text("languages", bots, seats="[4]", rounds=2, sandbox=sandbox), encoding="utf-8")
    harness("run-league", path, cwd=folder)
    rows = json.loads(harness("standings", path, "--json", cwd=folder).stdout)["standings"]
    assert sorted(row["bot"] for row in rows) == sorted(NAMES)
    # Each bot once in each of the four seats.
    assert all((row["games"], row["faults"]) == (2 * 4 * 3, 0) for row in rows)
    assert harness("faults", path, cwd=folder).stdout.startswith("no faults")
    harness("replay", "export", path, "--out", "season.jsonl", cwd=folder)
    check_season_file(folder / "season.jsonl")


@pytest.mark.usefixtures("java")
def test_one_match_of_four_languages_that_nobody_vouches_for(tmp_path: Path, strongest: str) -> None:
    assert one_match(tmp_path, []) == strongest


@pytest.mark.usefixtures("java")
def test_one_match_of_four_languages_bare(tmp_path: Path) -> None:
    assert one_match(tmp_path, ["--sandbox", "bare", "--trust-bots"]) == "bare"


@pytest.mark.usefixtures("java", "strongest")
def test_a_league_of_four_languages_that_nobody_vouches_for(tmp_path: Path) -> None:
    league(tmp_path, CONTAINED)


@pytest.mark.usefixtures("java")
def test_a_league_of_four_languages_bare(tmp_path: Path) -> None:
    league(tmp_path, BARE)
