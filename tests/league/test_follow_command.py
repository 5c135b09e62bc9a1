"""`run-league --follow` as a process, with submissions from others, killed and stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.league import bench_bot, load_league, withdraw_bot
from harness.store import Store, open_store
from tests.e2e.harness_command import harness, league_text, started

GATEKEEPER = """
import json, os, sys

FOLDER = {folder!r}


def first_to_come():
    try:
        os.unlink(FOLDER + "/hold")
    except FileNotFoundError:
        return False
    return True


print('{{"type":"ready"}}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        if message["turn"] == 1 and first_to_come():
            with open(FOLDER + "/held", "w") as held:
                held.write("in a match of the first round")
            open(FOLDER + "/go").read()
        action = "leave" if len(message["path"]) > 3 else "continue"
        print(json.dumps({{"type": "decision", "turn": message["turn"], "action": action}}), flush=True)
    elif message["type"] == "match_end":
        break
"""
LEAVER = """
import json, sys

print('{{"type":"ready"}}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        action = "leave" if message["pocket"] >= {pocket} else "continue"
        print(json.dumps({{"type": "decision", "turn": message["turn"], "action": action}}), flush=True)
    elif message["type"] == "match_end":
        break
"""


def gate_of(folder: Path) -> Path:
    """Where the gatekeepers of all leagues beside each other look, so that they are one version."""
    return folder.parent / "gate"


def league(folder: Path, format_: str) -> Path:
    """A league whose bot `gatekeeper` stops in its first match, if its gate says so, until it is let go."""
    folder.mkdir()
    gate = gate_of(folder)
    if not gate.exists():
        gate.mkdir()
        os.mkfifo(gate / "held")
        os.mkfifo(gate / "go")
    (folder / "gatekeeper.py").write_text(GATEKEEPER.format(folder=str(gate)))
    (folder / "leaver.py").write_text(LEAVER.format(pocket=5))
    bots = [f'sample = "{name}"' for name in ("never", "random", "hazard-count", "fixed-depth")]
    bots += ['path = "gatekeeper.py"', 'path = "leaver.py"']
    text = league_text("follow", bots, seats="[3]", games=4, rounds=2, limits="stall_ms = 60000")
    path = folder / "follow.toml"
    path.write_text(text.replace('format = "round-robin"', f'format = "{format_}"'), encoding="utf-8")
    return path


@contextmanager
def following(path: Path, *words: str, hold: bool = False) -> Iterator[subprocess.Popen[str]]:
    if hold:
        (gate_of(path.parent) / "hold").touch()
    run = started("run-league", path, "--follow", *words, cwd=path.parent)
    assert run.stdout is not None
    assert run.stderr is not None
    with run.stdout, run.stderr:
        yield run
    run.wait()


def submit_meanwhile(path: Path) -> None:
    """In the first round: a new bot, and a new version of one of the file, whose folder is not what it was."""
    gate = gate_of(path.parent)
    (gate / "held").read_text()
    (path.parent / "leaver.py").write_text(LEAVER.format(pocket=11))
    (path.parent / "other.py").write_text(LEAVER.format(pocket=2))
    for bot in ("leaver.py", "other.py"):
        said = harness("submit", path, bot, cwd=path.parent).stdout
        assert "entered in season 1, plays from round 2 on" in said
    (gate / "go").write_text("")


def kept(path: Path) -> Store:
    return open_store(path.with_suffix(".db"))


@pytest.mark.parametrize("format_", ["round-robin", "ladder"])
def test_submissions_play_from_the_next_opening_and_a_kill_leaves_no_trace(tmp_path: Path, format_: str) -> None:
    whole, killed = (league(tmp_path / name, format_) for name in ("whole", "killed"))
    with following(whole, "--rounds", "4", hold=True) as run:
        submit_meanwhile(whole)
        _, said = run.communicate()
    assert run.returncode == 0, said
    assert "follow: practice season 2: it is over; " in said

    with following(killed, hold=True) as run:
        submit_meanwhile(killed)
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("round 2 of 2: "):
                break
        os.killpg(run.pid, signal.SIGKILL)
    with kept(killed) as store:
        over = sum(each.state == "over" for row in store.seasons("follow") for each in store.rounds(row.id))
    harness("run-league", killed, "--follow", "--rounds", str(4 - over), cwd=killed.parent)

    with kept(whole) as one, kept(killed) as other:
        assert other.reproducible_dump() == one.reproducible_dump()
        first, second = (line for line in one.season_lines("follow/1") if "entries" in line)
        (later,) = (line for line in one.season_lines("follow/2") if "entries" in line)
    assert (first["round"], second["round"], later["round"]) == (1, 2, 1)
    assert "other" not in dict(first["entries"])
    assert "other" in dict(second["entries"])
    assert dict(first["entries"])["leaver"] != dict(second["entries"])["leaver"]
    assert later["entries"] == second["entries"], "what was submitted in season 1 plays on in season 2"


def test_it_waits_for_bots_and_ends_at_once_when_told_to(tmp_path: Path) -> None:
    path = league(tmp_path / "waits", "ladder")
    folder = path.parent
    harness("submit", path, "sample:expected-value", cwd=folder)
    with kept(path) as store:
        for bot in ("never", "random", "hazard-count", "fixed-depth"):
            bench_bot(load_league(path), store, bot)
        withdraw_bot(load_league(path), store, "expected-value")
    with following(path) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if " waits: " in line:
                break
        assert line == (
            "round 1 of season 1 waits: 2 bots can't fill a table of 3; let a benched bot in again with `harness bots "
            f"{path} unbench fixed-depth` or enter other bots with `harness submit {path} BOT`\n"
        )
        harness("bots", path, "unbench", "never", cwd=folder)
        for line in run.stderr:
            if line.startswith("round 1 of 2: "):
                break
        os.kill(run.pid, signal.SIGTERM)
        rest = run.stderr.read()
    assert run.returncode == 130
    assert "run the same command again to go on" in rest
    assert "Traceback" not in rest


def test_as_json_it_goes_on_line_by_line(tmp_path: Path) -> None:
    path = league(tmp_path / "json", "ladder")
    done = harness("run-league", path, "--follow", "--rounds", "3", "--json", cwd=path.parent)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["season"] for line in lines if line["event"] == "season-announced"] == [1, 2]
    assert [(line["event"], line.get("season"), line.get("rounds")) for line in lines[-1:]] == [("summary", 2, 3)]
    assert done.stderr == ""
