"""A real worker, spoken to by hand."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from harness.bots import Home
from harness.executors import Job
from harness.executors.worker_process import Task, WorkerProcess
from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.referee import Fixture, Seat, longest_s
from sandbox import BARE

COMMAND = (sys.executable, "-P", "-m", "harness.executors.worker")


def start(folder: Path) -> WorkerProcess:
    scratch = folder / "worker"
    scratch.mkdir()
    return WorkerProcess(COMMAND, 0, {"backend": BARE.to_json(), "scratch": str(scratch), "core": None})


def next_message(worker: WorkerProcess) -> dict:
    while True:
        worker.flush()
        select.select([worker.outlet], [], [])
        for message in worker.messages():
            return message


def task(folder: Path) -> Task:
    seats = tuple(Seat(bot, "0" * 64) for bot in ("a", "b", "c"))
    fixture = Fixture(None, 0, 0, 0, "0" * 32, BUILT_IN["iello-2016"], 1, Limits(), seats)
    return Task(7, Job(fixture, tuple(Home(("no-such-program",), str(folder), None, "") for _ in seats)))


def test_it_loads_neither_store_nor_terminal() -> None:
    code = (
        "import sys, harness.executors.worker\n"
        "print(*{'sqlalchemy', 'sqlmodel', 'alembic', 'rich', 'click', 'numpy'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == ""


def test_it_loads_nothing_of_what_starts_it() -> None:
    code = (
        "import sys, harness.executors.worker\n"
        "print(*sorted(name for name in sys.modules if name.startswith('harness.executors.')))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == [
        "harness.executors.parent",
        "harness.executors.wire",
        "harness.executors.worker",
    ]


def test_it_plays_and_ends_when_the_life_line_does(tmp_path: Path) -> None:
    worker = start(tmp_path)
    assert next_message(worker) == {"ready": worker.pid}
    worker.give(task(tmp_path))
    message = next_message(worker)
    assert message["id"] == 7
    assert [fault["kind"] for fault in message["record"]["faults"]] == ["start-failed"] * 3
    assert message["stderr"] == ["", "", ""]
    worker.tell_to_end()
    select.select([worker.outlet], [], [])
    with pytest.raises(EOFError):
        list(worker.messages())
    worker.reap()


def test_a_worker_with_a_match_of_one_game_is_given_up_after_its_longest_and_within_the_hour(tmp_path: Path) -> None:
    worker = start(tmp_path)
    assert worker.patience_s() is None
    given = task(tmp_path)
    worker.give(given)
    patience_s = worker.patience_s()
    assert patience_s is not None
    assert longest_s(given.job.fixture) < patience_s < 3600
    worker.reap()


def test_what_the_machine_lacks_is_told_and_the_worker_lives(tmp_path: Path) -> None:
    worker = start(tmp_path)
    assert next_message(worker) == {"ready": worker.pid}
    (tmp_path / "worker").rmdir()
    worker.give(task(tmp_path))
    message = next_message(worker)
    assert message["id"] == 7
    assert "scratch folder" in message["failure"]
    (tmp_path / "worker").mkdir()
    worker.give(task(tmp_path))
    assert "record" in next_message(worker)
    worker.reap()


@pytest.mark.parametrize("number", [9, 8], ids=["another", "the same again"])
def test_what_was_taken_back_is_not_begun_and_told_in_its_turn(tmp_path: Path, number: int) -> None:
    os.mkfifo(tmp_path / "gate")
    worker = start(tmp_path)
    job = task(tmp_path).job
    slow = Home(("sh", "-c", "read line < gate"), str(tmp_path), None, "")
    worker.give(Task(7, Job(job.fixture, (slow, *job.homes[1:]))))
    worker.give(Task(8, job))
    assert worker.busy
    assert worker.take_back().number == 8
    worker.give(Task(number, job))  # the same, if it came to nothing with the other worker
    # Opens once the first match has begun.
    (tmp_path / "gate").write_text("go\n")
    found: list[dict] = []
    while len(found) < 4:
        worker.flush()
        select.select([worker.outlet], [], [])
        found += worker.messages()
    ready, first, second, third = found
    assert ready == {"ready": worker.pid}
    assert (first["id"], second, third["id"]) == (7, {"id": 8, "taken_back": True}, number)
    assert "record" in first
    assert "record" in third
    worker.reap()


DAEMONS = """\
import json, os, sys
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "match_end":
        break
    if message["type"] != "decide":
        continue
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
        os._exit(0)
    os.wait()
    print(json.dumps({"type": "decision", "turn": message["turn"], "action": "continue"}), flush=True)
"""


def test_nothing_that_a_bot_left_stays_with_the_worker_after_the_match(tmp_path: Path) -> None:
    (tmp_path / "daemons.py").write_text(DAEMONS)
    worker = start(tmp_path)
    assert next_message(worker) == {"ready": worker.pid}
    job = task(tmp_path).job
    home = Home((sys.executable, "-I", "-S", "daemons.py"), str(tmp_path), None, "")
    worker.give(Task(7, Job(job.fixture, (home,) * 3)))
    assert next_message(worker)["record"]["faults"] == []
    # It answers only once it has cleared up.
    assert Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text() == ""
    worker.reap()
