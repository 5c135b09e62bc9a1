"""Runs with real bots in real workers: the same whatever their number, whoever is killed, and wherever it stops."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import Interrupted
from harness.executors import StopSignal
from harness.league import Event, MatchPlayed, RunSummary, WorkerLost, load_league, run_league
from harness.referee import verify_record
from harness.store import open_store
from tests.second.replay import check_record

Dump = dict[str, list[tuple[Any, ...]]]

GATE = """
import json, os, select, sys
from pathlib import Path

FOLDER = Path({folder!r})


def first(name):
    try:
        fd = os.open(FOLDER / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return False
    os.write(fd, str(os.getpid()).encode())
    os.close(fd)
    return True


print('{{"type":"ready"}}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        if message["turn"] == 1 and not first("came") and first("stopped"):
            (FOLDER / "gate").write_text("in the second match")
            select.select([], [], [])
        action = "leave" if len(message["path"]) > 3 else "continue"
        print(json.dumps({{"type": "decision", "turn": message["turn"], "action": action}}), flush=True)
"""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    path = tmp_path / "league.toml"
    bots = "".join(f'[[bots]]\nsample = "{name}"\n' for name in ("never", "fixed-depth", "at-once", "random"))
    path.write_text(
        '[league]\nname = "real"\nedition = "iello-2016"\nformat = "round-robin"\nseats = [3]\ngames = 2\nrounds = 2\n'
        f'seed = "real"\n[limits]\nstall_ms = 60000\n[sandbox]\nbackend = "bare"\ntrust_bots = true\n{bots}'
    )
    return path


@pytest.fixture
def gate(league: Path, tmp_path: Path) -> Path:
    """Adds a bot that stops in the second match and says so through the pipe `gate`; later it plays on."""
    folder = tmp_path / "marks"
    folder.mkdir()
    os.mkfifo(folder / "gate")
    (tmp_path / "gatekeeper.py").write_text(GATE.format(folder=str(folder)))
    league.write_text(league.read_text() + '[[bots]]\npath = "gatekeeper.py"\n')
    return folder


def run(league: Path, store_file: Path, told: Callable[[Event], None], workers: int = 1) -> RunSummary:
    with open_store(store_file) as store, StopSignal() as stop:
        return run_league(load_league(league), store, workers=workers, tell=told, stop=stop)


def dump(store_file: Path) -> Dump:
    with open_store(store_file) as store:
        return store.reproducible_dump()


def undisturbed(league: Path, folder: Path) -> Dump:
    run(league, folder / "undisturbed.db", lambda event: None, workers=2)
    return dump(folder / "undisturbed.db")


def wait_for_end(pid: int) -> None:
    """Return once the process has ended; the test's own time limit is all that ends the wait otherwise."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    select.select([fd], [], [])
    os.close(fd)


def test_one_worker_and_two_come_to_the_same(league: Path, tmp_path: Path) -> None:
    expected = undisturbed(league, tmp_path)
    told: list[Event] = []
    summary = run(league, tmp_path / "one.db", told.append)
    assert dump(tmp_path / "one.db") == expected
    records = [event.record for event in told if isinstance(event, MatchPlayed)]
    assert len(records) == summary.played == 8
    assert [verify_record(record) for record in records] == [None] * 8
    assert all(record["faults"] == [] for record in records)
    for record in records:
        check_record(record)


@pytest.mark.parametrize(
    ("kind", "count", "workers"),
    [
        ("SeasonAnnounced", 1, 1),
        ("RoundOpened", 1, 2),
        ("MatchPlayed", 1, 1),
        ("MatchPlayed", 3, 2),
        ("RoundOver", 1, 2),
        ("MatchPlayed", 7, 2),
    ],
)
def test_a_run_that_is_killed_goes_on_to_the_same_end_and_leaves_no_process(
    league: Path, tmp_path: Path, kind: str, count: int, workers: int
) -> None:
    script = Path(__file__).with_name("killed_run.py")
    store_file = tmp_path / "killed.db"
    command = [sys.executable, str(script), str(league), str(store_file), str(workers), kind, str(count)]
    killed = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    assert killed.returncode == -signal.SIGKILL
    for pid in json.loads(killed.stdout):
        wait_for_end(pid)
    run(league, store_file, lambda event: None, workers=2)
    assert dump(store_file) == undisturbed(league, tmp_path)


def test_a_worker_killed_in_a_match_is_replaced_its_bots_ended_and_nothing_else_changes(
    league: Path, gate: Path, tmp_path: Path
) -> None:
    told: list[Event] = []

    def kill_its_worker() -> None:
        (gate / "gate").read_text()
        bot = int((gate / "stopped").read_text())
        stat = Path(f"/proc/{bot}/stat").read_text()
        os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)

    killer = threading.Thread(target=kill_its_worker)
    killer.start()
    run(league, tmp_path / "disturbed.db", told.append)
    killer.join()
    (lost,) = [event for event in told if isinstance(event, WorkerLost)]
    assert (lost.reason, lost.tries) == ("a worker ended with signal 9", 1)
    tries = {event.fixture.match: event.tries for event in told if isinstance(event, MatchPlayed)}
    assert [match for match, count in tries.items() if count != 1] == [lost.match]
    wait_for_end(int((gate / "stopped").read_text()))
    assert dump(tmp_path / "disturbed.db") == undisturbed(league, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_ends_a_run_though_a_bot_hangs_and_keeps_what_was_played(
    league: Path, gate: Path, tmp_path: Path, number: signal.Signals
) -> None:
    told: list[Event] = []

    def stop() -> None:
        (gate / "gate").read_text()
        os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Interrupted) as end:
        run(league, tmp_path / "stopped.db", told.append)
    stopper.join()
    assert end.value.exit_status == 130
    assert signal.getsignal(number) is before
    wait_for_end(int((gate / "stopped").read_text()))
    played = [event for event in told if isinstance(event, MatchPlayed)]
    assert played
    with open_store(tmp_path / "stopped.db") as store:
        (round_,) = store.rounds("real/1")
        assert (round_.stored, round_.applied) == (len(played), len(played))
    rest: list[Event] = []
    run(league, tmp_path / "stopped.db", rest.append)
    assert len(played) + sum(isinstance(event, MatchPlayed) for event in rest) == 10
    assert dump(tmp_path / "stopped.db") == undisturbed(league, tmp_path)
