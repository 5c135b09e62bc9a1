"""`harness play`: results, records, stderr, faults, interruption; with sample bots and bots of the test's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.second.replay import check_record

CALL = "from harness.cli import main; main()"
SAMPLES = ["sample:never", "sample:at-once", "sample:random"]
BARE = ["--sandbox", "bare", "--trust-bots"]
READY = 'print(\'{"type":"ready"}\', flush=True)\n'


def bot(folder: Path, name: str, source: str) -> Path:
    file = folder / f"{name}.py"
    file.write_text(source)
    return file


def test_the_result_table_and_the_record_say_the_same(harness: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    done = harness("play", *SAMPLES, "-n", 3, "--seed", "a", "--record", file)
    assert done.exit_code == 0, done.output
    record = json.loads(file.read_text())
    check_record(record)
    # The contract's vector for --seed a.
    assert record["seed"] == "beefd062373ef01191195dd848b2803b"
    assert record["seed"] in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()[2:5]]
    for seat, row in enumerate(rows):
        points = [game["scores"][seat] for game in record["games"]]
        ranks = [game["ranks"][seat] for game in record["games"]]
        shares = [1 / game["ranks"].count(1) if game["ranks"][seat] == 1 else 0 for game in record["games"]]
        assert row[:2] == [str(seat), record["seats"][seat]["bot"]]
        assert float(row[2]) == pytest.approx(sum(points) / 3, abs=0.005)
        assert float(row[3]) == pytest.approx(sum(shares), abs=0.005)
        assert float(row[4]) == pytest.approx(sum(ranks) / 3, abs=0.005)
        assert [int(n) for n in row[5:8]] == [ranks.count(rank) for rank in (1, 2, 3)]
    assert harness("replay", "verify", file).output == f"{file}: OK\n"
    assert harness("replay", "show", file).exit_code == 0


def test_json_and_nothing_else_on_stdout(harness: Callable[..., Result]) -> None:
    done = harness("play", *SAMPLES, "sample:random", "--seed", "00" * 16, "--json")
    said = json.loads(done.stdout)
    assert (said["seed"], said["games"], len(said["seats"])) == ("00" * 16, 1, 4)
    assert [seat["bot"] for seat in said["seats"]] == ["never", "at-once", "random", "random"]
    assert done.stderr == ""


def test_one_seed_gives_one_outcome_and_no_seed_a_new_one(harness: Callable[..., Result]) -> None:
    told = [json.loads(harness("play", *SAMPLES, "--json", *more).stdout) for more in [("--seed", "x")] * 2 + [()] * 2]
    assert told[0]["outcome"] == told[1]["outcome"]
    assert len({one["seed"] for one in told}) == 3


def test_the_edition_asked_for_is_played(harness: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "match.json.gz"
    assert harness("play", *SAMPLES, "--edition", "incan-gold-2020", "--record", file).exit_code == 0
    assert file.read_bytes()[:2] == b"\x1f\x8b"
    assert "incan-gold-2020" in harness("replay", "show", file).stdout


@pytest.mark.parametrize("more", [(), BARE], ids=["contained", "bare"])
def test_strangers_play_contained_or_once_they_are_trusted_and_their_faults_are_told(
    harness: Callable[..., Result], tmp_path: Path, more: Sequence[str]
) -> None:
    # What it writes to stderr must be out before the line for which it is killed.
    writes = "print('why\\x1b[2J', end='', file=sys.stderr, flush=True)\nprint('hello', flush=True)\ninput()\n"
    talker = bot(tmp_path, "talker", f"import sys\n{READY}{writes}")
    done = harness("play", *SAMPLES, talker, *more, "--stderr", tmp_path / "errors", env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert (
        "3:talker: bad-message – it wrote something that is no message of the protocol (game 1, expedition 1, turn 1)"
        in done.stdout
    )
    assert "got:      hello" in done.stdout
    assert (tmp_path / "errors" / "seat-3-talker.txt").read_text() == "why\x1b[2J"
    assert (tmp_path / "errors" / "seat-0-never.txt").read_text() == ""


def test_what_a_bot_sends_reaches_the_terminal_visible_only(harness: Callable[..., Result], tmp_path: Path) -> None:
    evil = bot(tmp_path, "evil", f"{READY}print('\\x1b[2J\\u202e\\x07', flush=True)\ninput()\n")
    for more in ((), ("--json",)):
        done = harness("play", *SAMPLES, evil, *more)
        assert done.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(done.output)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_match_ends_at_once_with_130_and_no_bot_left(tmp_path: Path, number: signal.Signals) -> None:
    waiting = tmp_path / "pid"
    os.mkfifo(waiting)
    source = f"import os, time\n{READY}open({str(waiting)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n"
    words = ["play", *SAMPLES, str(bot(tmp_path, "sleeper", source)), "--record", str(tmp_path / "out"), *BARE]
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        pid = int(waiting.read_text())  # waits for the bot to write it
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "harness: interrupted; the match counts for nothing\n"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (tmp_path / "out").exists()


def test_a_record_is_there_whole_or_not_at_all(
    harness: Callable[..., Result], tmp_path: Path, monkeypatch: Any
) -> None:
    file = tmp_path / "match.json"
    file.write_text("before")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = harness("play", *SAMPLES, "--record", file)
    assert done.exit_code == 3
    assert done.stderr == "harness: no space left on device; mend that on this machine and run it again\n"
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]
    assert file.read_text() == "before"
