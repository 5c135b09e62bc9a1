"""One simultaneous turn of four echo bots: the referee's cost over the bare pipes.

The floor is measured in the same run, in blocks that alternate with the referee's: the same lines, byte for byte,
through the same pipes to the same bots, and nothing else done. Both sides are pinned to one core, as a worker is.
"""

from __future__ import annotations

import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.bots import Home
from harness.game import BUILT_IN, begin_expedition, new_game, result, roll_words, step
from harness.protocol import Limits, TurnEncoder, encode_game_end
from harness.referee import Fixture, Seat, pinned, play
from sandbox import Limits as SandboxLimits
from sandbox import backend, scratch_folder

__all__ = ["Exchange", "TurnCost", "bare_pipes", "c_echo", "exchanges", "fixture_of", "measure"]

SEATS = 4

GAMES = 100
"""Games of a match: enough for what a match costs once to vanish beside them."""

BLOCKS = 15
"""Pairs of a floor and a match; the figures are medians over them."""

HERE = Path(__file__).parent
PYTHON_ECHO = (sys.executable, "-I", "-S", str(HERE / "echo.py"))
JSON_ECHO = (sys.executable, "-I", "-S", str(HERE / "echo_json.py"))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn on the wire: the question of each seat, and the lines that all hear after the answers."""

    asked: list[bytes]
    told: list[bytes]


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


def fixture_of(games: int) -> Fixture:
    """A match of echo bots outside any season."""
    return Fixture(
        league=None,
        season=0,
        round=0,
        number=0,
        seed="000102030405060708090a0b0c0d0e0f",
        edition=BUILT_IN["iello-2016"],
        games=games,
        limits=Limits(),
        seats=tuple(Seat(f"echo-{seat}", f"{seat:064x}") for seat in range(SEATS)),
    )


def exchanges(fixture: Fixture) -> list[list[Exchange]]:
    """By game the exchanges of its turns, when everybody always continues."""
    encoder = TurnEncoder(fixture.edition, SEATS)
    games: list[list[Exchange]] = []
    turn = 0
    for game in range(1, fixture.games + 1):
        state = new_game(fixture.edition, fixture.seed, game, SEATS)
        games.append([])
        for _ in range(fixture.edition.expeditions):
            begin_expedition(state)
            words = [roll_words(state.cards.n, state.seed, game, state.expedition, seat) for seat in range(SEATS)]
            ended = None
            while ended is None:
                turn += 1
                card = len(state.path) - 1
                games[-1].append(Exchange(encoder.questions(state, turn, [each[card] for each in words]), []))
                ended = step(state, "C" * SEATS)
            games[-1][-1].told.append(encoder.expedition_end(state, ended))
        games[-1][-1].told.append(encode_game_end(game, result(state)))
    return games


def bare_pipes(command: Sequence[str], turns: Sequence[Exchange], scratch: Path) -> float:
    """Seconds that the turns take when lines are only written and answers only awaited."""
    with scratch_folder(scratch) as folder:
        limits = SandboxLimits(memory_mb=512, processes=64, disk_mb=64)
        start = backend("bare").start
        bots = [start(command, folder=HERE, scratch=folder, limits=limits) for _ in range(SEATS)]
        try:
            poller = select.poll()
            for bot in bots:
                poller.register(bot.stdout, select.POLLIN)
            by_descriptor = {bot.stdout: bot for bot in bots}
            ready = 0
            while ready < SEATS:
                for descriptor, _ in poller.poll():
                    by_descriptor[descriptor].read()
                    ready += 1
            started = time.perf_counter()
            for turn in turns:
                for bot, line in zip(bots, turn.asked, strict=True):
                    bot.write(line)
                waiting = SEATS
                while waiting:
                    for descriptor, _ in poller.poll():
                        by_descriptor[descriptor].read()
                        waiting -= 1
                for line in turn.told:
                    for bot in bots:
                        bot.write(line)
            return time.perf_counter() - started
        finally:
            for bot in bots:
                bot.close()


def refereed(command: Sequence[str], fixture: Fixture, scratch: Path) -> float:
    """Seconds that the referee takes for the match, less those of a match of one game: start-up and end drop out."""
    home = Home(command=tuple(command), folder=str(HERE), build_hash=None, interpreter="")
    times = []
    for games in (1, fixture.games):
        started = time.perf_counter()
        played = play(replace(fixture, games=games), [home] * SEATS, backend=backend("bare"), scratch=scratch)
        times.append(time.perf_counter() - started)
        # A bot that is out answers nothing, and a turn without answers is cheap.
        assert not played.record["faults"], played.record["faults"]
    return times[1] - times[0]


def measure(command: Sequence[str] = PYTHON_ECHO, *, games: int = GAMES, blocks: int = BLOCKS) -> TurnCost:
    """Alternate floor and referee over the blocks, with four bots of that command; `games` is at least 2."""
    fixture = fixture_of(games)
    by_game = exchanges(fixture)
    turns = [turn for game in by_game for turn in game]
    beyond_first = len(turns) - len(by_game[0])
    floors, costs = [], []
    with tempfile.TemporaryDirectory() as folder, pinned():
        scratch = Path(folder)
        for _ in range(blocks):
            floors.append(bare_pipes(command, turns, scratch) / len(turns) * 1e6)
            costs.append(refereed(command, fixture, scratch) / beyond_first * 1e6)
    ratio = statistics.median(cost / floor for cost, floor in zip(costs, floors, strict=True))
    return TurnCost(statistics.median(floors), statistics.median(costs), ratio)
