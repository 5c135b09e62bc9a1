"""How long a worker may be silent: as long as the match that it plays can last by its limits, and no longer."""

from __future__ import annotations

from harness.referee import Fixture

__all__ = ["longest_s"]

_STARTS = 3
"""Wall time of a start, in start_ms: the contract's stop."""

_SLACK_S = 600.0
"""Seconds for what no limit counts: the worker's own start, clearing up, a machine that is slow at both."""


def longest_s(fixture: Fixture) -> float:
    """Seconds that the match can last at most, hours where it has many games.

    Each seat has its start, one after the other at worst. No turn is longer than stall_ms, since the seats decide side
    by side; no expedition has more turns than the deck has cards. Nothing is left out for a bot that is lost at its
    first fault: a worker given up too early costs a match, one given up late only time.
    """
    edition, limits = fixture.edition, fixture.limits
    cards = len(edition.treasures) + sum(hazard.copies for hazard in edition.hazards) + len(edition.relics)
    turns = fixture.games * edition.expeditions * (cards + 1)
    return (len(fixture.seats) * _STARTS * limits.start_ms + turns * limits.stall_ms) / 1000 + _SLACK_S
