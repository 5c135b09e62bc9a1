"""The clock of one seat: what a decision is billed, what is left of bank and waits, when to look again.

All times are whole microseconds. It reads no clock itself: the match tells it wall time, the bot's CPU time and how
long the bot stood in the run queue, so that every rule is tested without a process.
"""

from __future__ import annotations

from harness.protocol import Limits

__all__ = ["SeatClock"]


class SeatClock:
    """Bills decisions against `limits`.

    `by_cpu` says whether CPU time is billed; otherwise wall time since the question is. `bank_us` is what is left
    for thinking beyond `move_ms`, `wait_us` what is left for waiting beyond it. What the answers took is summed up
    in `decisions`, `billed_us` and `wall_us`, with the largest of each. Setting `asked_us` to the time says that a
    question went out. `patience_us` after it, and not before, something may have to be measured. `looked_us` is when it
    was first looked at, −1 as long as it has not been; then its answer is to be closed with the run queue time.

    Nothing is measured before `patience_us` is over; from the first look on, what the bot computes and how long it
    stands in line for a core are known, and the rest of the time is waiting. A bot that would run if only it were let
    is not waiting: a crowded machine costs no bot its match.
    """

    __slots__ = (
        "_closed_us",
        "_look",
        "asked_us",
        "bank_us",
        "billed_max_us",
        "billed_us",
        "by_cpu",
        "decisions",
        "limits",
        "looked_us",
        "move_us",
        "patience_us",
        "stall_us",
        "wait_us",
        "wall_max_us",
        "wall_us",
    )

    def __init__(self, limits: Limits, *, by_cpu: bool) -> None:
        self.limits = limits
        self.by_cpu = by_cpu
        self.move_us = limits.move_ms * 1000
        self.stall_us = limits.stall_ms * 1000
        self.bank_us = limits.bank_ms * 1000
        self.wait_us = limits.wait_ms * 1000
        self.patience_us = min(self.move_us, self.stall_us)
        self.decisions = 0
        self.billed_us = 0
        self.billed_max_us = 0
        self.wall_us = 0
        self.wall_max_us = 0
        self.asked_us = 0
        self.looked_us = -1
        self._closed_us = 0  # the bot's CPU time when the last bill was closed
        self._look: tuple[int, int | None] = (0, None)  # CPU and run queue time then

    def start(self, cpu_us: int) -> None:
        """The bot is ready: what it has used so far is start-up and touches no bank."""
        self._closed_us = cpu_us

    def since_us(self, now_us: int) -> int:
        """Wall time since the question."""
        return max(0, now_us - self.asked_us)

    def used_us(self, now_us: int, cpu_us: int) -> int:
        """What the open decision has been billed so far; what was burnt between turns is part of it."""
        return max(0, cpu_us - self._closed_us) if self.by_cpu else self.since_us(now_us)

    def look(self, now_us: int, cpu_us: int, queued_us: int | None) -> str | None:
        """The rule that the open decision has broken, in words, or `None`.

        `queued_us` is the bot's time on the run queue so far, `None` where the machine does not tell.
        """
        if self.looked_us < 0:
            self.looked_us = now_us
            self._look = (cpu_us, queued_us)
        used_us = self.used_us(now_us, cpu_us)
        if used_us > self.move_us + self.bank_us:
            what = "CPU" if self.by_cpu else "wall"
            bank = f"{self.bank_us / 1000:.1f} ms of bank"
            return f"{what} time {used_us / 1000:.1f} ms; a move has {self.limits.move_ms} ms and {bank}"
        wall_us = self.since_us(now_us)
        if wall_us >= self.stall_us:
            return f"no answer for {wall_us / 1000:.1f} ms; stall_ms is {self.limits.stall_ms}"
        if self._waited_us(now_us, cpu_us, queued_us) > self.wait_us:
            return f"waits beyond move_ms add up to more than wait_ms ({self.limits.wait_ms})"
        return None

    def next_look_us(self, now_us: int, cpu_us: int, queued_us: int | None, cores: int) -> int:
        """The earliest moment at which a rule could be broken; none is yet, and the bot has `cores` to burn."""
        thinking = (self.move_us + self.bank_us - self.used_us(now_us, cpu_us)) // cores + 1
        wall_us = self.since_us(now_us)
        stalling = self.stall_us - wall_us
        waiting = self.wait_us - self._waited_us(now_us, cpu_us, queued_us) + 1 + max(0, self.move_us - wall_us)
        return now_us + min(thinking, stalling, waiting)

    def answer(self, now_us: int, cpu_us: int, queued_us: int | None) -> str | None:
        """The answer came: the rule that it broke by coming so late, or `None`, and the bill is closed."""
        wall_us = now_us - self.asked_us
        used_us = cpu_us - self._closed_us if self.by_cpu else wall_us
        if self.looked_us >= 0 or used_us > self.move_us or wall_us >= self.stall_us:
            broken = self.look(now_us, cpu_us, queued_us)
            if broken is not None:
                return broken
            self.bank_us -= max(0, used_us - self.move_us)
            self.wait_us -= self._waited_us(now_us, cpu_us, queued_us)
            self.looked_us = -1
        self._closed_us = cpu_us
        self.decisions += 1
        self.billed_us += used_us
        if used_us > self.billed_max_us:
            self.billed_max_us = used_us
        self.wall_us += wall_us
        if wall_us > self.wall_max_us:
            self.wall_max_us = wall_us
        return None

    def _waited_us(self, now_us: int, cpu_us: int, queued_us: int | None) -> int:
        """How long, beyond the move's time, a bot that neither computed nor stood in line kept us waiting."""
        waited_us = self.since_us(now_us) - self.move_us
        if self.by_cpu and self.looked_us >= 0:
            cpu_then_us, queued_then_us = self._look
            # Before a first look that came late, since we were held up ourselves, nobody knows what the bot did.
            waited_us -= max(0, self.looked_us - self.asked_us - self.move_us)
            if queued_us is not None and queued_then_us is not None:
                waited_us -= max(0, cpu_us - cpu_then_us) + max(0, queued_us - queued_then_us)
        return max(0, waited_us)
