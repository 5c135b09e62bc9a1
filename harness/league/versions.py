"""A bot's bytes in the store: an immutable version, built if it needs that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sandbox
from harness.bots import Bot, build
from harness.executors import run_folder
from harness.league.league_file import League

if TYPE_CHECKING:
    from harness.store import Store

__all__ = ["keep_version"]


def keep_version(league: League, store: Store, bot: Bot, id_: str, author: str | None) -> None:
    """Put a version into the store, built if it needs that; nothing happens if it is there."""
    # Only now: verifying a season file or planning a league needs no database.
    from harness.store import VersionRow

    if store.version(bot.version, id_) is not None:
        return
    manifest = bot.manifest
    built = None
    if manifest.build is not None:
        # Refuses without trust: a build runs what its author wrote.
        backend = sandbox.backend(league.require_backend())
        with run_folder() as folder:
            built = build(bot, within=backend, scratch=folder)
    store.add_version(
        VersionRow(
            id_,
            bot.version,
            manifest.title,
            author or "",
            manifest.language,
            bot.archive,
            None if built is None else built.archive,
            None if built is None else built.hash,
        )
    )
