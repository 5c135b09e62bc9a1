"""Keeping the versions of bots."""

from __future__ import annotations

from sqlalchemy import Connection, and_, insert, select

from harness.store.rows import VersionRow
from harness.store.tables import BOTS, BUILDS, VERSIONS

__all__ = ["add_version", "find_version"]


def add_version(connection: Connection, row: VersionRow) -> None:
    """Keep a version; one that is there already stays as it is."""
    here = and_(VERSIONS.c.version == row.version, VERSIONS.c.bot == row.bot)
    if connection.execute(select(VERSIONS.c.bot).where(here)).first() is not None:
        return
    if connection.execute(select(BOTS.c.bot).where(BOTS.c.bot == row.bot)).first() is None:
        connection.execute(insert(BOTS), [{"bot": row.bot}])
    connection.execute(insert(VERSIONS), [{column.name: getattr(row, column.name) for column in VERSIONS.c}])
    if row.built is not None:
        connection.execute(insert(BUILDS), [{column.name: getattr(row, column.name) for column in BUILDS.c}])


def find_version(connection: Connection, version: str, bot: str | None) -> VersionRow | None:
    """The version with this content hash; the same content may be kept under several ids, then `bot` says which."""
    kept = connection.execute(select(VERSIONS.c.bot).where(VERSIONS.c.version == version)).scalars().all()
    if not kept or (bot is not None and bot not in kept):
        return None
    with_build = and_(BUILDS.c.version == VERSIONS.c.version, BUILDS.c.bot == VERSIONS.c.bot)
    asked = select(VERSIONS, BUILDS.c.built, BUILDS.c.build_hash).select_from(VERSIONS.outerjoin(BUILDS, with_build))
    asked = asked.where(VERSIONS.c.version == version, VERSIONS.c.bot == (bot or min(kept)))
    return VersionRow(**connection.execute(asked).one()._mapping)
