"""Plays a fixture into a match record: seats the bots, asks, listens to all of them at once, and judges.

One ``poll`` loop serves every descriptor of the match. It sleeps until a bot says something, a process ends, or the
earliest moment at which a rule of the clock could be broken; that moment is absolute, so nothing a bot sends, short of
its answer, moves it.
"""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bots import Home
from harness.errors import HarnessFailure
from harness.game import GameState, begin_expedition, new_game, result, rolls, seat_seed, step
from harness.protocol import (
    MATCH_END,
    TurnEncoder,
    canonical_replies,
    encode_expedition_end,
    encode_game_end,
    encode_match_start,
)
from harness.referee.fixture import Fixture
from harness.referee.judge import GOT_LIMIT, Verdict, excerpt
from harness.referee.pinning import cores_at_hand
from harness.referee.player import Player
from harness.referee.record import match_record
from sandbox import Backend, Process, SandboxError, StartFailed, scratch_folder
from sandbox import Limits as SandboxLimits

__all__ = ["Played", "Stopped", "play"]

_LAST_WORDS_US = 500_000  # after match_end, all seats together
_START_WALL = 3  # a start-up may take this many times its CPU allowance on the wall clock

# Where no descriptor tells of a process's end (macOS) there is nothing left but to look, this often.
_BLIND_STEP_US = 10_000
_BLIND_STEPS = 20

_OUTPUT, _ERRORS, _ENDED, _INPUT = range(4)


class Stopped(Exception):
    """The match was called off through ``stop_fd``; its bots are gone and it left no record."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a match leaves: its ``tacora-replay/1`` record, and what each seat wrote to stderr (first and last part)."""

    record: dict[str, Any]
    stderr: tuple[str, ...]


def play(fixture: Fixture, homes: Sequence[Home], *, backend: Backend, scratch: Path, stop_fd: int = -1) -> Played:
    """Play ``fixture`` with the bots of ``homes``, one a seat, and return its record.

    ``scratch`` is a folder in which each bot gets one of its own for the match. The match is called off with `Stopped`
    as soon as ``stop_fd`` can be read. Whatever a bot does ends its own match only; what the machine can't do (no
    process, no space) raises HarnessFailure.
    """
    with ExitStack() as stack:
        match = _Match(fixture, homes, backend, stop_fd)
        stack.callback(match.clear)
        try:
            match.start([stack.enter_context(scratch_folder(scratch)) for _ in fixture.seats])
            match.play_games()
            match.finish()
        except SandboxError as trouble:
            raise HarnessFailure(f"{fixture.match}: {trouble}") from trouble
        except OSError as trouble:
            raise HarnessFailure(f"{fixture.match}: the machine failed: {trouble}") from trouble
        match.clear()
        record = match_record(fixture, homes, backend, match.games, match.faults, match.incidents(), match.players)
        return Played(record, tuple(player.stderr for player in match.players))


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _ends_soon(process: Process) -> bool:
    """Whether a process that closed its stdout ends right after, on a system that can't tell that it is about to."""
    for _ in range(_BLIND_STEPS):
        if process.ended() is not None:
            return True
        select.select([], [], [], _BLIND_STEP_US / 1e6)
    return process.ended() is not None


class _Match:
    """A match under way. ``_owing`` counts the players from whom a ready or an answer is due."""

    def __init__(self, fixture: Fixture, homes: Sequence[Home], backend: Backend, stop_fd: int) -> None:
        self.fixture = fixture
        self.homes = homes
        self.backend = backend
        self.players = [
            Player(seat, fixture.limits, by_cpu=backend.clock == "cpu") for seat in range(len(fixture.seats))
        ]
        self.games: list[dict[str, Any]] = []
        self.faults: list[dict[str, Any]] = []
        self._turn = 0
        self._owing = 0
        self._finishing = False
        self._cores = cores_at_hand()
        self._encoder = TurnEncoder(fixture.edition, len(fixture.seats))
        self._stop_fd = stop_fd
        self._poller = select.poll()
        self._served: dict[int, tuple[Player, int]] = {}
        if stop_fd >= 0:
            self._poller.register(stop_fd, select.POLLIN)

    # ── seating ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self, scratch: Sequence[Path]) -> None:
        """Start every bot, send ``match_start``, and wait until each is ready or has failed."""
        fixture = self.fixture
        limits = fixture.limits
        bounds = SandboxLimits(memory_mb=limits.memory_mb, processes=limits.processes, disk_mb=limits.disk_mb)
        for player, home, folder in zip(self.players, self.homes, scratch, strict=True):
            player.clock.ask(_now_us())
            try:
                process = self.backend.start(home.command, folder=Path(home.folder), scratch=folder, limits=bounds)
            except StartFailed as trouble:
                self._condemn(
                    player, Verdict("start-failed", player.judge.expected, str(trouble)[:GOT_LIMIT]), _now_us()
                )
                continue
            player.process = process
            player.owes = True
            self._owing += 1
            self._serve(process.stdout, player, _OUTPUT, select.POLLIN)
            self._serve(process.stderr, player, _ERRORS, select.POLLIN)
            if process.exit_fd >= 0:
                self._serve(process.exit_fd, player, _ENDED, select.POLLIN)
            seed = seat_seed(fixture.seed, player.seat)
            word = fixture.opaque
            self._send(
                player,
                encode_match_start(fixture.edition, word, player.seat, len(self.players), fixture.games, limits, seed),
            )
        self._wait_for_ready(_now_us() + limits.start_ms * 1000)

    def _wait_for_ready(self, look_us: int) -> None:
        allowance_us = self.fixture.limits.start_ms * 1000
        while self._owing:
            now_us = self._listen(look_us)
            if now_us < look_us:
                continue
            look_us = now_us + _START_WALL * allowance_us
            for player in self.players:
                if not player.owes:
                    continue
                used_us = player.clock.used_us(now_us, player.cpu_us(fresh=True))
                wall_us = player.clock.wall_us(now_us)
                if used_us >= allowance_us or wall_us >= _START_WALL * allowance_us:
                    what = f"ready within start_ms ({self.fixture.limits.start_ms} ms of CPU, three times that of wall)"
                    self._condemn(player, Verdict("start-timeout", what, excerpt(player.judge.unfinished)), now_us)
                else:
                    left_us = min((allowance_us - used_us) // self._cores + 1, _START_WALL * allowance_us - wall_us)
                    look_us = min(look_us, now_us + left_us)

    # ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def play_games(self) -> None:
        """Play every game of the fixture; once all seats have forfeited, the rest are empty."""
        fixture = self.fixture
        for number in range(1, fixture.games + 1):
            forfeited = [player.seat for player in self.players if player.forfeited]
            state = new_game(fixture.edition, fixture.seed, number, len(self.players), forfeited)
            expeditions: list[list[str]] = []
            for _ in range(fixture.edition.expeditions):
                if len(state.forfeited) == len(self.players):
                    expeditions.append([])
                else:
                    expeditions.append(self._explore(state))
            final = result(state)
            self.games.append(
                {
                    "expeditions": expeditions,
                    "scores": list(final.scores),
                    "ranks": list(final.ranks),
                    "relics": list(final.relics),
                }
            )
            self._tell(encode_game_end(number, final))

    def _explore(self, state: GameState) -> list[str]:
        """One expedition, from its first card to its end; returns its turn strings."""
        begin_expedition(state)
        chances: list[tuple[float, ...] | None] = [None] * state.seats
        ended = None
        while ended is None:
            ended = step(state, self._ask(state, chances))
        self._tell(encode_expedition_end(state, ended))
        return list(state.turns)

    def _ask(self, state: GameState, chances: list[tuple[float, ...] | None]) -> str:
        """One turn: ask everyone inside, wait for every answer, and return the turn string."""
        self._turn += 1
        turn = self._turn
        players = self.players
        encoder = self._encoder
        lines = canonical_replies(turn)
        replies = {lines[0] + b"\n": "C", lines[1] + b"\n": "L"}
        shared = encoder.shared(state, turn)
        k = len(state.path) - 1
        asked_us = _now_us()
        look_us = 1 << 62
        for seat in state.inside:
            player = players[seat]
            process = player.process
            if process is None:
                continue
            chance = chances[seat]
            if chance is None:
                chance = rolls(state.cards.n, state.seed, state.game, state.expedition, seat)
                chances[seat] = chance
            player.judge.ask(turn, replies)
            player.clock.ask(asked_us)
            player.owes = True
            self._owing += 1
            if not process.write(encoder.question(shared, seat, chance[k])):
                self._serve(process.stdin, player, _INPUT, select.POLLOUT)
            if player.clock.first_look_us < look_us:
                look_us = player.clock.first_look_us
        while self._owing:
            now_us = self._listen(look_us)
            if now_us >= look_us:
                look_us = self._look(now_us)
        letters = ["."] * state.seats
        place = (state.game, state.expedition, turn)
        for seat in state.inside:
            player = players[seat]
            answer = player.judge.answer
            if player.judge.asked == turn and answer is not None and not player.overruled:
                letters[seat] = answer
                player.last = place
            else:
                assert player.fault is not None
                letters[seat] = "x"
                player.forfeited = True
                self.faults.append(player.fault.to_json(seat, *place))
        return "".join(letters)

    def _look(self, now_us: int) -> int:
        """Measure everyone who still owes an answer; returns when to measure again."""
        look_us = 1 << 62
        for player in self.players:
            process = player.process
            if not player.owes or process is None:
                continue
            if process.exit_fd < 0 and process.ended() is not None:
                self._mourn(player, process, now_us)
                continue
            cpu_us = player.cpu_us(fresh=True)
            queued_us = process.waited_us()
            broken = player.clock.broken(now_us, cpu_us, queued_us)
            if broken is not None:
                self._time_out(player, broken, now_us)
            else:
                look_us = min(look_us, player.clock.next_look_us(now_us, cpu_us, queued_us, self._cores))
        return look_us

    # ── ending ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Judge what has arrived, say goodbye, and give all seats together half a second to leave."""
        self._listen(0)
        self._finishing = True
        for player in self.players:
            process = player.process
            if process is not None:
                self._send(player, MATCH_END)
                if process.flush():
                    process.close_stdin()
        until_us = _now_us() + _LAST_WORDS_US
        while _now_us() < until_us:
            left = [player.process for player in self.players if player.process is not None]
            left = [process for process in left if process.ended() is None]
            if not left:
                return
            blind = any(process.exit_fd < 0 for process in left)
            self._listen(min(until_us, _now_us() + _BLIND_STEP_US) if blind else until_us)

    def incidents(self) -> list[dict[str, Any]]:
        """What went wrong after a seat's last decision, in seat order."""
        return [
            player.fault.to_json(player.seat, *player.last)
            for player in self.players
            if player.fault is not None and not player.forfeited
        ]

    def clear(self) -> None:
        """Kill every bot that is left and keep its stderr; doing it twice is harmless."""
        for player in self.players:
            if player.process is not None:
                self._forget(player.process)
                player.leave()

    # ── listening ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _serve(self, descriptor: int, player: Player, role: int, events: int) -> None:
        self._served[descriptor] = (player, role)
        self._poller.register(descriptor, events)

    def _drop(self, descriptor: int) -> None:
        if self._served.pop(descriptor, None) is not None:
            self._poller.unregister(descriptor)

    def _forget(self, process: Process) -> None:
        for descriptor in (process.stdin, process.stdout, process.stderr, process.exit_fd):
            self._drop(descriptor)

    def _send(self, player: Player, line: bytes) -> None:
        process = player.process
        if process is not None and not process.write(line):
            self._serve(process.stdin, player, _INPUT, select.POLLOUT)

    def _tell(self, line: bytes) -> None:
        for player in self.players:
            if player.process is not None:
                self._send(player, line)

    def _listen(self, until_us: int) -> int:
        """Wait for the next events, but not beyond ``until_us``; deal with them and return the time.

        What has arrived by ``until_us`` is judged as in time even if the referee itself was held up and reads it later.
        """
        left_us = until_us - _now_us()
        events = self._poller.poll(min(left_us // 1000 + 1, 3_600_000) if left_us > 0 else 0)
        now_us = _now_us()
        read_us = min(now_us, until_us - 1) if until_us else now_us
        for descriptor, _ in events:
            served = self._served.get(descriptor)
            if served is None:
                if descriptor == self._stop_fd:
                    raise Stopped
                continue  # closed while an earlier event of this batch was dealt with
            player, role = served
            process = player.process
            assert process is not None
            if role == _OUTPUT:
                self._hear(player, process, read_us)
            elif role == _ENDED:
                self._drop(process.exit_fd)
                if not self._finishing:
                    self._mourn(player, process, read_us)
            elif role == _ERRORS:
                if not process.read_stderr():
                    self._drop(process.stderr)
            elif process.flush():
                self._drop(descriptor)
                if self._finishing:
                    process.close_stdin()
        return now_us

    def _hear(self, player: Player, process: Process, now_us: int) -> None:
        """Judge what a bot wrote."""
        chunk = process.read()
        if chunk is None:
            return
        if not chunk:
            self._drop(process.stdout)
            if self._finishing:
                return
            if process.ended() is not None:
                self._mourn(player, process, now_us)
            elif not (process.exiting() or (process.exit_fd < 0 and _ends_soon(process))):
                self._condemn(
                    player, Verdict("closed-output", player.judge.expected, excerpt(player.judge.unfinished)), now_us
                )
            elif process.exit_fd < 0:
                self._mourn(player, process, now_us)
            return
        if self._finishing:
            return
        player.judge.feed(chunk)
        self._settle(player, now_us)

    def _settle(self, player: Player, now_us: int) -> None:
        """After new output: a verdict ends the bot's match, and what was owed may have come before it."""
        judge = player.judge
        if player.owes:
            if not self._turn:
                if judge.ready:
                    player.owes = False
                    self._owing -= 1
                    player.clock.cpu_us = player.cpu_us()
            elif judge.answer is not None:
                broken = player.answered(now_us)
                if broken is not None:
                    self._time_out(player, broken, now_us)
                    return
                player.owes = False
                self._owing -= 1
        if judge.verdict is not None:
            self._condemn(player, judge.verdict, now_us)

    def _mourn(self, player: Player, process: Process, now_us: int) -> None:
        """A bot's process has ended: first judge what it still said, then that it ended."""
        while player.process is not None:
            chunk = process.read()
            if not chunk:
                break
            player.judge.feed(chunk)
            self._settle(player, now_us)
        if player.process is not None:
            judge = player.judge
            kind = "crashed" if judge.ready else "start-failed"
            self._condemn(player, Verdict(kind, judge.expected, excerpt(judge.unfinished)), now_us)

    def _time_out(self, player: Player, broken: str, now_us: int) -> None:
        # An answer may be what showed that the time was up: it came too late and does not count.
        player.overruled = True
        due = f"a decision for turn {player.judge.asked} within the limits ({broken})"
        self._condemn(player, Verdict("timeout", due, excerpt(player.judge.unfinished)), now_us)

    def _condemn(self, player: Player, verdict: Verdict, now_us: int) -> None:
        if player.owes:
            player.owes = False
            self._owing -= 1
        player.condemn(verdict, now_us, self._forget)
