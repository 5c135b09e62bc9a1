"""The pilot of a plan: a few matches played now tell how long one takes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from harness.executors import play_here
from harness.league.entrant import LoadedEntrant
from harness.league.league_file import League
from harness.referee import Fixture, Seat

__all__ = ["pilot"]

_TABLES = 3
"""Matches of each size at most: bots differ in speed, and one that faults at once tells nothing."""

_SEED = "00" * 16
"""Any will do: nobody asks for the result."""


def pilot(league: League, entrants: Sequence[LoadedEntrant]) -> Mapping[int, float]:
    """Seconds a match on one worker by size of table, start-up included: the mean over a few tables of different bots.

    `entrants` are those of `league.load_bots()`, at least as many as the largest table seats. LeagueFileError where
    this league may not run here, BotError where a build fails, Interrupted on SIGINT, SIGTERM and SIGHUP.
    """
    backend = league.require_backend()
    fixtures: list[Fixture] = []
    for size in sorted(set(league.seats)):
        for first in range(0, min(_TABLES, len(entrants) // size) * size, size):
            seats = tuple(Seat(entrant.id, entrant.bot.version) for entrant in entrants[first : first + size])
            fixtures.append(Fixture(None, 0, 0, 0, _SEED, league.edition, league.games, league.limits, seats))
    # One more before them, of one game: builds and the worker's start are no part of a match.
    warming_up = replace(fixtures[0], games=1)
    played = play_here([warming_up, *fixtures], [entrant.bot for entrant in entrants], backend)
    next(played)
    seconds: dict[int, list[float]] = {}
    began = time.monotonic()
    for fixture, _ in zip(fixtures, played, strict=True):
        ended = time.monotonic()
        seconds.setdefault(len(fixture.seats), []).append(ended - began)
        began = ended
    return {size: fmean(times) for size, times in seconds.items()}
