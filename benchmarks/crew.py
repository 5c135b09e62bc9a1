"""Two pinned workers side by side: what the bare pipes would take for a match's turns, and what the referee takes.

The bare pipes get the very lines of the match that the referee played with the same bots, and nothing else is done;
all of it is measured on both cores at the same time, as in a league.
"""

from __future__ import annotations

import multiprocessing
import os
import select
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from benchmarks.club import WORKERS
from harness.bots import Home
from harness.protocol import MATCH_END
from harness.referee import Fixture, pinned, play, usable_cores
from sandbox import Limits as SandboxLimits
from sandbox import Process, backend, scratch_folder

__all__ = ["Exchange", "Laps", "Task", "bare_pipes", "cpu_so_far", "exchanges", "side_by_side", "turns_of"]

_ASKS = b'{"type":"decide",'


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn on the wire, lines with the seat that each goes to: the questions, and what is told after the answers."""

    asked: list[tuple[int, bytes]]
    told: list[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class Task:
    """A match for both workers to play, of at least two games, and where its bots live."""

    fixture: Fixture
    homes: tuple[Home, ...]


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


def turns_of(record: dict[str, Any]) -> int:
    """How often the bots of a match were asked."""
    return sum(len(turns) for game in record["games"] for turns in game["expeditions"])


class _Overheard:
    """A bot's process, of which every line sent to it is kept; all else is passed on."""

    def __init__(self, process: Process, seat: int, sent: list[tuple[int, bytes]]) -> None:
        self._process = process
        self._seat = seat
        self._sent = sent

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)

    def write(self, data: bytes) -> bool:
        self._sent.append((self._seat, data))
        return self._process.write(data)


class _Overhearing:
    """The bare backend, and what was sent to the bots that it started, in that order."""

    def __init__(self) -> None:
        self._bare = backend("bare")
        self._seats = 0
        self.sent: list[tuple[int, bytes]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bare, name)

    def start(self, command: Sequence[str], **where: Any) -> Any:
        self._seats += 1
        return _Overheard(self._bare.start(command, **where), self._seats - 1, self.sent)


def exchanges(fixture: Fixture, homes: Sequence[Home], scratch: Path) -> list[Exchange]:
    """Play the match, and return byte for byte what the referee sent in it, turn by turn."""
    listening: Any = _Overhearing()
    play(fixture, homes, backend=listening, scratch=scratch)
    turns: list[Exchange] = []
    asking = False
    for seat, line in listening.sent:
        if line.startswith(_ASKS):
            if not asking or turns[-1].asked[-1][0] >= seat:
                turns.append(Exchange([], []))
            turns[-1].asked.append((seat, line))
        elif turns and line != MATCH_END:
            turns[-1].told.append((seat, line))
        asking = line.startswith(_ASKS)
    return turns


def bare_pipes(
    homes: Sequence[Home], turns: Sequence[Exchange], scratch: Path, start: Barrier | None = None
) -> tuple[float, float]:
    """What the turns take when lines are only written and answers only awaited: seconds on the wall, and of CPU.

    Begins when all at `start` do.
    """
    with scratch_folder(scratch) as folder:
        limits = SandboxLimits(memory_mb=512, processes=64, disk_mb=64)
        begin = backend("bare").start
        bots = [begin(home.command, folder=Path(home.folder), scratch=folder, limits=limits) for home in homes]
        try:
            poll = select.poll()
            for bot in bots:
                poll.register(bot.stdout, select.POLLIN)
            by_descriptor = {bot.stdout: bot for bot in bots}
            waiting = len(bots)
            while waiting:
                for descriptor, _ in poll.poll():
                    by_descriptor[descriptor].read()
                    waiting -= 1
            if start is not None:
                start.wait()
            before_s = time.process_time() + sum(bot.cpu_us(fresh=True) for bot in bots) / 1e6
            began = time.perf_counter()
            for turn in turns:
                for seat, line in turn.asked:
                    bots[seat].write(line)
                waiting = len(turn.asked)
                while waiting:
                    for descriptor, _ in poll.poll():
                        by_descriptor[descriptor].read()
                        waiting -= 1
                for seat, line in turn.told:
                    bots[seat].write(line)
            took = time.perf_counter() - began
            after_s = time.process_time() + sum(bot.cpu_us(fresh=True) for bot in bots) / 1e6
            return took, after_s - before_s
        finally:
            for bot in bots:
                bot.close()


def side_by_side(tasks: Sequence[Task]) -> list[list[Laps]]:
    """The laps of every task, by worker; each worker does all of them on a core of its own."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(WORKERS)
    cores = usable_cores() or (None,)
    pipes, processes = [], []
    for number in range(WORKERS):
        ours, theirs = context.Pipe(duplex=False)
        core = cores[number % len(cores)]
        process = context.Process(target=_work, args=(tasks, core, start, theirs), daemon=True)
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


def _work(tasks: Sequence[Task], core: int | None, start: Barrier, results: Connection) -> None:
    try:
        with tempfile.TemporaryDirectory() as folder, pinned(core):
            results.send([_laps(task, Path(folder), start) for task in tasks])
    except BaseException:
        start.abort()  # or the other would wait for ever
        raise


def _laps(task: Task, scratch: Path, start: Barrier) -> Laps:
    turns = exchanges(task.fixture, task.homes, scratch)
    match_s, record = _played(task.fixture, task.homes, scratch, start)
    assert turns_of(record) == len(turns)
    bare_s, bare_cpu_s = bare_pipes(task.homes, turns, scratch, start)
    first_s, first = _played(replace(task.fixture, games=1), task.homes, scratch, start)
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
