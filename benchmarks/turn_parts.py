"""What the referee does in a turn, part by part, each done alone over the same turns: µs a turn of four seats.

    encode   the questions, and the lines that end an expedition
    read     the CPU clocks of the bots, one at each answer
    judge    what each answer is and what it is billed
    step     cards, rolls, the decisions' effect
    record   the record of the match, with its hashes

Each is the least over the blocks. What the parts don't explain of the referee's cost over the floor is the loop around
them, and what four bots do to the caches of the core between any two of its steps.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fixtures import HERE, SEATS, friendly, home_of
from benchmarks.pipes import LIMITS
from benchmarks.turn import PYTHON_ECHO
from harness.game import begin_expedition, new_game, result, roll_words, step
from harness.protocol import TurnEncoder, known_replies
from harness.referee import Fixture, pinned
from harness.referee.clock import SeatClock
from harness.referee.judge import Judge
from harness.referee.record import match_record
from sandbox import backend, scratch_folder

__all__ = ["TurnParts", "measure"]

GAMES = 50
BLOCKS = 7
FEW_CARDS = 16
ALL_CONTINUE = "C" * SEATS


@dataclass(frozen=True, slots=True)
class TurnParts:
    """µs a turn; see the module."""

    encode_us: float
    read_us: float
    judge_us: float
    step_us: float
    record_us: float

    @property
    def sum_us(self) -> float:
        return self.encode_us + self.read_us + self.judge_us + self.step_us + self.record_us


def measure(*, games: int = GAMES, blocks: int = BLOCKS) -> TurnParts:
    """Do each part alone, over and over; `games` is at least 1."""
    fixture = friendly(games)
    turns, played = _rules(fixture, None)
    with pinned(), tempfile.TemporaryDirectory() as folder:
        step_s = _least(lambda: _rules(fixture, None), blocks)
        encoded_s = _least(lambda: _rules(fixture, TurnEncoder(fixture.edition, SEATS)), blocks)
        judge_s = _least(lambda: _judge(fixture, turns), blocks)
        read_s = _least_read(turns, blocks, Path(folder))
        record_s = _least(lambda: _record(fixture, played), blocks)
    scale = 1e6 / turns
    return TurnParts((encoded_s - step_s) * scale, read_s * scale, judge_s * scale, step_s * scale, record_s * scale)


def _least(work: Callable[[], object], blocks: int) -> float:
    times = []
    for _ in range(blocks):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def _rules(fixture: Fixture, encoder: TurnEncoder | None) -> tuple[int, list[dict[str, object]]]:
    """Play the match's games without any bot; returns how many turns they had, and the games as a record has them."""
    turns = 0
    games: list[dict[str, object]] = []
    for number in range(1, fixture.games + 1):
        state = new_game(fixture.edition, fixture.seed, number, SEATS)
        expeditions = []
        for expedition in range(1, fixture.edition.expeditions + 1):
            begin_expedition(state)
            n = FEW_CARDS
            words = list(
                zip(*[roll_words(n, fixture.seed, number, expedition, seat) for seat in range(SEATS)], strict=True)
            )
            ended = None
            while ended is None:
                turns += 1
                if encoder is not None:
                    encoder.questions(state, turns, words[min(len(state.path), n) - 1])
                ended = step(state, ALL_CONTINUE)
            if encoder is not None:
                encoder.expedition_end(state, ended)
            expeditions.append(list(state.turns))
        final = result(state)
        games.append(
            {
                "expeditions": expeditions,
                "scores": list(final.scores),
                "ranks": list(final.ranks),
                "relics": list(final.relics),
            }
        )
    return turns, games


def _judge(fixture: Fixture, turns: int) -> None:
    seats = [(Judge(), SeatClock(fixture.limits, by_cpu=True)) for _ in range(SEATS)]
    for turn in range(1, turns + 1):
        replies = known_replies(turn)
        line = next(iter(replies))
        for judge, clock in seats:
            judge.asked = turn
            clock.asked_us = turn
        for judge, clock in seats:
            if judge.take(line, replies):
                clock.answer(turn, turn, None)


def _least_read(turns: int, blocks: int, folder: Path) -> float:
    with scratch_folder(folder) as scratch:
        begin = backend("bare").start
        bots = [begin(PYTHON_ECHO, folder=HERE, scratch=scratch, limits=LIMITS) for _ in range(SEATS)]
        try:

            def read() -> None:
                for _ in range(turns):
                    for bot in bots:
                        bot.cpu_us()

            return _least(read, blocks)
        finally:
            for bot in bots:
                bot.close()


def _record(fixture: Fixture, games: list[dict[str, object]]) -> None:
    home = home_of(PYTHON_ECHO)
    timing = {"decisions": 1, "late": 0, "cpu_us": 1, "cpu_max_us": 1, "wall_us": 1, "wall_max_us": 1}
    match_record(
        fixture, [home] * SEATS, backend("bare"), games=games, faults=[], incidents=[], timing=[timing] * SEATS
    )
