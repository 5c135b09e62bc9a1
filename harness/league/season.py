"""Which season a run plays: it is announced, or found, and found to be what it was when it was announced."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from harness.bots import is_sample
from harness.game import commitment, seed_from_text
from harness.league.entrant import LoadedEntrant
from harness.league.events import Event, SeasonAnnounced, SeasonEnded, SeasonResumed
from harness.league.league_file import League
from harness.league.versions import keep_version
from harness.protocol import SEASON_FORMAT
from harness.ratings import Rating, carried_over

if TYPE_CHECKING:
    from harness.executors import StopSignal
    from harness.store import Act, SeasonRow, Store

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
            _keep_out(store, row)
            _check_unchanged(league, entrants, store, row)
            played = sum(each.stored for each in store.rounds(row.id))
            tell(SeasonResumed(league.name, row.number, row.rounds_planned, row.commitment, practice, played))
        return row
    if row is not None and row.state != "ended":
        store.end_season(row.id)
        tell(SeasonEnded(league.name, row.number, row.secret, complete=False))
    return announce(league, entrants, store, row, tell, unseen=not new, stop=stop)


def announce(
    league: League,
    entrants: Sequence[LoadedEntrant],
    store: Store,
    before: SeasonRow | None,
    tell: Callable[[Event], None],
    *,
    unseen: bool = False,
    stop: StopSignal | None = None,
) -> SeasonRow:
    """Announce the season after `before`, with the bots of the league file and those submitted to the one before.

    A bot keeps its μ, its σ widens. The secret is drawn here, or stands for the seed that the league states. `unseen`
    says that a run announces it by itself: bots that were benched or withdrawn then stay that. Else those do whom the
    organiser put out when no round was to be opened any more, which was meant for this season. `Interrupted` where
    `stop` turns true, or SIGINT, SIGTERM or SIGHUP comes if it is not given, while a bot is built.
    """
    # Only now: verifying a season file or planning a league needs no database.
    from harness.store import Entry

    number = 1 if before is None else before.number + 1
    secret = secrets.token_hex(16) if league.seed is None else seed_from_text(league.seed)
    promise = commitment(secret)
    for entrant in entrants:
        keep_version(league, store, entrant.bot, entrant.id, entrant.author, stop)
    entries = {entrant.id: entrant.bot.version for entrant in entrants}
    carried: dict[str, Rating] = {}
    last: dict[str, str] = {}
    out: dict[str, Act] = {}
    if before is not None:
        last = _entered_last(store, before)
        named = before.config["bots"]
        entries |= {bot: version for bot, version in last.items() if bot not in entries and bot not in named}
        out = _out_last(store, before, entries, unseen)
        versions = store.newest_versions(before.id)
        for bot, rating in store.ratings(before.id).items():
            if bot in entries:
                carried[bot] = carried_over(league.rating, rating, changed=versions.get(bot) != entries[bot])
    header = {
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
    }
    row = store.announce_season(
        league.name,
        number,
        {
            **league.config(),
            "bots": sorted(entrant.id for entrant in entrants),
            "authors": {entrant.id: entrant.author for entrant in sorted(entrants, key=lambda one: one.id)},
            **({"out": out} if out else {}),
        },
        secret,
        promise,
        header,
        rounds_planned=league.rounds,
        entries=[Entry(bot, version) for bot, version in sorted(entries.items())],
        ratings=carried,
    )
    _keep_out(store, row)
    if before is not None:
        for bot, version in _entered_last(store, before).items():
            # Submitted since they were read, to a season that had ended by then.
            if last.get(bot) != version:
                store.enter(row.id, bot, version, 1)
    tell(SeasonAnnounced(league.name, row.number, row.rounds_planned, row.commitment, league.seed is not None))
    return row


def _entered_last(store: Store, row: SeasonRow) -> dict[str, str]:
    """By bot, the versions that would play if the season had one round more."""
    return {entry.bot: entry.version for entry in store.entries(row.id, store.next_round(row.id))}


def _out_last(store: Store, row: SeasonRow, entries: dict[str, str], unseen: bool) -> dict[str, Act]:
    """What keeps bots out that were put out in the season, or, unless `unseen`, behind its last opening.

    Those on the bench are added to `entries`, so that they can be let in; withdrawn ones that are not there are gone.
    """
    out: dict[str, Act] = {}
    for bot, changes in store.entry_changes(row.id).items():
        last = changes[-1]
        if last.plays or not (unseen or last.from_round > row.rounds_planned):
            continue
        if last.act == "benched":
            entries.setdefault(bot, last.version)
        if bot in entries:
            out[bot] = last.act
    return out


def _keep_out(store: Store, row: SeasonRow) -> None:
    """Put those out whom the season's announcement kept out, unless that was done, or undone, already.

    A step of its own behind the announcement, which may have been killed in between.
    """
    out: dict[str, Act] = row.config.get("out", {})
    changes = store.entry_changes(row.id) if out else {}
    for bot, act in out.items():
        if [change.act for change in changes[bot]] == ["entered"]:
            (store.bench if act == "benched" else store.withdraw)(row.id, bot, 1)


def _check_unchanged(league: League, entrants: Sequence[LoadedEntrant], store: Store, row: SeasonRow) -> None:
    """Refuse to go on with a season whose league file, bots or bots' bytes are not those that it began with."""
    way_out = "or begin another season with --new-season"
    now: dict[str, Any] = league.config()
    then = {key: value for key, value in row.config.items() if key not in ("bots", "authors", "out")}
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
        if last is not None and (last.version == entrant.bot.version or last.act == "withdrawn"):
            continue  # one that was withdrawn plays no more, whatever stands in its folder
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
