"""Who is in a season: a bot's id, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from harness.bots import Bot

__all__ = ["Entrant", "LoadedEntrant"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a season by its id in the league; `author` None is nobody's, and two of nobody's may meet."""

    id: str
    author: str | None


@dataclass(frozen=True, slots=True)
class LoadedEntrant(Entrant):
    """An entrant that the league file names, with its bot as read from there."""

    bot: Bot
