"""The benchmark of publishing: what a publish wrote is counted on disk, its memory in a process of its own."""

from __future__ import annotations

import sys

import pytest

from benchmarks import site

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads peaks from /proc")


def test_a_round_more_writes_some_pages_and_not_all() -> None:
    cost = site.measure(rounds=1, bots=4)
    assert cost.matches == 40
    # Pages of four bots and of ten rounds at least, with pictures and feeds beside them.
    assert 14 < cost.full.pages < cost.full.files
    assert 4 < cost.again.pages < cost.full.pages
    assert cost.again.pages < cost.again.files < cost.full.files
    assert cost.short.pages < cost.full.pages
    assert cost.share == cost.again.pages / cost.full.pages
    assert min(each.peak_kb for each in (cost.full, cost.again, cost.short)) > 10_000
