"""The organiser's desk: who plays, who is let in or kept out from the next opening on, and matches that don't count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from harness.errors import BadInput, StoreError
from harness.league.bench import LOST
from harness.league.league_file import League
from harness.protocol import MatchName, visible

if TYPE_CHECKING:
    from harness.store import EntryChange, SeasonRow, Store

__all__ = [
    "DeskChange",
    "Disqualification",
    "ListedBot",
    "State",
    "VoidedMatch",
    "bench_bot",
    "disqualify_bot",
    "list_bots",
    "unbench_bot",
    "void_match",
    "withdraw_bot",
]

State = Literal["plays", "enters", "benched", "withdrawn", "disqualified"]
"""`enters` is a version that plays from an opening that is still to come."""

_MAX_REASON = 200
"""Characters of a reason: it stands in one line of the season's file and of a ladder's foot."""


@dataclass(frozen=True, slots=True)
class ListedBot:
    """A bot that was ever entered in a season: its newest version, and what it does since `since_round`.

    `since_season` is the season of that round: the next one where this one opens no more rounds. `faults` are those in
    the matches that count.
    """

    bot: str
    version: str
    title: str
    author: str
    state: State
    since_season: int
    since_round: int
    faults: int


@dataclass(frozen=True, slots=True)
class DeskChange:
    """What a bot does from the opening of `round` of `season` on."""

    bot: str
    version: str
    state: State
    season: int
    round: int


@dataclass(frozen=True, slots=True)
class VoidedMatch:
    """A match that counts no more. `counted` says that it did, so that what came after it was rated again.

    `later` is the number of the season after it, which keeps the ratings that it began with, None where there is none.
    """

    match: str
    reason: str
    counted: bool
    later: int | None


@dataclass(frozen=True, slots=True)
class Disqualification:
    """A bot that is disqualified from round `round` of `season` on; `voided` of its matches count no more.

    They are those of season `voided_in`.
    """

    bot: str
    season: int
    round: int
    voided: int
    voided_in: int


def list_bots(store: Store, row: SeasonRow) -> list[ListedBot]:
    """All bots that were ever entered in the season, by id."""
    next_round = store.next_round(row.id)
    faults = {standing.bot: standing.faults for standing in store.standings(row.id)}
    found = []
    for bot, changes in store.entry_changes(row.id).items():
        last = changes[-1]
        kept = store.version(last.version, bot)
        state, since = _state(changes, next_round)
        season, round_ = _placed(row, next_round, since)
        found.append(
            ListedBot(
                bot=bot,
                version=last.version,
                title="" if kept is None else kept.title,
                author="" if kept is None else kept.author,
                state=state,
                since_season=season,
                since_round=round_,
                faults=faults.get(bot, 0),
            )
        )
    return found


def bench_bot(league: League, store: Store, bot: str) -> DeskChange:
    """Keep a bot out from the next opening on, until it is let in again. StoreError where it is out already."""
    row, changes, next_round = _found(league, store, bot)
    if not changes[-1].plays:
        raise _out_already(row, changes)
    round_ = store.bench(row.id, bot, next_round)
    if round_ is None:
        return bench_bot(league, store, bot)  # the next season was announced in between: in that one
    return _changed(row, changes[-1].version, "benched", bot, round_)


def unbench_bot(league: League, store: Store, bot: str) -> DeskChange:
    """Let a benched or disqualified bot in again, with its newest version, from the next opening on.

    Its faults count anew; what was voided stays void. StoreError where nothing keeps it out, or it is withdrawn.
    """
    row, changes, next_round = _found(league, store, bot)
    state, since = _state(changes, next_round)
    if state == "withdrawn":
        raise StoreError(
            f"bot {bot} is withdrawn from season {row.number}, not benched; enter it again with `harness submit`"
        )
    if state not in ("benched", "disqualified"):
        does = "plays" if state == "plays" else "is entered"
        raise StoreError(f"bot {bot} is not benched: it {does} from round {since} of season {row.number} on")
    version = changes[-1].version
    round_ = store.enter(row.id, bot, version, next_round, pardon=True)
    if round_ is None:
        return unbench_bot(league, store, bot)
    return _changed(row, version, "enters", bot, round_)


def withdraw_bot(league: League, store: Store, bot: str) -> DeskChange:
    """Take a bot out from the next opening on; only a submission enters it again. StoreError where it is withdrawn."""
    row, changes, next_round = _found(league, store, bot)
    if changes[-1].act in ("withdrawn", "disqualified"):
        raise _out_already(row, changes)
    round_ = store.withdraw(row.id, bot, next_round)
    if round_ is None:
        return withdraw_bot(league, store, bot)
    return _changed(row, changes[-1].version, "withdrawn", bot, round_)


def disqualify_bot(league: League, store: Store, bot: str, reason: str) -> Disqualification:
    """Strike a bot off: it plays no more, and none of its matches in the newest season counts.

    Those of its opponents neither: what is void is void for the whole table, and what came after is rated again. It
    stays out, over seasons too, until it is let in again. StoreError where it is disqualified already, BadInput for a
    reason that can't stand in a line.
    """
    words = _reason(reason)
    row, changes, next_round = _found(league, store, bot)
    if changes[-1].act == "disqualified":
        raise _out_already(row, changes)
    done = store.disqualify(row.id, bot, next_round, f"{bot} is disqualified: {words}")
    if done is None:
        return disqualify_bot(league, store, bot, reason)  # the next season was announced in between: in that one
    round_, voided = done
    season, first = _placed(row, round_, round_)
    return Disqualification(bot, season, first, voided, row.number)


def void_match(league: League, store: Store, match: MatchName, reason: str) -> VoidedMatch:
    """Let a match count no more, played or not; what was rated after it is rated again.

    StoreError where there is no such match or it is void already, BadInput for a reason that can't stand in a line.
    """
    words = _reason(reason)
    if words == LOST:
        # By these words a run counts the workers that a bot has cost.
        raise BadInput(f"reason: {LOST!r} is what a run itself says of lost workers; say it in other words")
    row = store.season(league.name, match.season)
    if row is None:
        known = ", ".join(str(each.number) for each in store.seasons(league.name)) or "none"
        raise StoreError(f"match {match}: {league.name} has no season {match.season}; there are: {known}")
    counted = store.void(row.id, match.round, match.number, words)
    newest = store.season(league.name)
    later = row.number + 1 if newest is not None and newest.number > row.number else None
    return VoidedMatch(str(match), words, counted, later)


def _reason(reason: str) -> str:
    """The words of a reason in one line; BadInput where they can't stand there."""
    words = " ".join(reason.split())
    if not words:
        raise BadInput("reason: empty; say in a few words why")
    if len(words) > _MAX_REASON:
        raise BadInput(f"reason: {len(words)} characters; say it in {_MAX_REASON}")
    if visible(words) != words:
        raise BadInput(f"reason: {visible(words, 80)!r} holds what can't be seen; write plain words")
    return words


def _found(league: League, store: Store, bot: str) -> tuple[SeasonRow, Sequence[EntryChange], int]:
    """The newest season, what was done there with the bot, and the round that opens next."""
    row = store.season(league.name)
    if row is None:
        raise StoreError(
            f"{visible(league.path.name)}: no season of {league.name} has been announced; begin with harness run-league"
        )
    known = store.entry_changes(row.id)
    if bot not in known:
        raise StoreError(f"no bot {visible(bot, 60)!r} in season {row.number}; there are {', '.join(known)}")
    return row, known[bot], store.next_round(row.id)


def _state(changes: Sequence[EntryChange], next_round: int) -> tuple[State, int]:
    """What the bot does with its newest version, and the first round of the unbroken stretch in which it does."""
    last = changes[-1]
    doing = "" if last.plays else last.act
    since = last.from_round
    for change in reversed(changes):
        if change.version != last.version or ("" if change.plays else change.act) != doing:
            break
        since = change.from_round
    if last.act == "benched" or last.act == "withdrawn" or last.act == "disqualified":
        return last.act, since
    return "plays" if since < next_round else "enters", since


def _over(row: SeasonRow, next_round: int) -> bool:
    """Whether no round of the season is still to be opened."""
    return row.state == "ended" or next_round > row.rounds_planned


def _placed(row: SeasonRow, next_round: int, round_: int) -> tuple[int, int]:
    """The season and the round in which what is written for `round_` takes effect."""
    return (row.number + 1, 1) if round_ >= next_round and _over(row, next_round) else (row.number, round_)


def _changed(row: SeasonRow, version: str, state: State, bot: str, round_: int) -> DeskChange:
    season, first = _placed(row, round_, round_)
    return DeskChange(bot, version, state, season, first)


def _out_already(row: SeasonRow, changes: Sequence[EntryChange]) -> StoreError:
    last = changes[-1]
    return StoreError(f"bot {last.bot} is {last.act} already, from round {last.from_round} of season {row.number} on")
