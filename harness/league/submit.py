"""Submission: a bot's bytes become an immutable version in the store, and the version is entered in the season."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.bots import bot_from_word, is_sample
from harness.league.entrant import Entrant
from harness.league.events import Event
from harness.league.formats import format_named
from harness.league.league_file import League, author_that_counts
from harness.league.opening import entered_bots
from harness.league.season import announce
from harness.league.sections import BotEntry
from harness.league.versions import keep_version

if TYPE_CHECKING:
    from harness.store import Entry, SeasonRow, Store

__all__ = ["Submission", "submit"]


@dataclass(frozen=True, slots=True)
class Submission:
    """What a submission did: `season` and `round` are the first with that version, `changed` if it is new there."""

    bot: str
    version: str
    season: int
    round: int
    changed: bool


def submit(league: League, store: Store, word: str, base: Path, tell: Callable[[Event], None]) -> Submission:
    """Keep the bot that `word` names (a path relative to `base`, or `sample:NAME`) and enter it in the season.

    It plays from the next opening of a round, after the end of a season from the beginning of the next. Where no season
    was ever announced, the first one is. A bot of the league file keeps the id that it has there. The same bytes a
    second time change nothing. `BotError` if the bot can't be used, `LeagueFileError` if it must be built and the
    league does not trust its bots, or if with it those entered could not be paired any more.
    """
    bot = bot_from_word(word, base)
    entry = _entry_of(league, word, base)
    id_ = entry.name or bot.id
    author = author_that_counts(entry, bot)
    keep_version(league, store, bot, id_, author)
    row = store.season(league.name) or announce(league, league.load_bots(), store, None, tell)
    if row is None:
        # Somebody else has announced the first season in between.
        return submit(league, store, word, base, tell)
    _check_not_disqualified(league, store, row, id_)
    next_round = store.next_round(row.id)
    there = store.entries(row.id, next_round)
    entered = {entry.bot: entry.version for entry in there}
    changed = entered.get(id_) != bot.version
    if changed:
        if id_ not in entered:
            _check_pairable(league, store, row, there, Entrant(id_, author))
        first = store.enter(row.id, id_, bot.version, next_round)
        if first is None:
            # A run has announced the next season in between: it is entered there.
            return submit(league, store, word, base, tell)
        next_round = first
    if row.state == "ended" or next_round > row.rounds_planned:
        return Submission(id_, bot.version, row.number + 1, 1, changed)
    return Submission(id_, bot.version, row.number, next_round, changed)


def _check_not_disqualified(league: League, store: Store, row: SeasonRow, bot: str) -> None:
    changes = store.entry_changes(row.id).get(bot)
    if changes and changes[-1].act == "disqualified":
        command = shlex.join(("harness", "bots", str(league.path), "unbench", bot))
        raise league.refusal(f"bot {bot} is disqualified; the organiser can let it in again with `{command}`")


def _check_pairable(league: League, store: Store, row: SeasonRow, there: Sequence[Entry], one: Entrant) -> None:
    """Refuse who would halt the league for all: an author with more bots than can be kept apart.

    Divisions don't count, since a newcomer is in none, and the next season cuts the field anew. Where there are too few
    bots for a table, one more does no harm.
    """
    entrants = [*entered_bots(store, row.config["authors"], there), one]
    if len(entrants) < max(league.seats):
        return
    refused = format_named(league.format).refusal(entrants, league.seats, league.format_options)
    if refused is not None:
        raise league.refusal(f"bot {one.id} can't be entered: {refused}")


def _entry_of(league: League, word: str, base: Path) -> BotEntry:
    """What the league file says of this bot: its entry there, or one that says nothing."""
    for entry in league.bots:
        if entry.word == word and is_sample(word):
            return entry
        if is_sample(word) or is_sample(entry.word):
            continue
        if (league.path.parent / entry.word).resolve() == (base / word).resolve():
            return entry
    return BotEntry(word)
