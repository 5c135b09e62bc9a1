"""A player: one seat of a match, with its process, its judge, its clock and what was measured of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.protocol import Limits
from harness.referee.clock import SeatClock
from harness.referee.judge import GOT_LIMIT, Judge, Verdict
from sandbox import Process

__all__ = ["Fault", "Player"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What ended a bot's match, before it is known at which turn it takes effect. Times in µs since the question."""

    verdict: Verdict
    cpu_us: int
    wall_us: int
    exit: int | None

    def to_json(self, seat: int, game: int, expedition: int, turn: int) -> dict[str, Any]:
        """The fault or incident as the record has it."""
        return {
            "seat": seat,
            "kind": self.verdict.kind,
            "game": game,
            "expedition": expedition,
            "turn": turn,
            "cpu_us": self.cpu_us,
            "wall_us": self.wall_us,
            "expected": self.verdict.expected[:GOT_LIMIT],
            "got": self.verdict.got,
            "exit": self.exit,
        }


class Player:
    """One seat. ``fault`` is what it did wrong, once; ``forfeited`` says that it has taken effect.

    ``owes`` says that a ready or an answer is due, ``overruled`` that the answer given came too late. ``last`` is the
    place (game, expedition, turn) of the seat's last decision. The counters are the record's ``timing``.
    """

    __slots__ = (
        "clock",
        "cpu_max_us",
        "cpu_total_us",
        "decisions",
        "fault",
        "forfeited",
        "judge",
        "last",
        "overruled",
        "owes",
        "process",
        "seat",
        "stderr",
        "wall_max_us",
        "wall_total_us",
    )

    def __init__(self, seat: int, limits: Limits, *, by_cpu: bool) -> None:
        self.seat = seat
        self.judge = Judge()
        self.clock = SeatClock(limits, by_cpu=by_cpu)
        self.process: Process | None = None
        self.fault: Fault | None = None
        self.forfeited = False
        self.owes = False
        self.overruled = False
        self.last = (1, 1, 1)
        self.stderr = ""
        self.decisions = 0
        self.cpu_total_us = 0
        self.cpu_max_us = 0
        self.wall_total_us = 0
        self.wall_max_us = 0

    @property
    def live(self) -> bool:
        """Whether there is a process that has broken no rule."""
        return self.process is not None

    def cpu_us(self, *, fresh: bool = False) -> int:
        """CPU time of the bot's processes so far; 0 where wall time is billed."""
        if self.process is None or not self.clock.by_cpu:
            return 0
        return self.process.cpu_us(fresh=fresh)

    def answered(self, now_us: int) -> str | None:
        """Bill the decision that just came; returns the rule of the clock that it broke, if any."""
        process = self.process
        assert process is not None
        clock = self.clock
        cpu_us = process.cpu_us() if clock.by_cpu else 0
        wall_us = clock.wall_us(now_us)
        used_us = clock.used_us(now_us, cpu_us)
        if used_us <= clock.move_us and wall_us <= clock.move_us and wall_us < clock.stall_us:
            clock.cpu_us = cpu_us
        else:
            queued_us = process.waited_us()
            broken = clock.broken(now_us, cpu_us, queued_us)
            if broken is not None:
                return broken
            used_us = clock.close(now_us, cpu_us, queued_us)
        self.decisions += 1
        self.cpu_total_us += used_us
        self.wall_total_us += wall_us
        if used_us > self.cpu_max_us:
            self.cpu_max_us = used_us
        if wall_us > self.wall_max_us:
            self.wall_max_us = wall_us
        return None

    def condemn(self, verdict: Verdict, now_us: int, forget: Callable[[Process], None]) -> None:
        """End the bot's match: keep the evidence, then kill whatever it runs. The first verdict stands.

        ``forget`` is told of the process before its descriptors are closed, for whoever polls them.
        """
        process = self.process
        if process is None:
            if self.fault is None:
                self.fault = Fault(verdict, 0, 0, None)
            return
        status = process.ended()
        cpu_us = self.clock.used_us(now_us, self.cpu_us(fresh=status is None))
        self.fault = Fault(verdict, cpu_us, max(0, self.clock.wall_us(now_us)), status)
        forget(process)
        self.leave()

    def leave(self) -> None:
        """Kill what is left of the bot and keep its stderr."""
        process = self.process
        if process is None:
            return
        process.close()
        self.stderr = process.errors.text()
        self.process = None

    def timing(self) -> dict[str, int]:
        """The record's ``timing`` of this seat."""
        return {
            "decisions": self.decisions,
            "late": self.judge.late,
            "cpu_us": self.cpu_total_us if self.clock.by_cpu else 0,
            "cpu_max_us": self.cpu_max_us if self.clock.by_cpu else 0,
            "wall_us": self.wall_total_us,
            "wall_max_us": self.wall_max_us,
        }
