"""One simultaneous turn of four echo bots: the referee's cost over the bare pipes.

The floor is measured in the same run, in blocks that alternate with the referee's: the same questions, byte for byte,
through the same pipes to the same bots, and nothing else done. Both sides are pinned to one core.
"""

from __future__ import annotations

import select
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from harness.bots import Home
from harness.game import BUILT_IN, begin_expedition, new_game, rolls, step
from harness.protocol import Limits, TurnEncoder
from harness.referee import Fixture, Seat, pinned, play
from sandbox import Limits as SandboxLimits
from sandbox import backend, scratch_folder

SEATS = 4
GAMES = 100
BLOCKS = 15
ECHO = Path(__file__).with_name("echo.py")
COMMAND = (sys.executable, "-I", "-S", str(ECHO))
FIXTURE = Fixture(
    league=None,
    season=0,
    round=0,
    number=0,
    seed="000102030405060708090a0b0c0d0e0f",
    edition=BUILT_IN["iello-2016"],
    games=GAMES,
    limits=Limits(),
    seats=tuple(Seat(f"echo-{seat}", f"{seat:064x}") for seat in range(SEATS)),
)
HOME = Home(command=COMMAND, folder=str(ECHO.parent), build_hash=None, interpreter="")


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Medians over the blocks, in µs a turn; ``ratio`` is the median of the blocks' own ratios."""

    floor_us: float
    referee_us: float
    ratio: float


def questions() -> list[list[bytes]]:
    """The lines of every turn of the fixture, when everybody always continues."""
    encoder = TurnEncoder(FIXTURE.edition, SEATS)
    turns: list[list[bytes]] = []
    for game in range(1, GAMES + 1):
        state = new_game(FIXTURE.edition, FIXTURE.seed, game, SEATS)
        for _ in range(FIXTURE.edition.expeditions):
            begin_expedition(state)
            chances = [rolls(state.cards.n, state.seed, game, state.expedition, seat) for seat in range(SEATS)]
            ended = None
            while ended is None:
                shared = encoder.shared(state, len(turns) + 1)
                k = len(state.path) - 1
                turns.append([encoder.question(shared, seat, chances[seat][k]) for seat in range(SEATS)])
                ended = step(state, "C" * SEATS)
    return turns


def bare_pipes(turns: list[list[bytes]], scratch: Path) -> float:
    """Seconds that the turns take when lines are only written and answers only awaited."""
    with scratch_folder(scratch) as folder:
        limits = SandboxLimits(memory_mb=512, processes=64, disk_mb=64)
        start = backend("bare").start
        bots = [start(COMMAND, folder=ECHO.parent, scratch=folder, limits=limits) for _ in range(SEATS)]
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
            for lines in turns:
                for bot, line in zip(bots, lines, strict=True):
                    bot.write(line)
                waiting = SEATS
                while waiting:
                    for descriptor, _ in poller.poll():
                        by_descriptor[descriptor].read()
                        waiting -= 1
            return time.perf_counter() - started
        finally:
            for bot in bots:
                bot.close()


def refereed(scratch: Path) -> float:
    """Seconds that the referee takes for the match, less those of a match of one game: start-up and end drop out."""
    times = []
    for games in (1, GAMES):
        fixture = Fixture(None, 0, 0, 0, FIXTURE.seed, FIXTURE.edition, games, FIXTURE.limits, FIXTURE.seats)
        started = time.perf_counter()
        play(fixture, [HOME] * SEATS, backend=backend("bare"), scratch=scratch)
        times.append(time.perf_counter() - started)
    return times[1] - times[0]


def measure() -> TurnCost:
    """Alternate floor and referee over the blocks."""
    turns = questions()
    one_game = _turns_of_first_game()
    floors, costs = [], []
    with tempfile.TemporaryDirectory() as folder, pinned():
        scratch = Path(folder)
        for _ in range(BLOCKS):
            floors.append(bare_pipes(turns, scratch) / len(turns) * 1e6)
            costs.append(refereed(scratch) / (len(turns) - one_game) * 1e6)
    ratio = statistics.median(cost / floor for cost, floor in zip(costs, floors, strict=True))
    return TurnCost(statistics.median(floors), statistics.median(costs), ratio)


def _turns_of_first_game() -> int:
    state = new_game(FIXTURE.edition, FIXTURE.seed, 1, SEATS)
    count = 0
    for _ in range(FIXTURE.edition.expeditions):
        begin_expedition(state)
        ended = None
        while ended is None:
            count += 1
            ended = step(state, "C" * SEATS)
    return count
