"""Brings a store to the tables of this version: a new one from nothing, an older one after a copy was made."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from harness.errors import StoreError
from harness.store.address import Address
from harness.store.database import Database

if TYPE_CHECKING:
    # Alembic is only imported where there is something to migrate: every command opens a store, few change its tables.
    from alembic.config import Config

__all__ = ["APPLICATION_ID", "HEAD", "MIGRATIONS", "bring_up_to_date", "check_revision"]

APPLICATION_ID = 0x7461636F
"""SQLite's mark of whose file it is: "taco"."""

MIGRATIONS = Path(__file__).parent / "migrations"

HEAD = "0004"
"""The newest revision in `MIGRATIONS`."""


def check_revision(database: Database) -> None:
    """`StoreError` unless the store has exactly this version's tables; changes nothing."""
    shown = database.address.shown
    with database.reading() as connection:
        found = _revision(connection, database.address)
    if found == HEAD:
        return
    if found is None:
        raise StoreError(f"store {shown}: nothing has been stored yet; begin with harness run-league")
    _refuse_newer(found, shown)
    raise StoreError(
        f"store {shown}: an older version wrote it (revision {found}); "
        "harness run-league copies it and brings it up to date"
    )


def bring_up_to_date(database: Database) -> None:
    """Create or migrate the tables in one transaction; an older file is copied to `NAME.bak-REVISION` first."""
    with database.reading() as connection:
        if _revision(connection, database.address) == HEAD:
            return
    with database.migrating() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPLICATION_ID})
        found = _revision(connection, database.address)  # another process may have been faster
        if found == HEAD:
            return
        if found is not None:
            _refuse_newer(found, database.address.shown)
            if database.address.path is not None:
                _copy(database.address.path, found)
        _upgrade(connection)
        if database.is_sqlite:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def _revision(connection: Connection, address: Address) -> str | None:
    """The store's revision, `None` for an empty database; a database with other tables is another program's."""
    names = inspect(connection).get_table_names()
    if address.path is not None:
        mark = connection.exec_driver_sql("PRAGMA application_id").scalar()
        ours = mark == APPLICATION_ID or (mark == 0 and not names)
    else:
        ours = not names or {"alembic_version", "seasons"} <= set(names)
    if not ours:
        raise StoreError(f"store {address.shown}: this is the database of another program; name another one")
    if "alembic_version" not in names:
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _refuse_newer(found: str, shown: str) -> None:
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if found not in known:
        raise StoreError(
            f"store {shown}: a newer version wrote it (revision {found}, which this one does not know); "
            "update the harness"
        )


def _upgrade(connection: Connection) -> None:
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _copy(path: Path, revision: str) -> None:
    """Copy the file as it is, what lies in its write-ahead log included; an earlier copy is kept."""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.bak-{revision}" + (f".{number}" if number > 1 else ""))
        try:
            os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            break
        except FileExistsError:
            number += 1
        except OSError as error:
            raise StoreError(
                f"store {path}: it is of an older version and no copy can be made beside it: {error.strerror}"
            ) from error
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    except sqlite3.Error as error:
        copy.unlink(missing_ok=True)
        raise StoreError(
            f"store {path}: it is of an older version and copying it to {copy.name} failed: {error}"
        ) from error
