"""What a run has told so far, summed up for whoever draws it: how far, how fast, the ladder, the last faults."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable

from harness.league import (
    Event,
    FaultSeen,
    LadderMoved,
    MatchPlayed,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonResumed,
    Waiting,
)
from harness.ratings import Standing

__all__ = ["RunTally"]

LAST_FAULTS = 5
"""Faults kept whole; all are counted."""


class RunTally:
    """Counts events. `clock` gives seconds that never go back.

    Matches played before this run don't count for the rate, nor does the time in which it waited for bots. `done` and
    `matches` are of the round under way, `rounds` planned for the season, `last_round` the one of them at which this
    run stops, if `limit` rounds stop it before.
    """

    def __init__(self, limit: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._limit = limit
        self._started: float | None = None
        self._waiting_since: float | None = None
        self._rounds_over = 0
        self.title = ""
        self.practice = False
        self.round = 0
        self.rounds = 0
        self.done = 0
        self.matches = 0
        self.played = 0
        self.standings: tuple[Standing, ...] = ()
        self.commitment = ""
        self.last_over: RoundOver | None = None
        self.faults: deque[FaultSeen] = deque(maxlen=LAST_FAULTS)
        self.fault_counts: Counter[str] = Counter()

    def __call__(self, event: Event) -> None:
        """Take the next event in."""
        match event:
            case SeasonAnnounced() | SeasonResumed():
                self.title = f"{event.league}, season {event.season}"
                self.practice = event.practice
                self.rounds = event.rounds
                self.commitment = event.commitment
                self.last_over = None
            case Waiting():
                if self._waiting_since is None:
                    self._waiting_since = self._clock()
            case RoundOpened():
                self.round, self.rounds = event.round, event.rounds
                self.matches, self.done = event.matches, event.matches - event.left
                if self._started is None:
                    self._started = self._clock()
                elif self._waiting_since is not None:
                    self._started += self._clock() - self._waiting_since
                self._waiting_since = None
            case MatchPlayed():
                self.done = event.played
                self.played += 1
            case MatchVoided():
                self.done += 1
            case FaultSeen():
                self.faults.append(event)
                self.fault_counts[event.bot] += 1
            case LadderMoved():
                self.standings = event.standings
            case RoundOver():
                self.done = self.matches
                self.last_over = event
                self._rounds_over += 1
            case _:
                pass

    @property
    def last_round(self) -> int:
        """The round of this season after which this run ends, as far as it goes by its own limit."""
        if self._limit is None:
            return self.rounds
        over = self.last_over is not None and self.last_over.round == self.round
        return min(self.rounds, self.round + self._limit - self._rounds_over - (0 if over else 1))

    @property
    def rate(self) -> float:
        """Matches a second in this run; 0 before the first."""
        if self._started is None or not self.played:
            return 0.0
        return self.played / max(self._clock() - self._started, 1e-6)

    @property
    def seconds_left(self) -> float | None:
        """Until the run, or else its season, ends at the rate so far; None before the first match.

        Rounds to come are taken to be like this one.
        """
        if not self.rate:
            return None
        left = self.matches - self.done + max(0, self.last_round - self.round) * self.matches
        return left / self.rate
