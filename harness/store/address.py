"""Where a store is: a SQLite file, or a PostgreSQL database by its URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from harness.errors import StoreError

__all__ = ["Address", "default_url", "is_there", "parse"]

_SQLITE = "sqlite:///"


@dataclass(frozen=True, slots=True)
class Address:
    """Either `path` (SQLite) or `url` (PostgreSQL) is set; `shown` names the store, its password hidden."""

    path: Path | None
    url: URL | None
    shown: str


def default_url(league_file: Path) -> str:
    """The store of a league that names none: the SQLite file beside its file, `starter.toml` → `starter.db`."""
    return f"{_SQLITE}{league_file.with_suffix('.db')}"


def is_there(url: str | Path) -> bool:
    """Whether there is a file with something in it; that of a database on a server is not known before it is opened."""
    path = parse(url).path
    try:
        return path is not None and path.stat().st_size > 0
    except OSError:
        return False


def parse(url: str | Path) -> Address:
    """Read a path, `sqlite:///path` or `postgresql://…`; `StoreError` for anything else."""
    if isinstance(url, Path) or "://" not in url:
        return _file(str(url))
    if url.startswith(_SQLITE):
        return _file(url.removeprefix(_SQLITE))
    if url.startswith(("postgresql:", "postgresql+psycopg:", "postgres:")):
        try:
            server = make_url(url)
        except ArgumentError as error:
            raise StoreError(
                f"store {url.partition(':')[0]}://…: is no URL of a database; write postgresql://USER@HOST/DATABASE"
            ) from error
        server = server.set(drivername="postgresql+psycopg")
        return Address(None, server, server.set(drivername="postgresql").render_as_string(hide_password=True))
    scheme = url.partition("://")[0]
    raise StoreError(
        f"store {scheme}://…: is no kind of store; write sqlite:///PATH or postgresql://USER@HOST/DATABASE"
    )


def _file(text: str) -> Address:
    if not text:
        raise StoreError("store '': names no file; name one, or write sqlite:///PATH")
    if "\0" in text:
        raise StoreError("store: the path holds a zero byte; name a file")
    path = Path(text)
    return Address(path, None, str(path))
