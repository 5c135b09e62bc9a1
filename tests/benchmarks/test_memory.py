"""The memory benchmark: peaks of processes of their own, as the kernel has them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads peaks from /proc")


def test_the_long_league_has_ten_times_the_matches() -> None:
    cost = memory.measure(rounds=1)
    assert (cost.short.matches, cost.long.matches) == (20, 200)
    assert cost.ratio == cost.long.main_kb / cost.short.main_kb
    assert cost.worker_ratio == 0  # made records need no worker


def test_workers_are_measured_where_matches_are_played(tmp_path: Path) -> None:
    found = memory.peak(tmp_path, 1, None, True)
    assert found.matches == 20
    assert found.worker_kb > 1024


def test_the_peak_of_a_process_counts_what_it_has_freed() -> None:
    before = memory.peak_kb("self")
    block = b"x" * (before * 1024)
    size = len(block) // 1024
    del block
    assert memory.peak_kb("self") >= size
