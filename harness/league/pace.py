"""The pace of a run within a round: when to look for records to apply, and when to tell the ladder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Pace"]

_APPLY_EVERY_S = 0.25
"""Seconds between two looks for records to apply: one alone costs what several together do."""

_LADDER_EVERY_S = 1.0
"""Seconds between two ladders told within a round."""

_LADDER_SHARE = 20
"""A ladder is told only once this many times what the last one cost has passed since: it adds up all of a season."""


class Pace:
    """Asked before each of the two, and told behind it; both are due at first. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._apply_due_s = self._ladder_due_s = self._next_ladder_s = -math.inf

    def apply_is_due(self) -> bool:
        """Whether to look for records to apply."""
        return self._clock() >= self._apply_due_s

    def applied(self) -> None:
        """Records were looked for, and applied."""
        self._apply_due_s = self._clock() + _APPLY_EVERY_S

    def ladder_is_due(self, *, round_is_over: bool) -> bool:
        """Whether to tell the ladder; at the end of a round it is only held back for what it costs."""
        now_s = self._clock()
        return now_s >= self._ladder_due_s and (round_is_over or now_s >= self._next_ladder_s)

    @contextmanager
    def telling_ladder(self) -> Iterator[None]:
        """Around the adding up and telling of a ladder, to see what it costs."""
        began_s = self._clock()
        yield
        told_s = self._clock()
        self._ladder_due_s = told_s + _LADDER_SHARE * (told_s - began_s)
        self._next_ladder_s = told_s + _LADDER_EVERY_S
