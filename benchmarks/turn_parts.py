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
from typing import Any

from benchmarks.fixtures import HERE, SEATS, friendly, home_of
from benchmarks.pipes import LIMITS
from benchmarks.rules import games_of
from benchmarks.turn import PYTHON_ECHO
from harness.game import GameState
from harness.protocol import TurnEncoder, known_replies
from harness.referee import Fixture, pinned
from harness.referee.clock import SeatClock
from harness.referee.judge import Judge
from harness.referee.match import _FEW_CARDS, _roll_words
from harness.referee.record import match_record
from sandbox import backend, scratch_folder

__all__ = ["TurnParts", "measure", "without_bots"]

GAMES = 50
BLOCKS = 7
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
    turns, played = without_bots(fixture, None)
    with pinned(), tempfile.TemporaryDirectory() as folder:
        step_s = _least(lambda: without_bots(fixture, None), blocks)
        encoded_s = _least(lambda: without_bots(fixture, TurnEncoder(fixture.edition, SEATS)), blocks)
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


def without_bots(fixture: Fixture, encoder: TurnEncoder | None) -> tuple[int, list[dict[str, Any]]]:
    """Play the match's games without any bot; returns how many turns they had, and the games as a record has them."""
    turns = 0
    words: list[tuple[int, ...]] = []

    def decide(state: GameState) -> str:
        nonlocal turns, words
        turns += 1
        # As the referee draws the rolls: a few cards' at first, all of them where the path grows longer.
        card = len(state.path) - 1
        if card == 0:
            words = _roll_words(state, _FEW_CARDS)
        elif card == len(words):
            words = _roll_words(state, state.cards.n)
        if encoder is not None:
            encoder.questions(state, turns, words[card])
        return ALL_CONTINUE

    games = list(games_of(fixture, decide, encoder.expedition_end if encoder is not None else None))
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


def _record(fixture: Fixture, games: list[dict[str, Any]]) -> None:
    home = home_of(PYTHON_ECHO)
    timing = {"decisions": 1, "late": 0, "cpu_us": 1, "cpu_max_us": 1, "wall_us": 1, "wall_max_us": 1}
    match_record(
        fixture, [home] * SEATS, backend("bare"), games=games, faults=[], incidents=[], timing=[timing] * SEATS
    )
