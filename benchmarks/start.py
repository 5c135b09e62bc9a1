"""What the start and the end of a match cost, and where that goes: a match of one game with four Python bots.

Everything runs on one core, one after the other, so times can be taken off each other: programs that do nothing cost
what fork, exec and burying cost, interpreters that do nothing cost their own start and end beside that.
"""

from __future__ import annotations

import select
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.bench_league import homes_of, records_of
from benchmarks.fixtures import SEATS, fixture_of
from benchmarks.pipes import LIMITS
from benchmarks.store import made_league
from harness.referee import pinned, play
from sandbox import backend, scratch_folder, sweep, system_path

__all__ = ["StartCost", "measure"]


@dataclass(frozen=True, slots=True)
class StartCost:
    """Medians over the blocks, in µs a match of one game: the whole, and the parts, which add up to it."""

    whole_us: float
    parts: dict[str, float]


def measure(*, blocks: int = 15, long: int = 20) -> StartCost:
    """Matches of bots that leave at different depths; the cost of a turn is taken from matches of `long` games."""
    with tempfile.TemporaryDirectory() as folder, pinned():
        place = Path(folder)
        league = made_league(place, games=1, rounds=1)
        fixture = fixture_of(records_of(league)[0])
        homes = homes_of(league, fixture, place / "homes")
        python = shutil.which("python3", path=system_path()) or "python3"
        where: dict[str, Any] = {"backend": backend("bare"), "scratch": place}
        found: dict[str, list[float]] = {}
        for _ in range(blocks):
            laps = {
                "true": _timed(partial(_start_and_end, ["true"], place)),
                "python": _timed(partial(_start_and_end, [python, "-c", "pass"], place)),
                "folders": _timed(partial(_folders, place)),
                "sweep": _timed(sweep),
                "one": _timed(partial(play, fixture, homes, **where)),
                "long": _timed(partial(play, replace(fixture, games=1 + long), homes, **where)),
            }
            for name, seconds in laps.items():
                found.setdefault(name, []).append(seconds * 1e6)
    us = {name: statistics.median(each) for name, each in found.items()}
    game_us = (us["long"] - us["one"]) / long
    whole_us = us["one"] + us["sweep"]
    parts = {
        "fork, exec and end of four programs": us["true"],
        "start and end of four interpreters": us["python"] - us["true"],
        "scratch folders": us["folders"],
        "sweep": us["sweep"],
        "the game": game_us,
    }
    parts["the bots' own lines, and the referee"] = whole_us - sum(parts.values())
    return StartCost(whole_us, parts)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _start_and_end(command: Sequence[str], scratch: Path) -> None:
    """Start a program a seat, as a match does, and wait until all have ended."""
    begin = backend("bare").start
    started = [begin(command, folder=scratch, scratch=scratch, limits=LIMITS) for _ in range(SEATS)]
    poll = select.poll()
    for process in started:
        poll.register(process.stdout, select.POLLIN)
    ended = 0
    while ended < SEATS:
        for descriptor, _ in poll.poll():
            poll.unregister(descriptor)  # a stdout that says nothing and closes
            ended += 1
    for process in started:
        process.close()


def _folders(scratch: Path) -> None:
    with ExitStack() as stack:
        for _ in range(SEATS):
            stack.enter_context(scratch_folder(scratch))
