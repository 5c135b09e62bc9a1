"""A table in virtual time: bots that are functions, a clock and a poller that jump to the next thing that happens.

What the referee does is then exact to the microsecond and the same on every machine, so that a test can say when a
verdict fell and how often the referee woke up without asserting any wall-clock time. `time.monotonic_ns`, `select.poll`
and the cores at hand are replaced while a match is played; the referee must ask for them by these names.
"""

from __future__ import annotations

import heapq
import itertools
import json
import math
import select
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.bots import Home
from harness.referee import Played, play, verify_record
from sandbox import FirstAndLast, StartFailed
from tests.referee.table import fixture
from tests.second.replay import check_record

MS = 1000
"""µs in a millisecond."""

Message = dict[str, Any]
Bot = Callable[["Program", Message], None]
"""What a bot does on a message; with the message `{"type": "born"}` once as it starts."""


class World:
    """Virtual time in µs, and what is to happen.

    `naps` are the ms of each `poll` that ran out with nothing to tell, `wakes` counts the others, and each of those
    takes `wake_us`.
    """

    def __init__(self) -> None:
        self.now_us = 1_000_000_000
        self.naps: list[int] = []
        self.wakes = 0
        self.wake_us = 0
        self.stopped = False
        self.stop_fd = 9_000
        self.programs: list[Program] = []
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def at(self, us: int, deed: Callable[[], None]) -> None:
        """Have `deed` done `us` from now."""
        heapq.heappush(self._due, (self.now_us + us, next(self._order), deed))

    def stop(self) -> None:
        self.stopped = True

    def wait(self, timeout_ms: float | None, ready: Callable[[], list[tuple[int, int]]]) -> list[tuple[int, int]]:
        """What `poll` does: let time pass until something is ready or the timeout has run out."""
        patient = timeout_ms is None or timeout_ms < 0
        # Part of a ms is a whole one, as it is to the system's poll.
        until_us = math.inf if patient else self.now_us + math.ceil(timeout_ms) * MS
        while not (events := ready()):
            if self._due and self._due[0][0] <= until_us:
                self.now_us, _, deed = heapq.heappop(self._due)
                deed()
                continue
            assert until_us < math.inf, "the referee waits for ever"
            self.now_us = int(until_us)
            self.naps.append(math.ceil(timeout_ms or 0))
            return []
        self.wakes += 1
        self.now_us += self.wake_us
        return events


class Poller:
    """`select.poll` over the descriptors of a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._watched: dict[int, int] = {}

    def register(self, descriptor: int, events: int) -> None:
        self._watched[descriptor] = events

    def unregister(self, descriptor: int) -> None:
        del self._watched[descriptor]

    def poll(self, timeout_ms: float | None = None) -> list[tuple[int, int]]:
        return self._world.wait(timeout_ms, self._ready)

    def _ready(self) -> list[tuple[int, int]]:
        told = {self._world.stop_fd} if self._world.stopped else set()
        told.update(*(program.readable() for program in self._world.programs))
        return [
            (descriptor, events)
            for descriptor, events in self._watched.items()
            if descriptor in told or events & select.POLLOUT
        ]


class Program:
    """A bot under way, with the face of `sandbox.Process`.

    `closed_us` is when it was put away; one that `rants` has more on its stderr whenever that is read.
    """

    def __init__(self, world: World, bot: Bot, number: int) -> None:
        self.world = world
        self.pid = number
        self.stdin, self.stdout, self.stderr, self.exit_fd = range(10_000 + 4 * number, 10_004 + 4 * number)
        self.stdin_broken = False
        self.errors = FirstAndLast()
        self.heard: list[Message] = []
        self.closed_us: int | None = None
        self.rants = False
        self._bot = bot
        self._out = bytearray()
        self._out_open = True
        self._err = bytearray()
        self._status: int | None = None
        self._rates = {"cpu": 0.0, "queue": 0.0}
        self._sums = {"cpu": 0.0, "queue": 0.0}
        self._since_us = world.now_us
        self.tell({"type": "born"})

    # ── what a bot does ──────────────────────────────────────────────────────────────────────────────────────────────

    def tell(self, message: Message) -> None:
        if self._status is None:
            self.heard.append(message)
            self._bot(self, message)

    def after(self, us: int, deed: Callable[[], None]) -> None:
        """Have `deed` done `us` from now, if the bot lives then."""
        self.world.at(us, lambda: deed() if self._status is None and self.closed_us is None else None)

    def say(self, data: bytes) -> None:
        if self._out_open:
            self._out += data

    def complain(self, data: bytes) -> None:
        self._err += data

    def close_output(self) -> None:
        self._out_open = False

    def end(self, status: int, *, output_held: bool = False) -> None:
        """`output_held` says that a daemon of the bot keeps its stdout open."""
        self.run_at(0, 0)
        self._status = status
        self._out_open = output_held

    def run_at(self, cores: float, queued: float = 0) -> None:
        """From now on burn that many cores, and stand in line for a core for that share of the time."""
        self._settle()
        self._rates = {"cpu": cores, "queue": queued}

    def _settle(self) -> None:
        passed = self.world.now_us - self._since_us
        self._since_us = self.world.now_us
        for what, rate in self._rates.items():
            self._sums[what] += rate * passed

    # ── what the referee does ────────────────────────────────────────────────────────────────────────────────────────

    def readable(self) -> Collection[int]:
        told = {
            self.stdout: bool(self._out) or not self._out_open,
            self.stderr: bool(self._err) or self.rants,
            self.exit_fd: self._status is not None,
        }
        return [descriptor for descriptor, tells in told.items() if tells]

    def write(self, data: bytes) -> bool:
        for line in data.splitlines():
            self.tell(json.loads(line))
        return True

    def flush(self) -> bool:
        return True

    def close_stdin(self) -> None:
        self.tell({"type": "end of file"})

    def read(self) -> bytes | None:
        if not self._out:
            return None if self._out_open else b""
        data = bytes(self._out[:65536])
        del self._out[:65536]
        return data

    def read_stderr(self) -> bool:
        self.errors.feed(bytes(self._err) or b"!" * 65536 * self.rants)
        self._err.clear()
        return True

    def cpu_us(self, fresh: bool = False, now_us: int | None = None) -> int:
        self._settle()
        return int(self._sums["cpu"])

    def breach(self) -> None:
        """No sandbox, no limit of it."""

    def queued_us(self) -> int | None:
        self._settle()
        return int(self._sums["queue"])

    def ended(self) -> int | None:
        return self._status

    def exiting(self) -> bool:
        return self._status is not None

    def kill(self) -> None:
        if self._status is None:
            self.end(-9)

    def close(self) -> int | None:
        if self.closed_us is None:
            self.kill()
            self.read_stderr()
            self.closed_us = self.world.now_us
        return self._status


class Backend:
    """Starts the bots of a world one after the other; a bot that is a text can't be started, for that reason."""

    name = tier = "bare"
    layers = ()
    clock = "cpu"

    def __init__(self, world: World, bots: Sequence[Bot | str]) -> None:
        self._world = world
        self._bots = list(bots)

    def start(self, command: Sequence[str], *, folder: Path, scratch: Path, limits: object) -> Program:
        bot = self._bots[int(command[0])]
        if isinstance(bot, str):
            raise StartFailed(bot)
        program = Program(self._world, bot, int(command[0]))
        self._world.programs.append(program)
        return program


def play_virtually(
    scratch: Path, *bots: Bot | str, world: World | None = None, cores: int = 1, games: int = 1, **limits: int
) -> Played:
    """A match of `bots`, one a seat, in `world`; the record goes through both implementations."""
    world = world or World()
    homes = [
        Home(command=(str(seat),), folder=str(scratch), build_hash=None, interpreter="") for seat in range(len(bots))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr("select.epoll", raising=False)
        patch.setattr("select.poll", lambda: Poller(world))
        patch.setattr("time.monotonic_ns", lambda: world.now_us * 1000)
        patch.setattr("os.sched_getaffinity", lambda pid: set(range(cores)))
        played = play(
            fixture(len(bots), games=games, **limits),
            homes,
            backend=Backend(world, bots),  # type: ignore[arg-type]
            scratch=scratch,
            stop_fd=world.stop_fd,
        )
    assert verify_record(played.record) is None
    check_record(played.record)
    return played


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def ready(program: Program, message: Message) -> bool:
    """Say ready where that is due, and leave at the end; whether the message was one of those."""
    if message["type"] == "born":
        program.say(b'{"type":"ready"}\n')
    elif message["type"] == "end of file":
        program.end(0)
    return message["type"] in ("born", "end of file")


def answer(message: Message) -> bytes:
    """Leave once four cards lie there."""
    action = "leave" if len(message["path"]) >= 4 else "continue"
    return json.dumps({"type": "decision", "turn": message["turn"], "action": action}, separators=(",", ":")).encode()


def good(program: Program, message: Message) -> None:
    """Answers at once."""
    if not ready(program, message) and message["type"] == "decide":
        program.say(answer(message) + b"\n")


def slow(us: int) -> Bot:
    """Answers each question after `us`, asleep meanwhile."""

    def bot(program: Program, message: Message) -> None:
        if not ready(program, message) and message["type"] == "decide":
            program.after(us, lambda: program.say(answer(message) + b"\n"))

    return bot


def at_turn(turn: int, deed: Callable[[Program, Message], None]) -> Bot:
    """Answers at once, but at that turn does `deed` instead."""

    def bot(program: Program, message: Message) -> None:
        if message["type"] == "decide" and message["turn"] == turn:
            deed(program, message)
        else:
            good(program, message)

    return bot
