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
    connection.execute(
        insert(VERSIONS),
        [
            {
                "version": row.version,
                "bot": row.bot,
                "title": row.title,
                "author": row.author,
                "language": row.language,
                "archive": row.archive,
            }
        ],
    )
    if row.built is not None:
        build = {"version": row.version, "bot": row.bot, "build_hash": row.build_hash or "", "built": row.built}
        connection.execute(insert(BUILDS), [build])


def find_version(connection: Connection, version: str, bot: str | None) -> VersionRow | None:
    """The version with this content hash; the same content may be kept under several ids, then ``bot`` says which."""
    joined = VERSIONS.outerjoin(BUILDS, and_(BUILDS.c.version == VERSIONS.c.version, BUILDS.c.bot == VERSIONS.c.bot))
    kept = connection.execute(select(VERSIONS.c.bot).where(VERSIONS.c.version == version)).scalars().all()
    if not kept or (bot is not None and bot not in kept):
        return None
    asked = select(VERSIONS, BUILDS.c.built, BUILDS.c.build_hash).select_from(joined)
    asked = asked.where(VERSIONS.c.version == version, VERSIONS.c.bot == (bot or min(kept)))
    row = connection.execute(asked).one()
    return VersionRow(
        row.bot, row.version, row.title, row.author, row.language, row.archive, row.built, row.build_hash or None
    )
