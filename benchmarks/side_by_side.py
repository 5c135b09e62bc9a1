"""Two pinned workers side by side: what the bare pipes would take for a match's turns, and what the referee takes.

The bare pipes get the very lines of the match that the referee played with the same bots, and nothing else is done;
all of it is measured on both cores at the same time, as in a league.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from benchmarks.bench_league import WORKERS
from benchmarks.fixtures import turns_of
from benchmarks.pipes import bare_pipes, exchanges
from harness.bots import Home
from harness.executors import Job
from harness.referee import Fixture, pinned, play, usable_cores
from sandbox import backend

__all__ = ["Laps", "cpu_so_far", "side_by_side"]


@dataclass(frozen=True, slots=True)
class Laps:
    """A match of `turns` turns, and its first game alone (`first_turns`), by one worker.

    `bare_s` is the time of the bare pipes for all turns, without start-up, on the wall. The others are seconds of CPU,
    the bots' included: of the bare pipes, of the match, of the match of one game.
    """

    turns: int
    first_turns: int
    bare_s: float
    bare_cpu_s: float
    match_cpu_s: float
    first_cpu_s: float


def side_by_side(jobs: Sequence[Job]) -> list[list[Laps]]:
    """The laps of every job, of at least two games, by worker; each does all of them on a core of its own."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(WORKERS)
    cores = usable_cores() or (None,)
    pipes, processes = [], []
    for number in range(WORKERS):
        ours, theirs = context.Pipe(duplex=False)
        core = cores[number % len(cores)]
        process = context.Process(target=_work, args=(jobs, core, start, theirs), daemon=True)
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    try:
        return [pipe.recv() for pipe in pipes]
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _work(jobs: Sequence[Job], core: int | None, start: Barrier, results: Connection) -> None:
    try:
        with tempfile.TemporaryDirectory() as folder, pinned(core):
            results.send([_laps(job, Path(folder), start) for job in jobs])
    except BaseException:
        start.abort()  # or the other would wait for ever
        raise


def _laps(job: Job, scratch: Path, start: Barrier) -> Laps:
    turns = exchanges(job.fixture, job.homes, scratch)
    match_s, record = _played(job.fixture, job.homes, scratch, start)
    assert turns_of(record) == len(turns)
    bare_s, bare_cpu_s = bare_pipes(job.homes, turns, scratch, start)
    first_s, first = _played(replace(job.fixture, games=1), job.homes, scratch, start)
    return Laps(len(turns), turns_of(first), bare_s, bare_cpu_s, match_s, first_s)


def _played(fixture: Fixture, homes: Sequence[Home], scratch: Path, start: Barrier) -> tuple[float, dict[str, Any]]:
    """Seconds of CPU that a match takes with all its bots, and its record."""
    start.wait()
    before_s = cpu_so_far()
    record = play(fixture, homes, backend=backend("bare"), scratch=scratch).record
    took = cpu_so_far() - before_s
    # A bot that is out answers nothing, and a turn without answers is cheap.
    assert not record["faults"], record["faults"]
    return took, record


def cpu_so_far() -> float:
    """Seconds of CPU of this process and of all that it has started and reaped."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
