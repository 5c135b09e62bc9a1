"""A table of a made season, to be played by real bots."""

from __future__ import annotations

from pathlib import Path

from benchmarks.bench_league import BenchLeague, records_of
from benchmarks.fixtures import fixture_of
from benchmarks.store import made_league
from harness.referee import Fixture

__all__ = ["table"]


def table(folder: Path) -> tuple[BenchLeague, Fixture]:
    league = made_league(folder, games=2, rounds=1)
    return league, fixture_of(records_of(league)[0])
