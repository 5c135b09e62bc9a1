"""The opening of a round: who is entered, what is known of them, and which fixtures it has."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.game import match_seed, season_seed
from harness.league.entrant import Entrant
from harness.league.formats import Field, Past, Refusal, format_named, new_field
from harness.league.league_file import League
from harness.ratings import carried_over
from harness.referee import Fixture, Seat

if TYPE_CHECKING:
    from harness.store import Entry, SeasonRow, Store

__all__ = ["entered_bots", "open_round"]


def open_round(
    league: League, entrants: Sequence[Entrant], store: Store, row: SeasonRow, number: int, past: Past
) -> Refusal | None:
    """Fix the fixtures of round `number` in the store, in one transaction with all that its opening changes.

    Where those entered can't be paired nothing is written, and the answer is why. `past` is that of the season as far
    as the caller has it; it is brought up to date where the format asks for more than who is entered.
    """
    while True:
        entries = store.entries(row.id, number)
        entered = entered_bots(store, {entrant.id: entrant.author for entrant in entrants}, entries)
        refused = format_named(league.format).refusal(entered, league.seats, league.format_options, row.divisions)
        if refused is not None:
            # The file may not change during a season, so only these ways are left.
            return Refusal(refused.reason, _ways_on(league, store, row, refused, len(entered)))
        if _opened(league, entries, _field(league, store, row, entered, entries, past, number), store, row, number):
            return None
        # A submission came in between: pair anew.


def _opened(league: League, entries: Sequence[Entry], field: Field, store: Store, row: SeasonRow, number: int) -> bool:
    pairs = sorted((entry.bot, entry.version) for entry in entries)
    before = sorted((entry.bot, entry.version) for entry in store.entries(row.id, number - 1)) if number > 1 else []
    first = season_seed(row.secret, pairs) if number == 1 else None
    seed = first if row.season_seed is None else row.season_seed
    assert seed is not None, "round 1 sets the season's seed"
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
            bounds=league.sandbox.bounds,
            seats=tuple(Seat(bot, versions[bot]) for bot in table),
            names_shown=league.names_shown,
        )
        for place, table in enumerate(
            format_named(league.format).tables(field, number, league.seats, seed, league.format_options), start=1
        )
    ]
    line: dict[str, Any] = {"round": number, "entries": [list(pair) for pair in pairs]}
    return store.open_round(row.id, number, fixtures, line if pairs != before else None, first, entries)


def _field(
    league: League,
    store: Store,
    row: SeasonRow,
    entered: Sequence[Entrant],
    entries: Sequence[Entry],
    past: Past,
    number: int,
) -> Field:
    """What the format pairs from: the ratings after all rounds before, and who has sat where with whom."""
    start = row.parameters.start
    if not format_named(league.format).needs_past:
        return new_field(entered, start, row.divisions)
    for round_, tables in store.tables(row.id, past.rounds).items():
        past.add_round([entry.bot for entry in store.entries(row.id, round_)], tables)
    assert past.rounds == number - 1, "a round is paired when all before it are there"
    ratings, rated = store.ratings(row.id), store.rated_versions(row.id)
    for entry in entries:
        if entry.bot in ratings and rated[entry.bot] != entry.version:
            # As its first match will widen it: a new version is less well known.
            ratings[entry.bot] = carried_over(row.parameters, ratings[entry.bot], changed=True)
    return past.field(entered, ratings, start, row.divisions)


def _ways_on(league: League, store: Store, row: SeasonRow, refused: Refusal, entered: int) -> str:
    """The commands that let the season go on when a bot is missing, too few are entered, or too many of one author."""
    file = str(league.path)
    out = {bot: changes[-1].act for bot, changes in store.entry_changes(row.id).items() if not changes[-1].plays}
    if refused.missing is not None:
        kept_out = out.get(refused.missing) in ("benched", "disqualified")
        words = ("bots", file, "unbench", refused.missing) if kept_out else ("submit", file)
        return f"let it in again with `{shlex.join(('harness', *words))}{'' if kept_out else ' BOT'}`"
    ways = [f"enter other bots with `{shlex.join(('harness', 'submit', file))} BOT`"]
    if entered >= max(league.seats):
        ways.insert(0, f"withdraw some with `{shlex.join(('harness', 'bots', file, 'withdraw'))} BOT`")
    benched = [bot for bot, act in out.items() if act in ("benched", "disqualified")]
    if benched:
        command = shlex.join(("harness", "bots", file, "unbench", benched[0]))
        ways.insert(0, f"let a {out[benched[0]]} bot in again with `{command}`")
    return " or ".join(ways)


def entered_bots(store: Store, authors: Mapping[str, str | None], entries: Sequence[Entry]) -> list[Entrant]:
    """Those entered, as pairing sees them: `authors` are those that the league file names, else submission did."""
    found = []
    for entry in entries:
        if entry.bot in authors:
            author = authors[entry.bot]
        else:
            kept = store.version(entry.version, entry.bot)
            author = None if kept is None else kept.author or None
        found.append(Entrant(entry.bot, author))
    return found
