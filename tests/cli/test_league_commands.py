"""The commands on a league, from its first run to its last record: what each prints, and what none may show."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.errors import Interrupted
from harness.executors import StopSignal
from harness.league import Event, FaultSeen, load_league, run_league
from harness.store import open_store
from tests.second.season import check_season_file

CRASHES = """
import sys
print('{"type":"ready"}', flush=True)
sys.stderr.write("first words\\n" + "x\\x1b[2J\\n" * 3 + "last words\\n")
sys.exit(3)
"""
LEAGUE = """
[league]
name = "small"
edition = "iello-2016"
format = "round-robin"
seats = [3]
games = 2
rounds = 3
seed = "a"

[[bots]]
sample = "never"
[[bots]]
sample = "at-once"
[[bots]]
sample = "random"
[[bots]]
path = "crashes.py"

[sandbox]
backend = "bare"
trust_bots = true
"""


def call(*words: object, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], env=env, prog_name="harness")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league after two of its three rounds."""
    folder = tmp_path_factory.mktemp("league")
    (folder / "crashes.py").write_text(CRASHES)
    file = folder / "small.toml"
    file.write_text(LEAGUE)
    done = call("run-league", file, "--rounds", 2, "--workers", 2)
    assert done.exit_code == 0, done.output
    (folder / "run.out").write_text(done.stdout)
    (folder / "run.err").write_text(done.stderr)
    return file


def run_lines(league: Path) -> Iterator[str]:
    yield from (league.parent / "run.err").read_text().splitlines()


def test_a_run_tells_progress_on_stderr_and_the_ladder_on_stdout(league: Path) -> None:
    lines = list(run_lines(league))
    assert lines[0].startswith("small: practice season 1 begins, 3 rounds, commitment ")
    assert [line for line in lines if line.startswith("round 2 of 3 over: results ")]
    assert any(line.startswith("crashes: crashed ") and "(small/1/1/" in line for line in lines)
    assert "2 of 3 rounds over" in lines[-1]
    ladder = (league.parent / "run.out").read_text().splitlines()
    assert len(ladder) == 5
    assert "win %" in ladder[0]


def test_standings_say_what_the_run_said(league: Path) -> None:
    done = call("standings", league)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    commitment = json.loads(call("standings", league, "--json").stdout)["commitment"]
    # Four bots at tables of three, each bot once in each seat: four matches a round.
    assert lines[1:3] == ["containment of the bots: bare in 8 matches", f"commitment {commitment}"]
    assert any(commitment in line for line in run_lines(league))
    assert lines[5:] == (league.parent / "run.out").read_text().splitlines()
    assert "practice: its decks are known" in done.stdout


def test_standings_as_json_count_every_game_of_the_records(league: Path, tmp_path: Path) -> None:
    said = json.loads(call("standings", league, "--json").stdout)
    assert call("replay", "export", league, "--out", tmp_path / "season").exit_code == 0
    records = [line for line in map(json.loads, (tmp_path / "season").read_text().splitlines()) if "games" in line]
    records = [record for record in records if record["format"] == "tacora-replay/1"]
    for row in said["standings"]:
        seats = [(r, s) for r in records for s, who in enumerate(r["seats"]) if who["bot"] == row["bot"]]
        points = [game["scores"][s] for r, s in seats for game in r["games"]]
        assert row["games"] == len(points)
        assert row["points"] == pytest.approx(sum(points) / len(points))
        assert row["faults"] == sum(f["seat"] == s for r, s in seats for f in r["faults"])
    assert call("standings", league, "--json").stdout == json.dumps(said, indent=2) + "\n"


def test_a_second_run_of_the_same_league_has_the_same_json(league: Path, tmp_path: Path) -> None:
    store = tmp_path / "again.db"
    assert call("run-league", league, "--rounds", 2, "--workers", 1, "--store", store).exit_code == 0
    one, other = (call("standings", league, "--json", *more).stdout for more in ((), ("--store", store)))
    assert one == other


def test_faults_name_match_place_evidence_and_cure(league: Path) -> None:
    done = call("faults", league, "crashes", "--stderr", env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "crashes: crashed  small/1/1/" in done.stdout
    assert "exit status 3" in done.stdout
    assert "to mend:" in done.stdout
    assert "first words" in done.stdout
    assert "last words" in done.stdout
    assert "\x1b" not in done.stdout
    assert "first words" not in call("faults", league).stdout


def test_faults_of_a_bot_that_has_none_and_of_one_that_is_not_there(league: Path) -> None:
    assert call("faults", league, "never").stdout == "no faults of never in the rounds that are over\n"
    done = call("faults", league, "nevr")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "at-once, crashes, never, random" in done.stderr


def test_faults_as_json(league: Path) -> None:
    said = json.loads(call("faults", league, "--json", "--stderr").stdout)
    assert {fault["kind"] for fault in said["faults"]} == {"crashed"}
    assert all("last words" in fault["stderr"] for fault in said["faults"])
    assert "stderr" not in json.loads(call("faults", league, "--json").stdout)["faults"][0]


def test_one_match_is_exported_shown_and_verified(league: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    for name in ("small/1/1/2", "1/1/2"):
        assert call("replay", "export", league, name, "--out", file).exit_code == 0
        assert json.loads(file.read_text())["match"] == "small/1/1/2"
    assert call("replay", "verify", file).output == f"{file}: OK\n"
    assert call("replay", "show", file).stdout.startswith("Match small/1/1/2 ")


def test_several_matches_go_into_a_folder(league: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    assert call("replay", "export", league, "1/1/1", "1/2/1", "--out", folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["small-1-1-1.json", "small-1-2-1.json"]


@pytest.mark.parametrize("name", ["1/3/1", "1/1/99", "2/1/1", "other/1/1/1", "1/1", "x", "1/01/1", "../1/1/1"])
def test_a_match_that_cannot_be_had_is_one_line(league: Path, tmp_path: Path, name: str) -> None:
    done = call("replay", "export", league, name, "--out", tmp_path / "x")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_season_file_verifies_and_a_changed_one_does_not(league: Path, tmp_path: Path) -> None:
    file, other, junk = tmp_path / "season.jsonl", tmp_path / "changed.jsonl", tmp_path / "junk"
    assert call("replay", "export", league, "--out", file).exit_code == 0
    assert call("replay", "verify", file).stdout.startswith(f"{file}: OK\n")
    check_season_file(file)
    lines = file.read_text().splitlines()
    record = json.loads(lines[2])
    record["games"][0]["scores"][0] += 1
    other.write_text("\n".join([*lines[:2], json.dumps(record), *lines[3:]]) + "\n")
    done = call("replay", "verify", other, file)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{other}: line 3 ")
    assert f"{file}: OK" in done.stdout
    junk.write_text("{")
    done = call("replay", "verify", junk, other, file)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"harness: {junk}: ")
    assert f"{file}: OK" in done.stdout


def test_the_plan_counts_matches_and_tells_the_hours(league: Path) -> None:
    done = call("plan", league, "--workers", 1)
    assert done.exit_code == 0, done.output
    assert "4 bots, 3 rounds" in done.stdout
    assert "with one worker, by pilot matches" in done.stdout
    said = json.loads(call("plan", league, "--no-pilot", "--json").stdout)
    assert said["seconds"] is None
    assert said["games"] == 2 * said["matches"]
    assert "pilot" not in call("plan", league, "--no-pilot").stdout


def test_the_plan_of_a_ladder_says_what_its_spread_is(league: Path, tmp_path: Path) -> None:
    (tmp_path / "crashes.py").write_text(CRASHES)
    file = tmp_path / "small.toml"
    file.write_text(LEAGUE.replace('"round-robin"', '"ladder"'))
    done = call("plan", file, "--no-pilot")
    assert "4 bots, 3 rounds, 3 matches of 2 games" in done.stdout
    assert "spread as if all were equally strong" in done.stdout
    assert json.loads(call("plan", file, "--no-pilot", "--json").stdout)["by_rating"] is True
    assert "equally strong" not in call("plan", league, "--no-pilot").stdout


def test_run_league_as_json_is_an_object_a_line_and_the_ladder_last(league: Path, tmp_path: Path) -> None:
    done = call("run-league", league, "--store", tmp_path / "s.db", "--json")
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["event"] == "season-announced"
    assert [line["event"] for line in lines][-2:] == ["season-ended", "summary"]
    assert lines[-1]["ended"] is True
    assert len(lines[-1]["standings"]) == 4
    assert done.stderr == ""


def test_a_season_that_is_over_says_how_to_go_on_and_shows_its_ladder(league: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    first = call("run-league", league, "--store", store)
    assert first.exit_code == 0
    again = call("run-league", league, "--store", store)
    assert again.exit_code == 0
    assert again.stderr == "small: practice season 1 is over; --new-season begins another\n"
    assert again.stdout == first.stdout
    (summary,) = map(json.loads, call("run-league", league, "--store", store, "--json").stdout.splitlines())
    standings = json.loads(call("standings", league, "--store", store, "--json").stdout)["standings"]
    assert (summary["ended"], summary["played"], summary["rounds_over"]) == (True, 0, 3)
    assert summary["standings"] == standings
    assert len(standings) == 4


def test_the_secret_is_shown_once_the_season_is_over_and_is_what_was_committed_to(league: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    running = json.loads(call("standings", league, "--json").stdout)
    assert "secret" not in running
    assert "secret" not in call("standings", league).stdout
    assert call("run-league", league, "--store", store).exit_code == 0
    over = json.loads(call("standings", league, "--store", store, "--json").stdout)
    assert hashlib.sha256(over["secret"].encode()).hexdigest() == over["commitment"] == running["commitment"]
    lines = call("standings", league, "--store", store).stdout.splitlines()
    assert lines[2:4] == [f"commitment {over['commitment']}", f"secret {over['secret']}"]


def test_a_submission_says_from_when_it_plays(tmp_path: Path, league: Path) -> None:
    store = tmp_path / "s.db"
    assert call("run-league", league, "--store", store, "--rounds", 1).exit_code == 0
    done = call("submit", league, "sample:hazard-count", "--store", store)
    assert done.exit_code == 0
    assert "entered in season 1, plays from round 2 on" in done.stdout
    assert "nothing changed" in call("submit", league, "sample:hazard-count", "--store", store).stdout


def test_a_submission_before_the_first_season_announces_it(tmp_path: Path, league: Path) -> None:
    done = call("submit", league, "sample:hazard-count", "--store", tmp_path / "s.db")
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith("small: practice season 1 begins, 3 rounds, commitment ")
    assert done.stderr.count("\n") == 1
    assert "entered in season 1, plays from round 1 on" in done.stdout


def test_all_of_it_survives_an_ascii_terminal(league: Path) -> None:
    for words in (["standings", league], ["faults", league], ["plan", league, "--no-pilot"]):
        for env in ({"LANG": "C"}, {"PYTHONIOENCODING": "ascii:strict"}):
            code = "from harness.cli import main; main()"
            command = [sys.executable, "-c", code, *map(str, words)]
            done = subprocess.run(command, capture_output=True, env={"PATH": "/usr/bin:/bin", **env})
            assert done.returncode == 0, done.stderr
            assert done.stdout.isascii()
            assert b"UnicodeEncodeError" not in done.stderr


def test_of_an_open_round_no_more_is_shown_than_how_many_wait(league: Path, tmp_path: Path) -> None:
    address = tmp_path / "s.db"
    loaded = load_league(league)
    with open_store(address) as store, StopSignal() as stop:

        def tell(event: Event) -> None:
            if isinstance(event, FaultSeen):
                stop.request()

        with pytest.raises(Interrupted):
            run_league(loaded, store, workers=1, tell=tell, stop=stop)
        row = store.season("small")
        assert row is not None
        (round_,) = store.rounds(row.id)
        assert round_.state == "open"
        assert 0 < round_.stored < round_.fixtures
        stored, counted, fixtures = round_.stored, round_.applied, round_.fixtures
    done = call("faults", league, "--store", address)
    assert done.stdout == "no faults in the rounds that are over\n"
    waits = "1 match of the open round waits" if stored == 1 else f"{stored} matches of the open round wait"
    assert done.stderr == f"{waits} until it is over\n"
    said = json.loads(call("faults", league, "--store", address, "--json", "--stderr").stdout)
    assert (said["faults"], said["waiting_matches"]) == ([], stored)
    done = call("replay", "export", league, "1/1/1", "--store", address, "--out", tmp_path / "x")
    assert done.exit_code == 2
    assert "still open" in done.stderr
    done = call("replay", "export", league, "--store", address, "--out", tmp_path / "season")
    assert done.exit_code == 0
    assert waits in done.stderr
    kinds = [sorted(json.loads(line)) for line in (tmp_path / "season").read_text().splitlines()]
    assert not [fields for fields in kinds if "games" in fields and "seed" in fields]
    done = call("standings", league, "--store", address)
    assert done.exit_code == 0
    assert f"0 of 3 rounds over; round 1 is open: {counted} of {fixtures} matches counted\n" in done.stdout
    ladder = json.loads(call("standings", league, "--store", address, "--json").stdout)["standings"]
    assert sum(row["games"] for row in ladder) == counted * 3 * 2, "seats times games of each match"
