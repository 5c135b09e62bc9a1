"""The clock of one seat: what a decision is billed, what is left of bank and waits, when to look again.

All times are whole microseconds. It reads no clock itself: the match tells it wall time, the bot's CPU time and how
long the bot stood in the run queue, so that every rule is tested without a process.
"""

from __future__ import annotations

from harness.protocol import Limits

__all__ = ["SeatClock"]


class SeatClock:
    """Bills decisions against ``limits``.

    ``by_cpu`` says whether CPU time is billed; otherwise wall time since the question is. ``bank_us`` is what is left
    for thinking beyond ``move_ms``, ``wait_us`` what is left for waiting beyond it. ``cpu_us`` is the CPU time at which
    the last bill was closed: what a bot burns between its turns is part of the next one.
    """

    __slots__ = ("_asked_us", "_queued_us", "bank_us", "by_cpu", "cpu_us", "limits", "move_us", "stall_us", "wait_us")

    def __init__(self, limits: Limits, *, by_cpu: bool) -> None:
        self.limits = limits
        self.by_cpu = by_cpu
        self.move_us = limits.move_ms * 1000
        self.stall_us = limits.stall_ms * 1000
        self.bank_us = limits.bank_ms * 1000
        self.wait_us = limits.wait_ms * 1000
        self.cpu_us = 0
        self._asked_us = 0
        self._queued_us = 0

    def ask(self, now_us: int) -> None:
        """A question went out at ``now_us``."""
        self._asked_us = now_us

    @property
    def first_look_us(self) -> int:
        """No rule can be broken before this moment, so nothing need be measured until then."""
        return self._asked_us + min(self.move_us, self.stall_us)

    def used_us(self, now_us: int, cpu_us: int) -> int:
        """What the open decision has been billed so far."""
        return max(0, cpu_us - self.cpu_us) if self.by_cpu else now_us - self._asked_us

    def wall_us(self, now_us: int) -> int:
        """Wall time since the question."""
        return now_us - self._asked_us

    def _waited_us(self, now_us: int, used_us: int, queued_us: int | None) -> int:
        """How long, beyond the move's time, a bot that neither computed nor stood in line for a core kept us waiting.

        A bot that would run if only it were let is not waiting: a crowded machine costs no bot its match.
        """
        wall_us = now_us - self._asked_us
        if not self.by_cpu or queued_us is None:
            return max(0, wall_us - self.move_us)
        return max(0, wall_us - max(self.move_us, used_us + max(0, queued_us - self._queued_us)))

    def broken(self, now_us: int, cpu_us: int, queued_us: int | None) -> str | None:
        """The rule that the open decision has broken, in words, or ``None``.

        ``queued_us`` is the bot's time on the run queue so far, ``None`` where the machine does not tell.
        """
        used_us = self.used_us(now_us, cpu_us)
        if used_us > self.move_us + self.bank_us:
            what = "CPU" if self.by_cpu else "wall"
            bank = f"{self.bank_us / 1000:.1f} ms of bank"
            return f"{what} time {used_us / 1000:.1f} ms; a move has {self.limits.move_ms} ms and {bank}"
        wall_us = now_us - self._asked_us
        if wall_us >= self.stall_us:
            return f"no answer for {wall_us / 1000:.1f} ms; stall_ms is {self.limits.stall_ms}"
        if self._waited_us(now_us, used_us, queued_us) > self.wait_us:
            return f"waits beyond move_ms add up to more than wait_ms ({self.limits.wait_ms})"
        return None

    def next_look_us(self, now_us: int, cpu_us: int, queued_us: int | None, cores: int) -> int:
        """The earliest moment at which a rule could be broken; none is yet, and the bot has ``cores`` to burn."""
        used_us = self.used_us(now_us, cpu_us)
        thinking = (self.move_us + self.bank_us - used_us) // cores + 1
        stalling = self.stall_us - (now_us - self._asked_us)
        waiting = self.wait_us - self._waited_us(now_us, used_us, queued_us) + 1
        if now_us - self._asked_us < self.move_us:
            waiting += self.move_us - (now_us - self._asked_us)
        return now_us + min(thinking, stalling, waiting)

    def close(self, now_us: int, cpu_us: int, queued_us: int | None) -> int:
        """The answer came and broke no rule: draw on bank and waits, and return what was billed."""
        used_us = self.used_us(now_us, cpu_us)
        if used_us > self.move_us:
            self.bank_us -= used_us - self.move_us
        self.wait_us -= self._waited_us(now_us, used_us, queued_us)
        self.cpu_us = cpu_us
        if queued_us is not None:
            self._queued_us = queued_us
        return used_us
