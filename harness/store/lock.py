"""The run lock: one run at a time on a store, released by the death of its holder at the latest."""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from harness.errors import StoreError
from harness.store.database import Database

__all__ = ["RunLock"]

_KEY = zlib.crc32(b"harness run")
"""The key of the advisory lock; a database holds one store."""

_NAME = "harness run, pid "


class RunLock:
    """A context manager that holds a store for one run; `StoreError` on entering where another run holds it.

    On SQLite it is a `flock` on the file `NAME.lock` beside the store, which holds the pid of who has it; on
    PostgreSQL an advisory lock of a connection of its own.
    """

    def __init__(self, database: Database) -> None:
        self._held = (
            _flock(database.address.path, database.address.shown)
            if database.address.path is not None
            else _advisory(database)
        )

    def __enter__(self) -> RunLock:
        self._held.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.__exit__(None, None, None)


def _refusal(shown: str, pid: str) -> StoreError:
    who = f"another run (pid {pid})" if pid.isascii() and pid.isdigit() else "another run"
    return StoreError(f"store {shown}: {who} holds the store; wait until it has ended, or end it")


@contextmanager
def _flock(path: Path, shown: str) -> Iterator[None]:
    path = path.resolve()  # one store has one lock, whatever link it was reached by
    beside = path.with_name(path.name + ".lock")
    try:
        fd = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreError(f"store {shown}: the lock file {beside.name} can't be opened: {error.strerror}") from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _refusal(shown, os.pread(fd, 20, 0).decode("ascii", "replace").strip()) from None
        # The file stays: removing it would let a third run lock a new file while a second holds the old one.
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode("ascii"), 0)
        yield
        os.ftruncate(fd, 0)
    finally:
        os.close(fd)


@contextmanager
def _advisory(database: Database) -> Iterator[None]:
    with database.engine.connect() as connection:
        connection.execute(
            text("SELECT set_config('application_name', :name, false)"), {"name": f"{_NAME}{os.getpid()}"}
        )
        held = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY})
        if not held:
            name = connection.scalar(
                text(
                    "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
                    "WHERE l.locktype = 'advisory' AND l.objid = :key AND l.granted LIMIT 1"
                ),
                {"key": _KEY},
            )
            raise _refusal(database.address.shown, (name or "").removeprefix(_NAME))
        connection.commit()  # the lock is the session's, not the transaction's
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _KEY})
            connection.commit()
            connection.invalidate()  # its name must not go back to the pool
