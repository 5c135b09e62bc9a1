"""A player: one seat of a match, with its process, its judge, its clock and what was measured of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.protocol import MAX_GOT, Limits
from harness.referee.clock import SeatClock
from harness.referee.judge import Judge, Verdict
from sandbox import Process

__all__ = ["Player"]


_UNANSWERED = frozenset({"start-failed", "start-timeout", "timeout", "crashed", "closed-output"})
"""Faults of a bot that died or could not answer, for which a limit of the sandbox may be the reason."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What ended a bot's match, before it is known at which turn it takes effect. Times in µs since the question."""

    verdict: Verdict
    cpu_us: int
    wall_us: int
    exit: int | None


class Player:
    """One seat. `process` is None once its match is over, `forfeited` true once a fault has taken effect.

    `overruled` says that the answer given came too late to count. `last` is the place (game, expedition, turn) of
    the seat's last decision.
    """

    __slots__ = (
        "_fault",
        "clock",
        "forfeited",
        "judge",
        "last",
        "overruled",
        "process",
        "seat",
        "stderr",
    )

    def __init__(self, seat: int, limits: Limits, *, by_cpu: bool) -> None:
        self.seat = seat
        self.judge = Judge()
        self.clock = SeatClock(limits, by_cpu=by_cpu)
        self.process: Process | None = None
        self.forfeited = False
        self.overruled = False
        self.last = (1, 1, 1)
        self.stderr = ""
        self._fault: _Fault | None = None

    @property
    def faulted(self) -> bool:
        """Whether a rule was broken, in effect or not."""
        return self._fault is not None

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
        cpu_us = process.cpu_us(now_us=now_us) if clock.by_cpu else 0
        return clock.answer(now_us, cpu_us, process.queued_us() if clock.looked_us >= 0 else None)

    def look(self, now_us: int, cores: int) -> tuple[str | None, int]:
        """Measure the open decision, once: the rule of the clock that it has broken, if any, and when to look again.

        `cores` is how many the bot has to burn.
        """
        process = self.process
        assert process is not None
        cpu_us = self.cpu_us(fresh=True)
        queued_us = process.queued_us()
        broken = self.clock.look(now_us, cpu_us, queued_us)
        return broken, self.clock.next_look_us(now_us, cpu_us, queued_us, cores)

    def condemn(self, verdict: Verdict, now_us: int, forget: Callable[[Process], None]) -> None:
        """End the bot's match: keep the evidence, then kill whatever it runs. The first verdict stands.

        `forget` is told of the process before its descriptors are closed, for whoever polls them.
        """
        if self._fault is not None:
            return
        process = self.process
        if process is None:
            self._fault = _Fault(verdict, 0, 0, None)
            return
        status = process.ended()
        used_us = self.clock.used_us(now_us, self.cpu_us(fresh=status is None))
        if verdict.kind in _UNANSWERED and (breach := process.breach()) is not None:
            # What stopped it goes before how that showed.
            verdict = Verdict(breach.kind, breach.evidence, verdict.got)
        self._fault = _Fault(verdict, used_us if self.clock.by_cpu else 0, self.clock.since_us(now_us), status)
        forget(process)
        self.leave()

    def leave(self) -> None:
        """Kill what is left of the bot and keep its stderr."""
        process = self.process
        if process is not None:
            process.close()
            self.stderr = process.errors.text()
            self.process = None

    def fault_at(self, game: int, expedition: int, turn: int) -> dict[str, Any]:
        """The fault or incident as the record has it, at the place where it takes effect."""
        fault = self._fault
        assert fault is not None
        return {
            "seat": self.seat,
            "kind": fault.verdict.kind,
            "game": game,
            "expedition": expedition,
            "turn": turn,
            "cpu_us": fault.cpu_us,
            "wall_us": fault.wall_us,
            "expected": fault.verdict.expected[:MAX_GOT],
            "got": fault.verdict.got,
            "exit": fault.exit,
        }

    def timing(self) -> dict[str, int]:
        """The record's `timing` of this seat; CPU times are 0 where the wall was billed."""
        clock = self.clock
        return {
            "decisions": clock.decisions,
            "late": self.judge.late,
            "cpu_us": clock.billed_us if clock.by_cpu else 0,
            "cpu_max_us": clock.billed_max_us if clock.by_cpu else 0,
            "wall_us": clock.wall_us,
            "wall_max_us": clock.wall_max_us,
        }
