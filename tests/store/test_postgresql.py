"""What only holds on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.store import open_store
from tests.store.synthetic import play_season


def test_both_databases_hold_the_same(postgres_url: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as file, open_store(postgres_url) as server:
        season, _ = play_season(file, run="one")
        file.void(season.id, 2, 2, "late")
        play_season(server, run="two", order=lambda fixtures: fixtures[::-1])
        server.void(season.id, 2, 2, "late")
        assert server.reproducible_dump() == file.reproducible_dump()
        assert server.standings(season.id) == file.standings(season.id)


def test_a_server_that_is_not_there_is_one_sentence_without_the_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(
        StoreError, match=r"^store postgresql://me:\*\*\*@127.0.0.1:1/x: the database can't be reached"
    ) as error:
        open_store("postgresql://me:hush@127.0.0.1:1/x")
    assert "hush" not in error.value.sentence
