"""One simultaneous turn of four echo bots: the referee's cost over the bare pipes.

The floor is measured in the same run, in blocks that alternate with the referee's: the same lines, byte for byte,
through the same pipes to the same bots, and nothing else done. Both sides are pinned to one core, as a worker is.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.fixtures import HERE, SEATS, friendly, home_of, turns_of
from benchmarks.pipes import bare_pipes, exchanges
from harness.bots import Home
from harness.referee import Fixture, pinned, play
from sandbox import backend

__all__ = ["JSON_ECHO", "PYTHON_ECHO", "TurnCost", "c_echo", "measure"]

GAMES = 100
"""Games of a match: enough for what a match costs once to vanish beside them."""

BLOCKS = 15
"""Pairs of a floor and a match; the figures are medians over them."""

PYTHON_ECHO = (sys.executable, "-I", "-S", str(HERE / "echo.py"))
JSON_ECHO = (sys.executable, "-I", "-S", str(HERE / "echo_json.py"))


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Medians over the blocks, in µs a turn; `ratio` is the median of the blocks' own ratios."""

    floor_us: float
    referee_us: float
    ratio: float


def c_echo(folder: Path) -> tuple[str, ...] | None:
    """The command of the echo bot in C, compiled into `folder`; None where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "echo"
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, HERE / "echo.c"], check=True)
    return (str(program),)


def refereed(homes: Sequence[Home], fixture: Fixture, scratch: Path) -> float:
    """Seconds a turn that the referee takes for the match, less a match of one game: start-up and end drop out."""
    times, turns = [], []
    for games in (1, fixture.games):
        started = time.perf_counter()
        played = play(replace(fixture, games=games), homes, backend=backend("bare"), scratch=scratch)
        times.append(time.perf_counter() - started)
        # A bot that is out answers nothing, and a turn without answers is cheap.
        assert not played.record["faults"], played.record["faults"]
        turns.append(turns_of(played.record))
    return (times[1] - times[0]) / (turns[1] - turns[0])


def measure(command: Sequence[str] = PYTHON_ECHO, *, games: int = GAMES, blocks: int = BLOCKS) -> TurnCost:
    """Alternate floor and referee over the blocks, with four bots of that command; `games` is at least 2."""
    fixture, homes = friendly(games), [home_of(command)] * SEATS
    floors, costs = [], []
    with tempfile.TemporaryDirectory() as folder, pinned():
        scratch = Path(folder)
        turns = exchanges(fixture, homes, scratch)
        for _ in range(blocks):
            floor_s, _cpu_s = bare_pipes(homes, turns, scratch)
            floors.append(floor_s / len(turns) * 1e6)
            costs.append(refereed(homes, fixture, scratch) * 1e6)
    ratio = statistics.median(cost / floor for cost, floor in zip(costs, floors, strict=True))
    return TurnCost(statistics.median(floors), statistics.median(costs), ratio)
