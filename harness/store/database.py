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
from harness.store.soundness import damage

__all__ = ["Database"]

_BUSY_MS = 60_000
"""How long a writer waits for another, in ms: a migration or a late voiding holds the store for longer than a match."""

_RUBBISH = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
"""SQLite's codes for a file that holds what it never wrote."""

_WRITES = "harness_writes"
"""The execution option that a writing transaction has."""


class Database:
    """An engine with two kinds of transaction; `writes` is false where the store was opened to be read only."""

    def __init__(self, address: Address, *, writes: bool) -> None:
        self.address = address
        self.writes = writes
        self._file: tuple[int, int] | None = None
        self._still: tuple[int, int] | None = None
        if address.path is None:
            self.engine = _postgresql(address)
        else:
            if not writes and _is_still(address.path):
                self._still = _stamp(address.path)
            self.engine = _sqlite(address.path, writes, immutable=self._still is not None)

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.address.path is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state and changes nothing."""
        try:
            with self.explained(), self.engine.connect() as connection, connection.begin():
                yield connection
        except Exception as error:
            self._check_still(error)
            raise
        self._check_still()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes, all or nothing; it holds SQLite's writer lock from its beginning."""
        if not self.writes:
            raise StoreError(f"store {self.address.shown}: was opened to be read only")
        self._check_place()
        with self.explained(), self.engine.connect() as connection:
            connection.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    def _check_still(self, error: Exception | None = None) -> None:
        """StoreError if the file was read as one that nobody changes, and somebody did; `error` may have come of it."""
        if self._still is not None and self.address.path is not None and self._still != _stamp(self.address.path):
            raise StoreError(
                f"store {self.address.shown}: somebody wrote to it while it was read; try again"
            ) from error

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
        with self._worded(), self.engine.connect() as connection:
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
        with self._worded(), closing(self.engine.raw_connection()) as borrowed:
            driver: Any = borrowed.dbapi_connection
            if driver.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                driver.execute("PRAGMA journal_mode = WAL").fetchone()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def damage(self, *, deep: bool = False) -> str | None:
        """What is wrong with the store as the disk has it; see `harness.store.soundness.damage`."""
        # A connection of its own: the others may have in memory what the file has no more.
        fresh = self.engine
        if self.address.path is not None:
            fresh = _sqlite(self.address.path, writes=False, immutable=self._still is not None)
        try:
            with fresh.connect() as connection:
                return damage(connection, deep=deep)
        except DBAPIError as error:
            # A file that can't be looked at is not for that damaged.
            code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
            return " ".join(str(error.orig).split()) if code in _RUBBISH else None
        finally:
            if fresh is not self.engine:
                fresh.dispose()

    def check_kept(self) -> None:
        """StoreError if the store is not sound as the disk has it, after this process has written to it."""
        self._check_place()
        if (what := self.damage()) is not None:
            raise self.damaged(what, "was damaged while it was in use")

    def damaged(self, what: str, how: str = "is damaged") -> StoreError:
        """The error that says so. Running again helps nobody, so it is no failure of the machine but bad input."""
        return StoreError(
            f"store {self.address.shown}: it {how}: {what}; go back to a copy of it, or begin with a new one"
        )

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turns what the database says, and what a damaged store leads to, into a sentence.

        Whatever goes wrong inside by no known cause is looked into: `StoreError` if the store is damaged, else it is a
        fault of ours and told as what it is.
        """
        try:
            with self._worded():
                yield
        except Exception as error:
            if isinstance(error, HarnessError) and not isinstance(error, _Unexplained):
                raise
            self.explain(error)
            raise

    def explain(self, error: Exception) -> None:
        """StoreError, with `error` as its cause, if the store is damaged, so that it may have come of that."""
        if (what := self.damage(deep=True)) is not None:
            raise self.damaged(what) from error

    @contextmanager
    def _worded(self) -> Iterator[None]:
        """Turns what the database says into a sentence."""
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
            return _Unexplained(f"store {shown}: the database refused: {said}")
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreError(f"store {shown}: another process is writing to it; try again when that has ended")
        if code in _RUBBISH:
            return self.damaged(said)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            if not self.writes and self.address.path is not None and _has_log(self.address.path):
                return StoreError(
                    f"store {shown}: what was stored last lies in {self.address.path.name}-wal, which can't be read "
                    f"where nothing can be written ({said}); copy both to a folder of yours, or mend the rights"
                )
            return StoreError(f"store {shown}: it can't be opened or written ({said}); mend its rights or its folder's")
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM):
            return HarnessFailure(f"store {shown}: {said}")
        return _Unexplained(f"store {shown}: {said}")


class _Unexplained(HarnessFailure):
    """What a database says to nothing that we ever ask of a sound store, such as that a table is not there."""


def _sqlite(path: Path, writes: bool, *, immutable: bool) -> Engine:
    uri = f"file:{quote(str(path.absolute()))}?mode={'rw' if writes or _may_write(path) else 'ro'}"
    if immutable:
        uri += "&immutable=1"

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


def _may_write(path: Path) -> bool:
    """Whether this process could.

    Who may write is the one that can take the -wal and -shm files away with the last connection; a reader for whom the
    file is read-only leaves them.
    """
    place = path.resolve()
    return os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)


def _has_log(path: Path) -> bool:
    """Whether a part of the store lies in its write-ahead log: somebody writes to it, or was killed doing so."""
    place = path.resolve()
    try:
        return place.with_name(place.name + "-wal").stat().st_size > 0
    except OSError:
        return False


def _is_still(path: Path) -> bool:
    """Whether to read the file as one that nobody changes.

    It is the only way where the files that SQLite shares among connections are not there and can't be made.
    """
    return not _may_write(path) and not _has_log(path)


def _stamp(path: Path) -> tuple[int, int]:
    """What is another after every change of the file."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def _postgresql(address: Address) -> Engine:
    assert address.url is not None
    try:
        return create_engine(address.url, pool_size=2, isolation_level="READ COMMITTED", pool_pre_ping=True)
    except ImportError as error:
        raise StoreError(
            f"store {address.shown}: PostgreSQL needs the package psycopg; "
            "install it with pip install 'tacora[postgresql]'"
        ) from error
