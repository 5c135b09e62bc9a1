"""Win shares of a field of sample bots: as records have them, and as the strategies of the second implementation play.

A win share is in percent: the winners of a game share 100, so an average bot at a table of four has 25.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

from tests.second.rules import Edition, Event, GameOver, Question, Table, shake
from tests.second.strategies import turn

Record = dict[str, Any]
Shares = dict[str, float]


def bots_of(record: Record) -> list[str]:
    return [seat["bot"] for seat in record["seats"]]


def other_decisions(record: Record) -> Iterator[str]:
    """Every turn of a record that the strategies decide otherwise."""
    edition, seed, bots = record["edition"], record["seed"], bots_of(record)
    for event in Table(edition, seed, len(bots)).play([game["expeditions"] for game in record["games"]]):
        if isinstance(event, Question):
            due = turn(edition, seed, bots, event)
            if due != event.letters:
                where = f"{record['match']}, game {event.game}, expedition {event.expedition}, turn {event.turn}"
                yield f"{where}: {event.letters}, not {due}, of {' '.join(bots)} at {event}"


def record_shares(record: Record) -> Shares:
    """By bot, over the games of a record, as its turns come to by the second implementation of the rules."""
    bots = bots_of(record)
    table = Table(record["edition"], record["seed"], len(bots))
    return _shares(bots, table.play([game["expeditions"] for game in record["games"]]))


def played_shares(edition: Edition, seed: str, bots: list[str], games: int) -> Shares:
    """By bot, over games that the second implementation plays on its own."""
    table = Table(edition, seed, len(bots))
    return _shares(bots, table.play_by(lambda question: turn(edition, seed, bots, question), games))


def _shares(bots: Sequence[str], events: Iterable[Event]) -> Shares:
    games = [event for event in events if isinstance(event, GameOver)]
    return {bot: fmean(_share(game, seat) for game in games) for seat, bot in enumerate(bots)}


def _share(game: GameOver, seat: int) -> float:
    won = game.ranks[seat] == 1 and seat not in game.forfeited
    return 100 / game.ranks.count(1) if won else 0.0


@dataclass(frozen=True)
class Row:
    """A bot's win share in the records and in as many games of the second implementation on other decks."""

    bot: str
    games: int
    real: float
    second: float
    sigma: float
    """The standard error of the difference, from its spread over the matches."""

    @property
    def difference(self) -> float:
        return self.real - self.second

    @property
    def off(self) -> float:
        """The difference in standard errors."""
        if self.difference == 0:
            return 0.0
        return self.difference / self.sigma if self.sigma else math.copysign(math.inf, self.difference)


def compare(records: Sequence[Record]) -> list[Row]:
    """By bot, strongest first: every match is played a second time, by the same bots, on a seed of its own."""
    real: dict[str, list[float]] = {}
    second: dict[str, list[float]] = {}
    games: dict[str, int] = {}
    for record in records:
        bots, count = bots_of(record), len(record["games"])
        seed = shake(f"second/{record['seed']}", 16).hex()
        again = played_shares(record["edition"], seed, bots, count)
        for bot, share in record_shares(record).items():
            real.setdefault(bot, []).append(share)
            second.setdefault(bot, []).append(again[bot])
            games[bot] = games.get(bot, 0) + count
    rows = []
    for bot in real:
        gaps = [a - b for a, b in zip(real[bot], second[bot], strict=True)]
        sigma = stdev(gaps) / math.sqrt(len(gaps))
        rows.append(Row(bot, games[bot], fmean(real[bot]), fmean(second[bot]), sigma))
    return sorted(rows, key=lambda row: -row.second)


def out_of_order(rows: Sequence[Row], reference: Shares, apart: float = 2.0) -> tuple[list[tuple[str, str]], int]:
    """Of the pairs more than `apart` points apart in `reference` that are really in another order; and their number."""
    real = {row.bot: row.real for row in rows}
    pairs = [
        (worse, better) if reference[worse] < reference[better] else (better, worse)
        for worse, better in combinations(reference, 2)
        if abs(reference[worse] - reference[better]) > apart
    ]
    return [(worse, better) for worse, better in pairs if real[worse] >= real[better]], len(pairs)
