"""The opening of a round: who is benched before it, who is entered, and which fixtures it has."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.game import match_seed, season_seed
from harness.league.entrant import Entrant
from harness.league.events import BotBenched
from harness.league.formats import format_named
from harness.league.league_file import League
from harness.referee import Fixture, Seat

if TYPE_CHECKING:
    from harness.store import Entry, EntryChange, SeasonRow, Store

__all__ = ["LOST", "bench", "open_round"]

LOST = "given up: a worker was lost in each of its three tries"
"""The reason of a match voided by the run itself; always the same words, since the results chain takes them in."""

_MOST_LOST = 1
"""Matches given up that a bot may have sat in; a second one benches it."""


def bench(league: League, store: Store, row: SeasonRow, number: int) -> list[BotBenched]:
    """Bench, before round `number` opens, who has faulted too often or sat where workers were lost.

    What counts is what came since the bot was last let in: who lets it in again has looked.
    """
    totals = {standing.bot: standing.faults for standing in store.standings(row.id)}
    lost = [void for void in store.voids(row.id) if void.reason == LOST]
    changes = store.entry_changes(row.id)
    benched: list[BotBenched] = []
    for entry in store.entries(row.id, number):
        bot = entry.bot
        gave_up = [void.round for void in lost if bot in void.bots]
        forfeited = league.max_forfeits is not None and totals.get(bot, 0) > league.max_forfeits
        if not forfeited and len(gave_up) <= _MOST_LOST:
            continue
        since = _let_in(changes[bot], number)
        faults = sum(fault.round >= since for fault in store.faults(row.id, bot)) if forfeited else 0
        losses = sum(round_ >= since for round_ in gave_up)
        if league.max_forfeits is not None and faults > league.max_forfeits:
            reason = f"{faults} forfeits, and the league allows {league.max_forfeits}"
        elif losses > _MOST_LOST:
            reason = f"{losses} matches with it were given up, since workers died of them"
        else:
            continue
        store.bench(row.id, bot, number)
        benched.append(BotBenched(bot, number, reason))
    return benched


def _let_in(changes: Sequence[EntryChange], number: int) -> int:
    """From which round on the bot that plays in round `number` was last let in, or entered at all."""
    since, plays = 1, False
    for change in changes:
        if change.from_round > number:
            break
        # Let in before it missed a round (its bench and its return are of one opening): that counts too.
        if change.plays and (change.act == "let-in" or not plays):
            since = change.from_round
        plays = change.plays
    return since


def open_round(league: League, entrants: Sequence[Entrant], store: Store, row: SeasonRow, number: int) -> None:
    """Fix the fixtures of round `number` in the store, in one transaction with all that its opening changes.

    `LeagueFileError` if those entered can't be paired any more.
    """
    while not _opened(league, entrants, store, row, number):
        pass  # a submission came in between: pair anew


def _opened(league: League, entrants: Sequence[Entrant], store: Store, row: SeasonRow, number: int) -> bool:
    entries = store.entries(row.id, number)
    pairs = sorted((entry.bot, entry.version) for entry in entries)
    before = sorted((entry.bot, entry.version) for entry in store.entries(row.id, number - 1)) if number > 1 else []
    first = season_seed(row.secret, pairs) if number == 1 else None
    seed = first if row.season_seed is None else row.season_seed
    assert seed is not None, "round 1 sets the season's seed"
    entered = _entered(store, entrants, entries)
    format_ = format_named(league.format)
    impossible = format_.refusal(entered, league.seats, league.format_options)
    if impossible is not None:
        # The file may not change during a season, so only these ways are left.
        raise league.refusal(
            f"round {number} of season {row.number} can't be paired: {impossible.reason}; "
            f"{_way_back(league, store, row)}enter other bots with `harness submit`, or begin another season with "
            f"--new-season"
        )
    versions = dict(pairs)
    fixtures = [
        Fixture(
            league=league.name,
            season=row.number,
            round=number,
            number=place,
            seed=match_seed(seed, row.number, number, place),
            edition=league.edition,
            games=league.games,
            limits=league.limits,
            seats=tuple(Seat(bot, versions[bot]) for bot in table),
            names_shown=league.names_shown,
        )
        for place, table in enumerate(
            format_.tables(entered, number, league.seats, seed, league.format_options), start=1
        )
    ]
    line: dict[str, Any] = {"round": number, "entries": [list(pair) for pair in pairs]}
    return store.open_round(row.id, number, fixtures, line if pairs != before else None, first, entries)


def _way_back(league: League, store: Store, row: SeasonRow) -> str:
    """The command that lets a benched bot in again, as the beginning of a list of ways; nothing where none is."""
    benched = [bot for bot, changes in store.entry_changes(row.id).items() if changes[-1].act == "benched"]
    if not benched:
        return ""
    command = shlex.join(("harness", "bots", str(league.path), "unbench", benched[0]))
    return f"let a benched bot in again with `{command}`, "


def _entered(store: Store, entrants: Sequence[Entrant], entries: Sequence[Entry]) -> list[Entrant]:
    """Those entered, as pairing sees them; the league file says whose a bot is, else its submission did."""
    authors = {entrant.id: entrant.author for entrant in entrants}
    found = []
    for entry in entries:
        if entry.bot in authors:
            author = authors[entry.bot]
        else:
            kept = store.version(entry.version, entry.bot)
            author = None if kept is None else kept.author or None
        found.append(Entrant(entry.bot, author))
    return found
