"""How long a match can last by its limits, for whoever waits for one."""

from __future__ import annotations

from harness.referee.fixture import Fixture

__all__ = ["START_WALL", "longest_s"]

START_WALL = 3
"""A start-up may take this many times its CPU allowance on the wall clock."""


def longest_s(fixture: Fixture) -> float:
    """Seconds that the match can last at most, hours where it has many games.

    Each seat has its start, one after the other at worst. No turn is longer than stall_ms, since the seats decide side
    by side; no expedition has more turns than the deck has cards. Nothing is left out for a bot that is lost at its
    first fault: a match given up too early is lost, one given up late costs only time. What no limit counts, such as
    clearing up, comes on top.
    """
    edition, limits = fixture.edition, fixture.limits
    cards = len(edition.treasures) + sum(hazard.copies for hazard in edition.hazards) + len(edition.relics)
    turns = fixture.games * edition.expeditions * (cards + 1)
    return (len(fixture.seats) * START_WALL * limits.start_ms + turns * limits.stall_ms) / 1000
