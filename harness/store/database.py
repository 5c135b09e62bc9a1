"""Connections and transactions on SQLite and PostgreSQL, and what their errors mean to the user."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from harness.errors import HarnessError, HarnessFailure, StoreError
from harness.store.address import Address

__all__ = ["Database"]

_BUSY_MS = 60_000
"""How long a writer waits for another, in ms: a migration or a late voiding holds the store for longer than a match."""

_WRITES = "harness_writes"
"""The execution option that a writing transaction has."""


class Database:
    """An engine with two kinds of transaction; `writes` is false where the store was opened to be read only."""

    def __init__(self, address: Address, *, writes: bool) -> None:
        self.address = address
        self.writes = writes
        self.engine = _sqlite(address.path, writes) if address.path is not None else _postgresql(address)
        self._file: tuple[int, int] | None = None

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.address.path is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state and changes nothing."""
        with self._explained(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes, all or nothing; it holds SQLite's writer lock from its beginning."""
        if not self.writes:
            raise StoreError(f"store {self.address.shown}: was opened to be read only")
        self._check_place()
        with self._explained(), self.engine.connect() as connection:
            connection.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    def _check_place(self) -> None:
        """HarnessFailure if the file at the store's path is no longer the one that was opened.

        SQLite would go on writing into a file that nobody finds any more, and all would seem well.
        """
        path = self.address.path
        if path is None:
            return
        try:
            status = path.stat()
            found = (status.st_dev, status.st_ino)
        except OSError:
            found = (0, 0)
        if self._file is None:
            self._file = found
        elif found != self._file:
            raise HarnessFailure(
                f"store {self.address.shown}: the file was removed, moved or replaced while it was in use; put it back "
                "and run again"
            )

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Like `writing`, with SQLite's foreign keys off: a table changes there by a copy in its place."""
        with self._explained(), self.engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            if self.is_sqlite:
                driver.execute("PRAGMA foreign_keys = OFF")  # without effect inside a transaction
            connection.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection
                if self.is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                    raise HarnessFailure(
                        f"store {self.address.shown}: the migration would break a reference between tables"
                    )
            connection.invalidate()  # foreign keys must not stay off in the pool

    def use_wal(self) -> None:
        """Let readers go on while somebody writes to the file, which keeps the mode."""
        if not self.is_sqlite:
            return
        with self._explained(), closing(self.engine.raw_connection()) as borrowed:
            driver: Any = borrowed.dbapi_connection
            if driver.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                driver.execute("PRAGMA journal_mode = WAL").fetchone()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._sentence(error.orig) from error
        except sqlite3.Error as error:
            raise self._sentence(error) from error

    def _sentence(self, error: BaseException | None) -> HarnessError:
        shown, said = self.address.shown, " ".join(str(error).split())
        if not self.is_sqlite:
            if type(error).__name__ == "OperationalError":
                return StoreError(f"store {shown}: the database can't be reached: {said}")
            return HarnessFailure(f"store {shown}: the database refused: {said}")
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreError(f"store {shown}: another process is writing to it; try again when that has ended")
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return StoreError(f"store {shown}: the file is damaged or no store ({said}); go back to a copy of it")
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return StoreError(f"store {shown}: it can't be opened or written ({said}); mend its rights or its folder's")
        return HarnessFailure(f"store {shown}: {said}")


def _sqlite(path: Path, writes: bool) -> Engine:
    # Who may write is the one that can take the -wal and -shm files away with the last connection; a reader for whom
    # the file is read-only leaves them.
    may_write = writes or (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))
    uri = f"file:{quote(str(path.absolute()))}?mode={'rw' if may_write else 'ro'}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            # With WAL a commit is safe from a kill without waiting for the disk; a power cut may cost the last matches.
            connection.execute("PRAGMA synchronous = NORMAL")
            if not writes:
                connection.execute("PRAGMA query_only = ON")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=2)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A transaction that reads and then wants to write fails at once where another wrote meanwhile, whatever the
        # timeout; one that says from the start that it will write waits its turn.
        writes_now = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes_now else "BEGIN")

    return engine


def _postgresql(address: Address) -> Engine:
    assert address.url is not None
    try:
        return create_engine(address.url, pool_size=2, isolation_level="READ COMMITTED", pool_pre_ping=True)
    except ImportError as error:
        raise StoreError(
            f"store {address.shown}: PostgreSQL needs the package psycopg; "
            "install it with pip install 'tacora[postgresql]'"
        ) from error
