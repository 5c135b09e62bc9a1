"""Which season a run plays: it is announced, or found, and found to be what it was when it was announced."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.bots import is_sample
from harness.game import commitment, seed_from_text
from harness.league.divisions import next_divisions
from harness.league.entrant import LoadedEntrant
from harness.league.events import DivisionsDrawn, Event, SeasonAnnounced, SeasonEnded, SeasonResumed
from harness.league.league_file import League
from harness.league.tables import official_table_of
from harness.league.versions import keep_version
from harness.protocol import SEASON_FORMAT
from harness.ratings import Rating, carried_over

if TYPE_CHECKING:
    from harness.executors import StopSignal
    from harness.store import Act, Entry, EntryChange, SeasonRow, Store

__all__ = ["announce", "season_to_play"]


def season_to_play(
    league: League,
    entrants: Sequence[LoadedEntrant],
    store: Store,
    number: int | None,
    new: bool,
    tell: Callable[[Event], None],
    *,
    follow: bool = False,
    stop: StopSignal | None = None,
) -> SeasonRow:
    """Find or announce the season that a run plays; see `run_league` for what `number`, `new` and `follow` choose.

    `Interrupted` where `stop` turns true while a bot is built.
    """
    practice = league.seed is not None
    newest = store.season(league.name)
    row = newest if number is None else store.season(league.name, number)
    if number is not None and row is None:
        has = f"the newest is {newest.number}" if newest is not None else "none has been announced"
        raise league.refusal(f"there is no season {number}: {has}; leave --season out to play the newest")
    if follow and row is not None and newest is not None and row.number < newest.number:
        raise league.refusal(
            f"season {row.number} is over, and --follow goes on with the newest, {newest.number}; leave --season out"
        )
    if row is not None and not new and not (follow and row.state == "ended"):
        if row.state != "ended":
            _check_unchanged(league, entrants, store, row)
            played = sum(each.stored for each in store.rounds(row.id))
            tell(SeasonResumed(league.name, row.number, row.rounds_planned, row.commitment, practice, played))
        return row
    cut_short = row is not None and row.state != "ended"
    if row is not None and cut_short:
        store.end_season(row.id)
        tell(SeasonEnded(league.name, row.number, row.secret, complete=False))
        row = store.season(league.name, row.number)
    announced = announce(league, entrants, store, row, tell, follow=follow and not new, cut_short=cut_short, stop=stop)
    if announced is not None:
        return announced
    # A submission has announced it: it is found now.
    return season_to_play(league, entrants, store, None, False, tell, follow=follow, stop=stop)


def announce(
    league: League,
    entrants: Sequence[LoadedEntrant],
    store: Store,
    before: SeasonRow | None,
    tell: Callable[[Event], None],
    *,
    follow: bool = False,
    cut_short: bool = False,
    stop: StopSignal | None = None,
) -> SeasonRow | None:
    """Announce the season after `before`, with the bots of the league file and those submitted to the one before.

    None if somebody else has announced it meanwhile.

    A bot keeps its μ, its σ widens. The secret is drawn here, or stands for the seed that the league states. `follow`
    says that a run goes on to it by itself: bots that were benched or withdrawn then stay that. Else those do whom the
    organiser put out when no round was to be opened any more, which was meant for this season; so it is of nobody where
    the one before is `cut_short` for it. `Interrupted` where
    `stop` turns true, or SIGINT, SIGTERM or SIGHUP comes if it is not given, while a bot is built.
    """
    number = 1 if before is None else before.number + 1
    secret = secrets.token_hex(16) if league.seed is None else seed_from_text(league.seed)
    promise = commitment(secret)
    for entrant in entrants:
        keep_version(league, store, entrant.bot, entrant.id, entrant.author, stop)
    config = {
        **league.config(),
        "bots": sorted(entrant.id for entrant in entrants),
        "authors": {entrant.id: entrant.author for entrant in sorted(entrants, key=lambda one: one.id)},
        "anchors": _anchors(league, entrants),
    }
    row = None
    while row is None:
        # Anew where a submission, or the desk, came in between.
        newest = store.season(league.name)
        if newest is not None and newest.number >= number:
            return None
        known = {} if before is None else store.entry_changes(before.id)
        opened = 0 if before is None else store.next_round(before.id) - 1
        last_opening = opened if before is None or not cut_short else before.rounds_planned
        entries, out = _entered(entrants, before, known, follow, last_opening)
        carried = {} if before is None else _carried(league, store.ratings(before.id), known, entries)
        playing = [entry.bot for entry in entries if entry.bot not in out]
        row = store.announce_season(
            league.name,
            number,
            config,
            secret,
            promise,
            _header(
                league,
                number,
                promise,
                anchors=config["anchors"],
                divisions=_divisions(league, store, before, opened, playing),
                starts=_brought(carried, entries),
            ),
            rounds_planned=league.rounds,
            entries=entries,
            out=out,
            ratings=carried,
            known=known,
        )
    tell(SeasonAnnounced(league.name, row.number, row.rounds_planned, row.commitment, league.seed is not None))
    if row.divisions:
        tell(_drawn(row, {} if before is None else before.divisions))
    return row


def _drawn(row: SeasonRow, before: Mapping[str, int]) -> DivisionsDrawn:
    listed: list[list[str]] = row.header["divisions"]
    moved = {bot: division - before[bot] for bot, division in sorted(row.divisions.items()) if bot in before}
    return DivisionsDrawn(
        season=row.number,
        divisions=tuple(tuple(bots) for bots in listed),
        up=tuple(bot for bot, by in moved.items() if by < 0),
        down=tuple(bot for bot, by in moved.items() if by > 0),
    )


def _header(league: League, number: int, promise: str, **told: list[Any]) -> dict[str, Any]:
    """The first line of the season's file; of what is `told` besides, that of which there is something to tell."""
    return {
        "format": SEASON_FORMAT,
        "league": league.name,
        "season": number,
        "edition": league.edition.to_json(),
        "pairing": league.format,
        "seats": list(league.seats),
        "games": league.games,
        "limits": league.limits.to_json(),
        "rating": league.rating.to_json(),
        "commitment": promise,
        **{name: listed for name, listed in told.items() if listed},
    }


def _anchors(league: League, entrants: Sequence[LoadedEntrant]) -> list[str]:
    """The ids of the bots that the league file makes anchors, sorted."""
    return sorted(entrant.id for entry, entrant in zip(league.bots, entrants, strict=True) if entry.anchor)


def _brought(carried: Mapping[str, Rating], entries: Sequence[Entry]) -> list[list[str]]:
    """The ratings that a season begins with, as its header shows them: bot, version, μ and σ, by bot."""
    versions = {entry.bot: entry.version for entry in entries}
    return [[bot, versions[bot], repr(rating.mu), repr(rating.sigma)] for bot, rating in sorted(carried.items())]


def _divisions(
    league: League, store: Store, before: SeasonRow | None, opened: int, playing: Sequence[str]
) -> list[list[str]]:
    """The divisions of the next season, by the official table of the one before; none where the format has none.

    Of a season that was cut short, with fewer rounds `opened` than planned, nobody is promoted or relegated.
    """
    if before is None or league.format != "divisions":
        return []
    options = league.format_options
    move = options["move"] if opened >= before.rounds_planned else 0
    found = next_divisions(
        official_table_of(store, before), before.divisions, playing, options["count"], move, max(league.seats)
    )
    return found if len(found) > 1 else []


def _entered(
    entrants: Sequence[LoadedEntrant],
    before: SeasonRow | None,
    known: Mapping[str, Sequence[EntryChange]],
    follow: bool,
    last_opening: int,
) -> tuple[list[Entry], dict[str, Act]]:
    """Who is entered from the first round on, and what keeps some of them out, by what was done in the season before.

    Kept out is who was put out there or, unless the run follows, behind its last opening, and whoever is disqualified.
    Those who can be let in again are entered in any case; withdrawn ones that the league file does not name are gone.
    """
    # Only now: verifying a season file or planning a league needs no database.
    from harness.store import Entry

    versions = {entrant.id: entrant.bot.version for entrant in entrants}
    out: dict[str, Act] = {}
    for bot, changes in known.items():
        assert before is not None, "what is known was done in the season before"
        last = changes[-1]
        if last.plays:
            if bot not in before.config["bots"]:
                versions.setdefault(bot, last.version)
        elif follow or last.act == "disqualified" or last.from_round > last_opening:
            if last.act in ("benched", "disqualified"):
                versions.setdefault(bot, last.version)
            if bot in versions:
                out[bot] = last.act
    return [Entry(bot, version) for bot, version in sorted(versions.items())], out


def _carried(
    league: League,
    ratings: Mapping[str, Rating],
    known: Mapping[str, Sequence[EntryChange]],
    entries: Sequence[Entry],
) -> dict[str, Rating]:
    """What the ratings of the season before are worth in the next, by bot, of those entered there."""
    return {
        entry.bot: carried_over(
            league.rating,
            ratings[entry.bot],
            changed=entry.bot not in known or known[entry.bot][-1].version != entry.version,
        )
        for entry in entries
        if entry.bot in ratings
    }


def _check_unchanged(league: League, entrants: Sequence[LoadedEntrant], store: Store, row: SeasonRow) -> None:
    """Refuse to go on with a season whose league file, bots or bots' bytes are not those that it began with."""
    way_out = "or begin another season with --new-season"
    now = league.config()
    then = {key: value for key, value in row.config.items() if key not in ("bots", "authors")}
    # A season that was announced before there were official tables kept no anchors.
    if "anchors" in then:
        now = {**now, "anchors": _anchors(league, entrants)}
    if now != then:
        changed = sorted(key for key in now.keys() | then.keys() if now.get(key) != then.get(key))
        raise league.refusal(f"{', '.join(changed)} changed during season {row.number}; put it back, {way_out}")
    for entrant in entrants:
        # Who is kept apart from whom is part of the pairings.
        if row.config["authors"].get(entrant.id, entrant.author) != entrant.author:
            raise league.refusal(
                f"the author of bot {entrant.id} changed during season {row.number}; put it back, {way_out}"
            )
    newest = {bot: changes[-1] for bot, changes in store.entry_changes(row.id).items()}
    for entry, entrant in zip(league.bots, entrants, strict=True):
        last = newest.get(entrant.id)
        if last is not None and (last.version == entrant.bot.version or last.act in ("withdrawn", "disqualified")):
            continue  # one that is out for good plays no more, whatever stands in its folder
        what = "is not entered in" if last is None else "is no longer the version entered in"
        word = entry.word if is_sample(entry.word) else str(league.path.parent / entry.word)
        command = shlex.join(("harness", "submit", str(league.path), word))
        raise league.refusal(f"bot {entrant.id} {what} season {row.number}; enter it with `{command}`, {way_out}")
    there = {entrant.id for entrant in entrants}
    next_round = store.next_round(row.id)
    entered = {entry.bot for entry in store.entries(row.id, next_round)}
    for bot in row.config["bots"]:
        if bot not in there and bot in entered:
            command = shlex.join(("harness", "bots", str(league.path), "withdraw", bot))
            withdraw = f"withdraw it with `{command}`, " if next_round <= row.rounds_planned else ""
            raise league.refusal(
                f"bot {bot} plays in season {row.number} and is gone from the file; put it back, {withdraw}{way_out}"
            )
