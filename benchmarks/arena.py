"""Games a second of our league beside those of a naive arena: what one writes in an afternoon, and many people use.

The arena is one asyncio process. It starts the bots anew for each game, asks all seats inside at once with JSON lines
and waits a second for each answer; as many games run side by side as there are workers in our league. It has the same
rules, asks the same questions of the same bots (those of the sample `fixed-depth`), and keeps nothing but the scores:
no CPU clock, no records, no ratings, no store.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bench_league import WORKERS, on_two_cores, run, written_league
from benchmarks.fixtures import SEATS
from harness.bots import samples_root
from harness.game import BUILT_IN, GameState, begin_expedition, match_seed, new_game, result, step
from sandbox import system_path

__all__ = ["ArenaCost", "arena", "measure"]

EDITION = BUILT_IN["iello-2016"]
ANSWER_S = 1.0
START_S = 30.0

PYTHON = shutil.which("python3", path=system_path()) or sys.executable
"""The interpreter that our own bots run under, too."""


@dataclass(frozen=True, slots=True)
class ArenaCost:
    """Medians over the blocks, in games a second: ours at so many games a match, and the arena's; `ratio` of both."""

    games: int
    ours_per_s: float
    arena_per_s: float
    ratio: float


class Bot:
    """A bot's process, spoken to in JSON lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, program: Path) -> Bot:
        pipe = asyncio.subprocess.PIPE
        bot = cls(await asyncio.create_subprocess_exec(PYTHON, str(program), stdin=pipe, stdout=pipe))
        assert await bot.hear(START_S) == {"type": "ready"}
        return bot

    def tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def hear(self, seconds: float = ANSWER_S) -> Any:
        assert self.process.stdout is not None
        return json.loads(await asyncio.wait_for(self.process.stdout.readline(), seconds))

    async def decide(self, question: dict[str, Any]) -> str:
        self.tell(question)
        answer = await self.hear()
        return "L" if answer["action"] == "leave" else "C"

    async def end(self) -> None:
        self.tell({"type": "match_end"})
        await self.process.wait()

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()


def question(state: GameState, seat: int, turn: int) -> dict[str, Any]:
    """All that our own bots are told, but for their roll and their seat's letters of the turn before."""
    cards = state.cards
    return {
        "type": "decide",
        "turn": turn,
        "seat": seat,
        "game": state.game,
        "expedition": state.expedition,
        "expeditions": EDITION.expeditions,
        "path": [cards.names[card] for card in state.path],
        "path_rubies": state.path_rubies,
        "path_relics": len(state.path_relics),
        "pocket": state.pocket,
        "chests": state.chests,
        "relics_taken": state.relics_taken,
        "inside": state.inside,
        "hazards_up": [cards.hazard_kinds[kind] for kind in state.hazards_up],
        "deck_size": state.deck_size,
        "deck_treasures": state.deck_treasures,
        "deck_hazards": dict(zip(cards.hazard_kinds, state.deck_hazards, strict=True)),
        "deck_relics": [cards.names[card] for card in state.deck_relics],
        "previous": state.previous,
    }


async def play(programs: list[Path], seed: str) -> list[int]:
    """One game; the scores by seat."""
    bots = await asyncio.gather(*(Bot.start(program) for program in programs))
    try:
        scores = await play_with(bots, seed)
        await asyncio.gather(*(bot.end() for bot in bots))
    finally:
        for bot in bots:
            bot.kill()
    return scores


async def play_with(bots: list[Bot], seed: str) -> list[int]:
    state = new_game(EDITION, seed, 1, len(bots))
    turn = 0
    for _ in range(EDITION.expeditions):
        begin_expedition(state)
        ended = None
        while ended is None:
            turn += 1
            inside = list(state.inside)
            asked = (bots[seat].decide(question(state, seat, turn)) for seat in inside)
            decisions = dict(zip(inside, await asyncio.gather(*asked), strict=True))
            ended = step(state, "".join(decisions.get(seat, ".") for seat in range(len(bots))))
    return list(result(state).scores)


async def arena(programs: list[Path], games: int, at_once: int = WORKERS) -> list[list[int]]:
    """So many games, `at_once` of them side by side; the scores of each."""
    free = asyncio.Semaphore(at_once)

    async def play_when_free(number: int) -> list[int]:
        async with free:
            return await play(programs, match_seed("0" * 32, 1, 1, number))

    return await asyncio.gather(*(play_when_free(number) for number in range(1, games + 1)))


def measure(*, games: int, rounds: int, arena_games: int, blocks: int = 3, bots: int = 16) -> ArenaCost:
    """A season of `rounds` times `bots` matches of `games` games, and `arena_games` of the arena, in each block."""
    program = samples_root() / "fixed-depth" / "bot.py"
    ours, theirs = [], []
    with on_two_cores():
        for _ in range(blocks):
            with tempfile.TemporaryDirectory() as folder:
                league = written_league(Path(folder), games=games, rounds=rounds, bots=bots, program=program)
                ours.append(games * rounds * bots / run(league).wall_s)
            began = time.perf_counter()
            asyncio.run(arena([program] * SEATS, arena_games))
            theirs.append(arena_games / (time.perf_counter() - began))
    ratio = statistics.median(our / their for our, their in zip(ours, theirs, strict=True))
    return ArenaCost(games, statistics.median(ours), statistics.median(theirs), ratio)
