"""A bot's bytes in the store: an immutable version, built if it needs that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bots import Bot
from harness.executors import StopSignal, build_apart, run_folder
from harness.league.league_file import League

if TYPE_CHECKING:
    from harness.store import Store

__all__ = ["keep_version"]


def keep_version(
    league: League, store: Store, bot: Bot, id_: str, author: str | None, stop: StopSignal | None = None
) -> None:
    """Put a version into the store, built if it needs that; nothing happens if it is there.

    A build ends, and `Interrupted` is raised, once `stop` is true; on SIGINT, SIGTERM and SIGHUP if it is not given.
    """
    # Only now: verifying a season file or planning a league needs no database.
    from harness.store import VersionRow

    if store.version(bot.version, id_) is not None:
        return
    manifest = bot.manifest
    built = None
    if manifest.build is not None:
        # Refuses without trust: a build runs what its author wrote.
        backend = league.require_backend()
        with run_folder(backend) as folder:
            built = build_apart(bot, backend, scratch=folder, stop=stop)
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
