"""A table of a made season, to be played by real bots."""

from __future__ import annotations

from pathlib import Path

from benchmarks.club import Club, records_of
from benchmarks.fixtures import fixture_of
from benchmarks.store import made_club
from harness.referee import Fixture

__all__ = ["table"]


def table(folder: Path) -> tuple[Club, Fixture]:
    club = made_club(folder, games=2, rounds=1)
    return club, fixture_of(records_of(club)[0])
