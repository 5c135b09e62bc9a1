"""Matches of bots that go to the limits of their jails: the fault names the limit, and only where it was the end."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.bots import Home
from harness.errors import HarnessFailure
from harness.referee import Bounds, play
from tests.referee.playing import play_verified
from tests.referee.table import fixture
from tests.sandbox.jailed import USERS, Ground, Unavailable, Worker, hired, needs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is Linux's")

GREEDY = Path(__file__).with_name("greedy.py")


@pytest.fixture(scope="module")
def root() -> Iterator[Worker]:
    yield from hired("root")


@pytest.fixture(scope="module")
def ordinary() -> Iterator[Worker]:
    yield from hired("an ordinary user")


@pytest.fixture(params=USERS)
def worker(request: pytest.FixtureRequest) -> Worker:
    found: Worker = request.getfixturevalue("root" if request.param == "root" else "ordinary")
    return found


def match_of(ground: Ground, behaviours: list[str]) -> dict[str, Any]:
    """The record of a match of greedy bots; the sentence of a HarnessFailure."""
    shutil.copy(GREEDY, ground.folder)
    homes = [
        Home(("python3", "-I", "-S", "greedy.py", each), folder=str(ground.folder), build_hash=None, interpreter="")
        for each in behaviours
    ]
    limits: dict[str, Any] = {"memory_mb": 96, "processes": 24, "disk_mb": 1, "stall_ms": 1000}
    bounded = replace(fixture(len(homes), **limits), bounds=Bounds(files=40))
    try:
        return dict(play(bounded, homes, backend=ground.backend, scratch=ground.place).record)
    except HarnessFailure as error:
        return {"failure": error.sentence}


# behaviour → kind, a piece of the evidence
OF_A_GROUP = [
    ("holds memory in twenty processes", "memory", "memory_mb is 96"),
    ("holds memory", "memory", "memory_mb is 96"),
    ("forks", "processes", "processes is 24"),
]
OF_THE_DISK = [
    ("fills its scratch folder", "disk_mb is 1"),
    ("makes files", "40 files"),
]


def fault_of(worker: Worker, behaviour: str) -> Any:
    """The one fault of a match in which one bot behaves so."""
    record = worker.call(match_of, behaviours=["plays", behaviour, "plays"])
    [fault] = record["faults"]
    assert (fault["seat"], fault["turn"]) == (1, 3)
    return fault


@pytest.mark.parametrize(("behaviour", "kind", "evidence"), OF_A_GROUP, ids=[case[0] for case in OF_A_GROUP])
def test_a_bot_that_ends_at_a_limit_of_its_group_is_told_which(
    root: Worker, behaviour: str, kind: str, evidence: str
) -> None:
    needs(root, "group-memory", "group-processes")
    fault = fault_of(root, behaviour)
    assert fault["kind"] == kind
    assert evidence in fault["expected"]


@pytest.mark.parametrize("behaviour", ["holds memory", "forks"])
def test_without_groups_a_limit_is_not_proved_and_the_bot_has_crashed(ordinary: Worker, behaviour: str) -> None:
    if {"group-memory", "group-processes"} & set(ordinary.layers):
        pytest.skip("this user has control groups too")
    fault = fault_of(ordinary, behaviour)
    assert (fault["kind"], fault["exit"]) == ("crashed", 1)


@pytest.mark.parametrize(("behaviour", "evidence"), OF_THE_DISK, ids=[case[0] for case in OF_THE_DISK])
def test_a_bot_that_ends_at_a_limit_of_its_scratch_space_is_told_so(
    worker: Worker, behaviour: str, evidence: str
) -> None:
    needs(worker, "scratch-files")
    fault = fault_of(worker, behaviour)
    assert fault["kind"] == "disk"
    assert evidence in fault["expected"]


@pytest.mark.parametrize("behaviour", ["forks", "fills its scratch folder", "makes files"])
def test_a_bot_that_copes_with_a_limit_plays_on(worker: Worker, behaviour: str) -> None:
    record = worker.call(match_of, behaviours=["plays", f"{behaviour}, goes on", "plays"])
    assert record["faults"] == record["incidents"] == []


def test_a_bot_that_loses_a_child_for_want_of_memory_plays_on(root: Worker) -> None:
    needs(root, "group-memory")
    record = root.call(match_of, behaviours=["plays", "loses a child for want of memory", "plays"])
    assert record["faults"] == record["incidents"] == []


def test_a_signal_that_a_bot_could_feign_proves_no_limit(worker: Worker) -> None:
    fault = fault_of(worker, "makes a file too large")
    assert (fault["kind"], fault["exit"]) == ("crashed", -signal.SIGXFSZ)


def test_a_crash_within_all_limits_is_a_crash(worker: Worker) -> None:
    fault = fault_of(worker, "crashes")
    assert (fault["kind"], fault["exit"]) == ("crashed", 3)


def test_one_bots_breach_is_not_the_others(root: Worker) -> None:
    needs(root, "group-memory", "group-processes", "scratch-files")
    behaviours = ["forks", "plays", "holds memory", "plays", "fills its scratch folder", "crashes"]
    faults = root.call(match_of, behaviours=behaviours)["faults"]
    assert [(fault["seat"], fault["kind"]) for fault in sorted(faults, key=lambda fault: int(fault["seat"]))] == [
        (0, "processes"),
        (2, "memory"),
        (4, "disk"),
        (5, "crashed"),
    ]


def test_a_bot_that_sleeps_is_billed_nothing_and_stalls(worker: Worker) -> None:
    fault = fault_of(worker, "sleeps")
    assert fault["kind"] == "timeout"
    assert "stall_ms" in fault["expected"]
    assert fault["cpu_us"] < 1000


@pytest.mark.parametrize("script", ["echo it will not do >&2; exit 1", "kill -9 $$"], ids=["fails", "is killed"])
@pytest.mark.parametrize("user", USERS)
def test_a_jail_that_fails_is_the_machines_failure_and_no_fault_of_a_bot(user: str, script: str) -> None:
    with tempfile.TemporaryDirectory(prefix="jailed-") as name:
        broken = Path(name, "bwrap")
        broken.write_text(f"#!/bin/sh\n{script}\n")
        for each in (broken, broken.parent):
            each.chmod(0o755)
        try:
            worker = Worker(user, bwrap=str(broken))
        except Unavailable as error:
            pytest.skip(str(error))
        with closing(worker):
            said = worker.call(match_of, behaviours=["plays", "plays", "plays"])
    assert "jail" in said["failure"]
    assert ("it will not do" in said["failure"]) == ("it will not do" in script)


def _match_of_what_is_no_program(ground: Ground) -> dict[str, Any]:
    bot = ground.folder / "bot"
    bot.write_text("#!/no/such/interpreter\n")
    bot.chmod(0o755)
    homes = [Home(("./bot",), folder=str(ground.folder), build_hash=None, interpreter="")] * 3
    return dict(play(fixture(), homes, backend=ground.backend, scratch=ground.place).record)


def test_bots_that_cannot_be_run_have_failed_to_start(worker: Worker) -> None:
    faults = worker.call(_match_of_what_is_no_program)["faults"]
    assert [fault["kind"] for fault in faults] == ["start-failed"] * 3


def test_a_match_in_jails_is_the_match_that_it_is_without(worker: Worker) -> None:
    jailed = worker.call(match_of, behaviours=["plays", "plays", "plays"])
    assert jailed["faults"] == []
    home = Home((sys.executable, "-I", "-S", str(GREEDY), "plays"), folder="/", build_hash=None, interpreter="")
    with tempfile.TemporaryDirectory() as place:
        bare = play_verified(Path(place), home, home, home).record
    assert jailed["games"] == bare["games"]
