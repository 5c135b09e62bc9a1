"""Stores for the tests: a SQLite file, and a PostgreSQL database where HARNESS_TEST_POSTGRES names a server."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.store import Store, open_store
from tests.store.postgres import postgres_database


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The URL of a new PostgreSQL database."""
    yield from postgres_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes the URL of a store that is not there yet, on each kind of database."""
    made: list[Iterator[str]] = []

    def make() -> str:
        if request.param == "sqlite":
            return str(tmp_path / f"{uuid.uuid4().hex}.db")
        made.append(postgres_database())
        return next(made[-1])

    yield make
    for each in made:
        next(each, None)


@pytest.fixture
def new_store(new_url: Callable[[], str]) -> Iterator[Callable[[], Store]]:
    """Opens new stores, closed afterwards."""
    opened: list[Store] = []

    def make() -> Store:
        opened.append(open_store(new_url()))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], Store]) -> Store:
    """One new store."""
    return new_store()
