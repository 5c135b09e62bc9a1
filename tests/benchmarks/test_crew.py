"""Both workers do the same work."""

from __future__ import annotations

from pathlib import Path

from benchmarks.club import homes_of, records_of
from benchmarks.crew import side_by_side
from benchmarks.fixtures import turns_of
from harness.executors import Job
from tests.benchmarks.tables import table


def test_each_worker_plays_every_job(tmp_path: Path) -> None:
    club, fixture = table(tmp_path)
    record = records_of(club)[0]
    job = Job(fixture, tuple(homes_of(club, fixture, tmp_path / "homes")))
    first, second = side_by_side([job, job])
    assert len(first) == len(second) == 2
    first_game = sum(len(turns) for turns in record["games"][0]["expeditions"])
    for laps in (*first, *second):
        assert laps.turns == turns_of(record)
        assert laps.first_turns == first_game
        assert laps.bare_s > 0
