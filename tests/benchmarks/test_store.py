"""The store's benchmark: both sides end with the same rows, and its figures come out whole."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from benchmarks.store import made_league, measure, times_of


def rows(path: Path, table: str, columns: str = "*") -> Iterable[tuple[Any, ...]]:
    with closing(connect(path)) as connection:
        return sorted(connection.execute(f"select {columns} from {table}"))


def test_the_floor_and_the_store_end_with_the_rows_of_the_season(tmp_path: Path) -> None:
    league = made_league(tmp_path, games=2, rounds=2)
    times = times_of(league, tmp_path)
    assert times.records == 32
    for table in ("records", "history", "fixtures"):
        kept = rows(league.store, table)
        assert len(kept) == (128 if table == "history" else 32)
        assert rows(tmp_path / "bare.db", table) == kept
        assert rows(tmp_path / "again.db", table) == kept
    kept = rows(league.store, "record_files", "round, number, digest, data")
    assert rows(tmp_path / "bare.db", "record_files", "round, number, digest, data") == kept
    assert rows(tmp_path / "again.db", "record_files", "round, number, digest, data") == kept


def test_figures_come_out_whole() -> None:
    cost = measure(games=1, rounds=1, blocks=1)
    assert (cost.games, cost.records) == (1, 16)
    assert all(figure > 0 for figure in astuple(cost))
    assert cost.ratio == pytest.approx((cost.store_us + cost.apply_us) / cost.inserts_us)
    assert cost.ratings_ratio == pytest.approx(cost.ratings_us / cost.package_us)
