"""Opening a store: what is there is looked at, made or brought up to date, or refused in one sentence."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from harness.errors import StoreError
from harness.store.address import Address, parse
from harness.store.database import Database
from harness.store.migrate import bring_up_to_date, check_revision
from harness.store.store import Store

__all__ = ["open_store"]

_MAGIC = b"SQLite format 3\0"


def open_store(url: str | Path, *, create: bool = True, write: bool = True) -> Store:
    """Open the store at a path, `sqlite:///PATH` or `postgresql://…`, and bring its tables up to date.

    Without `write` nothing is changed or migrated; without `create` a store that is not there is refused. A new
    SQLite file is readable by its owner only; an older one is copied beside itself before it is migrated. Raises
    `StoreError` for what is no store, what a newer version wrote, and what can't be read or written.
    """
    address = parse(url)
    if address.path is not None:
        _look_at(address, address.path, create=create and write, write=write)
    database = Database(address, writes=write)
    try:
        if write:
            bring_up_to_date(database)
            if address.path is not None:
                database.use_wal()
                _keep_private(address.path)
        else:
            check_revision(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


def _look_at(address: Address, path: Path, *, create: bool, write: bool) -> None:
    """Refuse what is no SQLite file; make an empty file of the right mode where there is none."""
    shown = address.shown
    try:
        if create:
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise StoreError(f"store {shown}: is a folder; name a file")
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(f"store {shown}: is no regular file; name one")
        with path.open("r+b" if write else "rb") as file:
            start = file.read(len(_MAGIC))
        if start not in (_MAGIC, b""):
            raise StoreError(f"store {shown}: is no SQLite database; name another file")
    except FileNotFoundError:
        if create:
            raise StoreError(
                f"store {shown}: there is no folder {path.parent}; make it, or name another place"
            ) from None
        raise StoreError(f"store {shown}: there is no such store; begin with harness run-league") from None
    except OSError as error:
        doing = "written" if write else "read"
        raise StoreError(
            f"store {shown}: it can't be {doing}: {error.strerror}; mend its rights or name another"
        ) from None


def _keep_private(path: Path) -> None:
    """Fixtures, secrets and archives must not be readable by a bot that runs as another user."""
    for each in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with suppress(FileNotFoundError):
            found = each.stat()
            if stat.S_IMODE(found.st_mode) != 0o600 and found.st_uid == os.geteuid():
                each.chmod(0o600)
