"""Submission: a bot's bytes become an immutable version in the store, and the version is entered in the season."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import sandbox
from harness.bots import Bot, bot_from_word, build
from harness.executors import run_folder
from harness.league.league_file import BotEntry, League, author_that_counts
from harness.store import Store

__all__ = ["Submission", "keep_version", "submit"]


@dataclass(frozen=True, slots=True)
class Submission:
    """What a submission did: ``round`` is the first with that version, ``changed`` is false if it was entered already.

    ``season`` is ``None`` where none runs.
    """

    bot: str
    version: str
    season: int | None
    round: int
    changed: bool


def submit(league: League, store: Store, word: str, base: Path) -> Submission:
    """Keep the bot that ``word`` names (a path relative to ``base``, or ``sample:NAME``) and enter it in the season.

    It plays from the next opening of a round. A bot of the league file keeps the id that it has there. The same bytes a
    second time change nothing. Where no season runs, the version is only kept: the next season enters the bots of the
    league file. ``BotError`` if the bot can't be used, ``LeagueFileError`` if it must be built and the league does not
    trust its bots.
    """
    bot = bot_from_word(word, base)
    entry = _entry_of(league, word, base)
    id_ = entry.name or bot.id
    keep_version(league, store, bot, id_, author_that_counts(entry, bot))
    row = store.season(league.name)
    if row is None or row.state == "ended":
        return Submission(id_, bot.version, None, 1, changed=False)
    opened = store.rounds(row.id)
    next_round = opened[-1].number + 1 if opened else 1
    if any(entry.bot == id_ and entry.version == bot.version for entry in store.entries(row.id, next_round)):
        return Submission(id_, bot.version, row.number, next_round, changed=False)
    next_round = store.enter(row.id, id_, bot.version, next_round)
    return Submission(id_, bot.version, row.number, next_round, changed=True)


def keep_version(league: League, store: Store, bot: Bot, id_: str, author: str | None) -> None:
    """Put a version into the store, built if it needs that; nothing happens if it is there."""
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
        id_,
        bot.version,
        manifest.title,
        author or "",
        manifest.language,
        bot.archive,
        None if built is None else built.archive,
        None if built is None else built.hash,
    )


def _entry_of(league: League, word: str, base: Path) -> BotEntry:
    """What the league file says of this bot: its entry there, or one that says nothing."""
    for entry in league.bots:
        if entry.word == word and word.startswith("sample:"):
            return entry
        if word.startswith("sample:") or entry.word.startswith("sample:"):
            continue
        if (league.path.parent / entry.word).resolve() == (base / word).resolve():
            return entry
    return BotEntry(word)
