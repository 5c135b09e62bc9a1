"""New databases on the PostgreSQL server that HARNESS_TEST_POSTGRES names, where it names one."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import pytest
import sqlalchemy

__all__ = ["POSTGRES", "postgres_database"]

POSTGRES = os.environ.get("HARNESS_TEST_POSTGRES")
"""The URL of a server on which the tests may make databases."""


def postgres_database() -> Iterator[str]:
    """A new, empty database on the server, dropped afterwards."""
    if not POSTGRES:
        pytest.skip("HARNESS_TEST_POSTGRES names no PostgreSQL server")
    pytest.importorskip("psycopg")
    server = sqlalchemy.make_url(POSTGRES).set(drivername="postgresql+psycopg")
    name = f"harness_test_{uuid.uuid4().hex}"
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
    yield server.set(database=name, drivername="postgresql").render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"DROP DATABASE {name} WITH (FORCE)"))
