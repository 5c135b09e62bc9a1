"""The bare pipes, the floor of a match's turns: the very lines that the referee sent, and answers only awaited."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from harness.bots import Home
from harness.protocol import MATCH_END
from harness.referee import Fixture, play
from sandbox import Limits as SandboxLimits
from sandbox import Process, backend, scratch_folder

__all__ = ["LIMITS", "Exchange", "bare_pipes", "exchanges"]

LIMITS = SandboxLimits(memory_mb=512, processes=64, disk_mb=64)
"""What a bot may use that is started here without a referee."""

_ASKS = b'{"type":"decide",'


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn on the wire, lines with the seat that each goes to: the questions, and what is told after the answers."""

    asked: list[tuple[int, bytes]]
    told: list[tuple[int, bytes]]


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
    record = play(fixture, homes, backend=listening, scratch=scratch).record
    # A bot that is out answers nothing, and would be waited for.
    assert not record["faults"], record["faults"]
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
        begin = backend("bare").start
        bots = [begin(home.command, folder=Path(home.folder), scratch=folder, limits=LIMITS) for home in homes]
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
