"""Both workers do the same work."""

from __future__ import annotations

from pathlib import Path

from benchmarks.bench_league import homes_of, records_of
from benchmarks.fixtures import turns_of
from benchmarks.side_by_side import side_by_side
from harness.executors import Job
from tests.benchmarks.tables import table


def test_each_worker_plays_every_job(tmp_path: Path) -> None:
    league, fixture = table(tmp_path)
    record = records_of(league)[0]
    job = Job(fixture, tuple(homes_of(league, fixture, tmp_path / "homes")))
    first, second = side_by_side([job, job])
    assert len(first) == len(second) == 2
    first_game = sum(len(turns) for turns in record["games"][0]["expeditions"])
    for laps in (*first, *second):
        assert laps.turns == turns_of(record)
        assert laps.first_turns == first_game
        assert laps.bare_s > 0
