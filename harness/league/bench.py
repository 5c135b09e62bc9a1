"""The bench: who must not play on before the organiser has looked, by its forfeits or by the matches lost with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from harness.errors import StoreError
from harness.league.events import BotBenched
from harness.league.league_file import League

if TYPE_CHECKING:
    from harness.store import EntryChange, SeasonRow, Store, VoidRow

__all__ = ["LOST", "bench", "culprits"]

LOST = "given up: a worker was lost in each of its three tries"
"""The reason of a match voided by the run itself; always the same words, since the results chain takes them in."""

_TOO_MANY = 2
"""Lost matches that bench the bot which they share."""


def bench(league: League, store: Store, row: SeasonRow, number: int) -> list[BotBenched]:
    """Bench, before round `number` opens, who has faulted too often or whom lost matches point to.

    What counts is what came since the bot was last let in: who lets it in again has looked.
    """
    changes = store.entry_changes(row.id)
    lost = [void for void in store.voids(row.id) if void.reason == LOST and not _settled(void, changes)]
    guilty = culprits([set(void.bots) for void in lost])
    entered = [entry.bot for entry in store.entries(row.id, number)]
    faulty: dict[str, int] = {}
    if league.max_forfeits is not None:
        since = {bot: _let_in(changes[bot], number) for bot in entered}
        faulty = _faulty(store, row, since, league.max_forfeits)
    benched: list[BotBenched] = []
    for bot in entered:
        if bot in faulty:
            reason = f"{faulty[bot]} forfeits, and the league allows {league.max_forfeits}"
        elif bot in guilty:
            reason = f"{guilty[bot]} matches with it were given up, since workers died of them"
        else:
            continue
        try:
            store.bench(row.id, bot, number)
        except StoreError:
            if store.entry_changes(row.id)[bot][-1].act != "disqualified":
                raise
            continue  # the organiser was faster
        benched.append(BotBenched(bot, number, reason))
    return benched


def _faulty(store: Store, row: SeasonRow, since: Mapping[str, int], most: int) -> dict[str, int]:
    """Of the bots of `since`, who has faulted more than `most` times from that round on, and how often."""
    # The season's total first: the faults of a bot are read one by one.
    suspects = [one.bot for one in store.standings(row.id) if one.faults > most and one.bot in since]
    counts = {bot: sum(fault.round >= since[bot] for fault in store.faults(row.id, bot)) for bot in suspects}
    return {bot: count for bot, count in counts.items() if count > most}


def culprits(lost: Sequence[Collection[str]]) -> dict[str, int]:
    """Whom lost matches, given by the bots of each, point to, with the number of those that it explains.

    It is the bot common to most of them, or several where they are equal. The matches that it sat in are explained and
    taken away, and the rest is looked at in the same way, as long as two of it share a bot.
    """
    found: dict[str, int] = {}
    left = [frozenset(bots) for bots in lost]
    while True:
        counts = Counter(bot for bots in left for bot in bots)
        most = max(counts.values(), default=0)
        if most < _TOO_MANY:
            return found
        worst = {bot for bot, count in counts.items() if count == most}
        found |= dict.fromkeys(worst, most)
        left = [bots for bots in left if not bots & worst]


def _settled(void: VoidRow, changes: Mapping[str, Sequence[EntryChange]]) -> bool:
    """Whether one of its bots was put out or let in since: then it is explained, or somebody has looked at it."""
    return any(
        change.from_round > void.round and change.act in ("benched", "disqualified", "let-in")
        for bot in void.bots
        for change in changes.get(bot, ())
    )


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
