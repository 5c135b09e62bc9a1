"""Made records are what the bench league's bots really play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.bench_league import homes_of, records_of
from benchmarks.fixtures import fixture_of
from benchmarks.made_records import made_record
from benchmarks.store import made_league
from harness.referee import play, verify_record
from sandbox import backend
from tests.second.replay import check_record


def test_a_made_record_verifies_and_holds_what_the_bots_play(tmp_path: Path) -> None:
    league = made_league(tmp_path, games=1, rounds=1)
    records = records_of(league)
    assert len(records) == league.matches == 16
    fixture = replace(fixture_of(records[0]), games=3)
    record = made_record(fixture)
    assert verify_record(record) is None
    check_record(record)
    played = play(fixture, homes_of(league, fixture, tmp_path / "homes"), backend=backend("bare"), scratch=tmp_path)
    assert played.record["faults"] == []
    assert played.record["outcome"] == record["outcome"]
    for made, found in zip(record["timing"], played.record["timing"], strict=True):
        assert made["decisions"] == found["decisions"]
