"""Plays a fixture into a match record: seats the bots, asks, listens to all of them at once, and judges.

One `poll` loop serves every descriptor of the match. It sleeps until a bot says something, a process ends, or the
earliest moment at which a rule of the clock could be broken; that moment is absolute, so nothing a bot sends, short of
its answer, moves it.
"""

from __future__ import annotations

import select
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any

from harness.bots import Home
from harness.errors import HarnessFailure
from harness.game import GameState, begin_expedition, new_game, result, roll_words, seat_seed, step
from harness.protocol import (
    MATCH_END,
    MAX_GOT,
    TurnEncoder,
    encode_game_end,
    encode_match_start,
    known_replies,
)
from harness.referee.bounds import sandbox_limits
from harness.referee.duration import START_WALL
from harness.referee.fixture import Fixture
from harness.referee.judge import Verdict, excerpt
from harness.referee.pinning import cores_at_hand
from harness.referee.player import Player
from harness.referee.record import match_record
from harness.referee.table import Role, Table
from sandbox import Backend, Process, SandboxError, StartFailed, scratch_folder

__all__ = ["Played", "play"]

_LAST_WORDS_US = 500_000  # after match_end, all seats together
_NEVER_US = 1 << 62
_LONGEST_POLL_US = 1 << 40  # a poll takes a C int of ms

# Where no descriptor tells of a process's end (macOS) there is nothing left but to look, this often.
_BLIND_STEP_US = 10_000
_BLIND_STEPS = 20

# The deck is seldom revealed as far as this, and to draw rolls that nobody is asked with would be a cost of every turn.
_FEW_CARDS = 16


@dataclass(frozen=True, slots=True)
class Played:
    """What a match leaves: its `tacora-replay/1` record, and what each seat wrote to stderr (first and last part)."""

    record: dict[str, Any]
    stderr: tuple[str, ...]


def play(fixture: Fixture, homes: Sequence[Home], *, backend: Backend, scratch: Path, stop_fd: int = -1) -> Played:
    """Play `fixture` with the bots of `homes`, one a seat, and return its record.

    `scratch` is a folder in which each bot gets one of its own for the match. The match is called off with `Stopped`
    as soon as `stop_fd` can be read. Whatever a bot does ends its own match only; what the machine can't do (no
    process, no space) raises HarnessFailure.
    """
    with ExitStack() as stack:
        match = _Match(fixture, backend, stop_fd)
        stack.callback(match.clear)
        try:
            match.start(homes, [stack.enter_context(scratch_folder(scratch, match.bounds)) for _ in fixture.seats])
            match.play_games()
            match.finish()
            match.clear()
        except SandboxError as error:
            raise HarnessFailure(f"{fixture.match}: {error}") from error
        except OSError as error:
            raise HarnessFailure(f"{fixture.match}: the machine failed: {error}") from error
        players = match.players
        record = match_record(
            fixture,
            homes,
            backend,
            games=match.games,
            faults=match.faults,
            incidents=[player.fault_at(*player.last) for player in players if player.faulted and not player.forfeited],
            timing=[player.timing() for player in players],
        )
        return Played(record, tuple(player.stderr for player in players))


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _ends_soon(process: Process) -> bool:
    """Whether a process that closed its stdout ends right after, on a system that can't tell that it is about to."""
    for _ in range(_BLIND_STEPS):
        if process.ended() is not None:
            return True
        select.select([], [], [], _BLIND_STEP_US / 1e6)
    return process.ended() is not None


def _roll_words(state: GameState, most: int) -> list[tuple[int, ...]]:
    """The words of this expedition's rolls, by card and seat, for its first cards, `most` of them at most."""
    n = min(most, state.cards.n)
    seats = [roll_words(n, state.seed, state.game, state.expedition, seat) for seat in range(state.seats)]
    return list(zip(*seats, strict=True))


class _Phase(Enum):
    STARTING = auto()
    PLAYING = auto()
    LEAVING = auto()  # match_end is out: a bot may end, and what it still says can only be an incident


class _Match:
    """A match under way. `_owing` are the seats from which a ready or an answer is due."""

    def __init__(self, fixture: Fixture, backend: Backend, stop_fd: int) -> None:
        self.fixture = fixture
        self.players = [
            Player(seat, fixture.limits, by_cpu=backend.clock == "cpu") for seat in range(len(fixture.seats))
        ]
        self.games: list[dict[str, Any]] = []
        self.faults: list[dict[str, Any]] = []
        self.bounds = sandbox_limits(fixture.limits, fixture.bounds)
        self._backend = backend
        self._cores = cores_at_hand()
        self._encoder = TurnEncoder(fixture.edition, len(fixture.seats))
        self._table = Table(stop_fd)
        self._phase = _Phase.STARTING
        self._turn = 0
        self._owing: set[int] = set()

    # ── seating ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self, homes: Sequence[Home], scratch: Sequence[Path]) -> None:
        """Start every bot, send `match_start`, and wait until each is ready or has failed."""
        fixture = self.fixture
        limits = fixture.limits
        for player, home, folder in zip(self.players, homes, scratch, strict=True):
            player.clock.asked_us = _now_us()
            try:
                process = self._backend.start(
                    home.command, folder=Path(home.folder), scratch=folder, limits=self.bounds
                )
            except StartFailed as error:
                self._condemn(player, Verdict("start-failed", player.judge.expected, str(error)[:MAX_GOT]), _now_us())
                continue
            player.process = process
            self._owing.add(player.seat)
            self._table.seat(player, process)
            self._send(
                player,
                encode_match_start(
                    fixture.edition,
                    fixture.opaque,
                    player.seat,
                    len(self.players),
                    fixture.games,
                    limits,
                    seat_seed(fixture.seed, player.seat),
                    [seat.bot for seat in fixture.seats] if fixture.names_shown else None,
                ),
            )
        look_us = _now_us() + limits.start_ms * 1000 // self._cores + 1
        while self._owing:
            now_us = self._listen(look_us)
            if now_us >= look_us:
                look_us = self._look_for_ready(now_us)
        self._phase = _Phase.PLAYING

    def _look_for_ready(self, now_us: int) -> int:
        """Measure everyone who is not ready yet; returns when to measure again."""
        allowance_us = self.fixture.limits.start_ms * 1000
        look_us = _NEVER_US
        for seat in sorted(self._owing):
            player = self.players[seat]
            used_us = player.clock.used_us(now_us, player.cpu_us(fresh=True))
            left_us = START_WALL * allowance_us - player.clock.since_us(now_us)
            if used_us >= allowance_us or left_us <= 0:
                due = f"ready within start_ms ({self.fixture.limits.start_ms} ms of CPU, three times that of wall)"
                self._condemn(player, Verdict("start-timeout", due, excerpt(player.judge.unfinished)), now_us)
            else:
                look_us = min(look_us, now_us + left_us, now_us + (allowance_us - used_us) // self._cores + 1)
        return look_us

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
        words: list[tuple[int, ...]] = []
        ended = None
        while ended is None:
            card = len(state.path) - 1
            if card == len(words):
                words = _roll_words(state, state.cards.n if words else _FEW_CARDS)
            self._ask(state, words[card])
            ended = step(state, self._decisions(state))
        self._tell(self._encoder.expedition_end(state, ended))
        return list(state.turns)

    def _ask(self, state: GameState, words: Sequence[int]) -> None:
        """One turn: ask everyone inside, and wait until each has answered or is out of the match.

        `words` has by seat the word of its roll.
        """
        self._turn = turn = self._turn + 1
        players = self.players
        owing = self._owing
        lines = self._encoder.questions(state, turn, words)
        replies = known_replies(turn)
        now_us = time.monotonic_ns() // 1000
        for seat, line in zip(state.inside, lines, strict=True):
            player = players[seat]
            process = player.process
            if process is None:
                continue
            player.judge.asked = turn
            player.clock.asked_us = now_us
            owing.add(seat)
            if not process.write(line):
                self._table.await_room(player, process)
        # The same moment for all, since all were asked at once under the same limits.
        self._collect(replies, now_us, now_us + players[0].clock.patience_us)

    def _collect(self, replies: Mapping[bytes, str], now_us: int, look_us: int) -> None:
        """Wait until nobody owes an answer. This is `_listen` for the one case that every turn has.

        One of the known `replies`, alone and in time, is dealt with here; all else goes the way of all output.
        """
        owing = self._owing
        poll = self._table.poll
        unit = self._table.unit
        outputs = self._table.outputs
        while owing:
            left_us = look_us - now_us
            events = poll(left_us * unit if left_us > 0 else 0)
            now_us = time.monotonic_ns() // 1000
            # As in `_listen`: what has arrived by then is in time, even if we were held up.
            read_us = now_us if now_us < look_us else look_us - 1
            for descriptor, _ in events:
                player = outputs.get(descriptor)
                if player is None:
                    self._attend(descriptor, read_us)
                    continue
                process = player.process
                assert process is not None
                chunk = process.read()
                if chunk and player.seat in owing and player.judge.take(chunk, replies):
                    self._take_answer(player, read_us)
                else:
                    self._hear(player, chunk, read_us)
            if now_us >= look_us:
                look_us = self._look(now_us)

    def _decisions(self, state: GameState) -> str:
        """The turn string of the answers that are in; whoever has none, or was overruled, forfeits now."""
        letters = ["."] * state.seats
        turn = self._turn
        place = (state.game, state.expedition, turn)
        for seat in state.inside:
            player = self.players[seat]
            judge = player.judge
            if judge.answered == turn and not player.overruled:
                letters[seat] = judge.answer
                player.last = place
            else:
                letters[seat] = "x"
                player.forfeited = True
                self.faults.append(player.fault_at(*place))
        return "".join(letters)

    def _look(self, now_us: int) -> int:
        """Measure everyone who still owes an answer; returns when to measure again."""
        look_us = _NEVER_US
        for seat in sorted(self._owing):
            player = self.players[seat]
            process = player.process
            assert process is not None
            if process.exit_fd < 0 and process.ended() is not None:
                self._mourn(player, process, now_us)
                continue
            broken, next_look_us = player.look(now_us, self._cores)
            if broken is not None:
                self._time_out(player, broken, now_us)
            else:
                look_us = min(look_us, next_look_us)
        return look_us

    # ── ending ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Judge what has arrived, say goodbye, and give all seats together half a second to leave."""
        self._listen(0)
        for player in self.players:
            # Who is about to end, its stdout closed already, has ended before match_end.
            while player.process is not None and player.process.stdout not in self._table.outputs:
                self._listen(_NEVER_US)
        self._phase = _Phase.LEAVING
        for player in self.players:
            process = player.process
            if process is not None:
                self._send(player, MATCH_END)
                if process.flush():
                    self._close_stdin(process)
        until_us = _now_us() + _LAST_WORDS_US
        while _now_us() < until_us:
            left = [player.process for player in self.players if player.process is not None]
            left = [process for process in left if process.ended() is None]
            if not left:
                break
            blind = any(process.exit_fd < 0 for process in left)
            self._listen(min(until_us, _now_us() + _BLIND_STEP_US) if blind else until_us)
        for player in self.players:
            if player.process is not None:
                self._hear_out(player, player.process, _now_us())

    def clear(self) -> None:
        """Kill every bot that is left and keep its stderr; doing it twice is harmless."""
        for player in self.players:
            if player.process is not None:
                self._table.forget(player.process)
                player.leave()
        self._table.close()

    # ── talking and listening ────────────────────────────────────────────────────────────────────────────────────────

    def _send(self, player: Player, line: bytes) -> None:
        process = player.process
        if process is not None and not process.write(line):
            self._table.await_room(player, process)

    def _tell(self, line: bytes) -> None:
        for player in self.players:
            self._send(player, line)

    def _close_stdin(self, process: Process) -> None:
        self._table.drop(process.stdin)
        process.close_stdin()

    def _listen(self, until_us: int) -> int:
        """Wait for the next events, but not beyond `until_us`; deal with them and return the time.

        What has arrived by `until_us` is judged as in time even if the referee itself was held up and reads it later.
        """
        left_us = until_us - _now_us()
        table = self._table
        events = table.poll(min(left_us, _LONGEST_POLL_US) * table.unit if left_us > 0 else 0)
        now_us = time.monotonic_ns() // 1000
        read_us = now_us if now_us < until_us else until_us - 1
        outputs = table.outputs
        for descriptor, _ in events:
            player = outputs.get(descriptor)
            if player is None:
                self._attend(descriptor, read_us)
            elif player.process is not None:
                self._hear(player, player.process.read(), read_us)
        return now_us

    def _attend(self, descriptor: int, now_us: int) -> None:
        """An event other than output."""
        served = self._table.served(descriptor)
        if served is None:
            return
        player, role = served
        process = player.process
        assert process is not None
        if role is Role.ERRORS:
            if not process.read_stderr():
                self._table.drop(descriptor)
        elif role is Role.ENDED:
            self._table.drop(descriptor)
            if self._phase is not _Phase.LEAVING:
                self._mourn(player, process, now_us)
        elif process.flush():
            self._table.drop(descriptor)
            if self._phase is _Phase.LEAVING:
                process.close_stdin()

    def _hear(self, player: Player, chunk: bytes | None, now_us: int) -> None:
        """Judge what was read of a bot's stdout: empty is its end, None that nothing was there after all."""
        process = player.process
        assert process is not None
        if chunk:
            player.judge.feed(chunk)
            self._settle(player, now_us)
        elif chunk is not None:
            self._table.drop(process.stdout)
            if self._phase is not _Phase.LEAVING:
                self._hear_the_end(player, process, now_us)

    def _hear_the_end(self, player: Player, process: Process, now_us: int) -> None:
        """A bot's stdout has come to its end: has its process, or does it live on?"""
        if process.ended() is not None or (process.exit_fd < 0 and _ends_soon(process)):
            self._mourn(player, process, now_us)
        elif not process.exiting():
            due = player.judge.expected
            self._condemn(player, Verdict("closed-output", due, excerpt(player.judge.unfinished)), now_us)

    def _settle(self, player: Player, now_us: int) -> None:
        """After new output: what was owed may have come, and what comes behind it may still break a rule."""
        judge = player.judge
        owing = self._owing
        if player.seat in owing:
            if self._phase is _Phase.PLAYING:
                if not judge.open and not self._take_answer(player, now_us):
                    return
            elif judge.ready:
                player.clock.start(player.cpu_us())
                owing.remove(player.seat)
        if judge.verdict is not None:
            self._condemn(player, judge.verdict, now_us)

    def _take_answer(self, player: Player, now_us: int) -> bool:
        """Bill the answer that is in; False if it showed that the time was up."""
        broken = player.answered(now_us)
        if broken is not None:
            self._time_out(player, broken, now_us)
            return False
        self._owing.remove(player.seat)
        return True

    def _hear_out(self, player: Player, process: Process, now_us: int) -> None:
        """Judge all that a bot has written so far; the flood limit bounds it."""
        while player.process is not None:
            chunk = process.read()
            if not chunk:
                return
            player.judge.feed(chunk)
            self._settle(player, now_us)

    def _mourn(self, player: Player, process: Process, now_us: int) -> None:
        """A bot's process has ended: first judge what it still said, then that it ended."""
        self._hear_out(player, process, now_us)
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
        self._owing.discard(player.seat)
        player.condemn(verdict, now_us, self._table.forget)
