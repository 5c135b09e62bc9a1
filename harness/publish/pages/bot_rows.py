"""The rows of a bot's page: its results by size, table and opponent, how it leaves, and its ratings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.publish.charts import ENOUGH_DECISIONS, bar_interval, bar_name
from harness.publish.evenly import evenly
from harness.publish.figures import Scale, interval_path
from harness.publish.pages.match_rows import profile_of
from harness.publish.render import fixed, interval, percent
from harness.publish.site_facts import BotProfile, RatingPoint, StyleBar
from harness.publish.words import NO_BREAK, share_cell, share_interval
from harness.ratings import Z95, Breakdown, HeadToHead, Totals

__all__ = [
    "BAR_HEIGHT",
    "BAR_WIDTH",
    "MOST_OPPONENTS",
    "OpponentRow",
    "RatingRow",
    "ResultRow",
    "StyleRow",
    "of_bot",
    "opponent_rows",
    "rating_rows",
    "size_row",
    "style_rows",
    "table_row",
]

BAR_WIDTH, BAR_HEIGHT = 120, 14
"""Of the picture of an opponent's interval, in its own units."""

_SHARES = Scale(0.0, 1.0, (0.0, 0.5, 1.0), 1)

MOST_OPPONENTS = 50
"""Opponents in the table; all are in the file pairs.csv."""

_MOST_RATINGS = 60
"""Rounds in the table of ratings; of more, evenly many are left out."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What a bot came to at some tables. `keys` are ids of opponents, or one word; `equal` is an equal's win share."""

    keys: tuple[str, ...]
    games: int
    won: str
    share: float
    equal: str
    points: str
    mean_rank: str
    faults: int


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Head to head with an opponent; `path` draws share and interval, `at_tables` is the win share where it sat too."""

    profile: BotProfile
    games: int
    share: float
    before: str
    interval: str
    path: str
    wins: int
    ties: int
    losses: int
    at_tables: str


@dataclass(frozen=True, slots=True)
class StyleRow:
    """How often it left where something lay from … to …; `few` decisions tell little."""

    name: str
    asked: int
    left: int
    share: str
    interval: str
    few: bool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating at the end of a round."""

    round: int
    mu: str
    reach: str
    low: str
    high: str


def _result(keys: tuple[str, ...], totals: Totals, equal: float) -> ResultRow:
    return ResultRow(
        keys=keys,
        games=totals.games,
        won=share_cell(totals.win_share, totals.games),
        share=totals.win_share,
        equal=share_cell(equal, totals.games),
        points=fixed(totals.mean_points, 1),
        mean_rank=fixed(totals.mean_rank, 2),
        faults=totals.faults,
    )


def size_row(size: int, totals: Totals) -> ResultRow:
    """Results at tables of a size."""
    return _result((str(size),), totals, 1 / size)


def table_row(part: Breakdown) -> ResultRow:
    """Results at tables of a composition."""
    keys = part.key if isinstance(part.key, tuple) else (str(part.key),)
    return _result(keys, part.totals, part.expected_share)


def of_bot(pairs: Sequence[HeadToHead], bot: str) -> Sequence[HeadToHead]:
    """Those of `bot`, out of all by bot id."""
    start = bisect_left(pairs, bot, key=lambda pair: pair.bot)
    end = start
    while end < len(pairs) and pairs[end].bot == bot:
        end += 1
    return pairs[start:end]


def opponent_rows(
    pairs: Sequence[HeadToHead], parts: Sequence[Breakdown], profiles: Mapping[str, BotProfile]
) -> tuple[OpponentRow, ...]:
    """A row for each pair of one bot, who beats it most first; of many, those that it shared the most games with."""
    met = sorted(pairs, key=lambda pair: (-pair.games, pair.other))[:MOST_OPPONENTS]
    totals = {part.key: part.totals for part in parts}
    return tuple(
        OpponentRow(
            profile=profile_of(profiles, pair.other),
            games=pair.games,
            share=round(pair.share, 4),
            before=share_cell(pair.share, pair.games),
            interval=share_interval(pair),
            path=interval_path(
                pair.interval[0], pair.share, pair.interval[1], _SHARES, float(BAR_WIDTH), float(BAR_HEIGHT)
            ),
            wins=pair.wins,
            ties=pair.ties,
            losses=pair.losses,
            at_tables=share_cell(totals[pair.other].win_share, totals[pair.other].games)
            if pair.other in totals
            else "",
        )
        for pair in sorted(met, key=lambda pair: (pair.share, pair.other))
    )


def style_rows(bars: Sequence[StyleBar]) -> tuple[StyleRow, ...]:
    """The bars of a panel as rows."""
    rows = []
    for bar in bars:
        low, high = (fixed(100 * end, 0) for end in bar_interval(bar))
        rows.append(
            StyleRow(
                name=bar_name(bar),
                asked=bar.asked,
                left=bar.left,
                share=_bar_share(bar),
                interval=f"{interval(low, high)}{NO_BREAK}%" if bar.asked else "",
                few=bar.asked < ENOUGH_DECISIONS,
            )
        )
    return tuple(rows)


def _bar_share(bar: StyleBar) -> str:
    if not bar.asked:
        return "not asked"
    return f"{bar.left} of {bar.asked}" if bar.asked < ENOUGH_DECISIONS else percent(bar.left / bar.asked)


def rating_rows(points: Sequence[RatingPoint]) -> tuple[RatingRow, ...]:
    """Ratings, newest first; the first and the last round are always there."""
    return tuple(
        RatingRow(
            point.round,
            fixed(point.mu, 2),
            fixed(Z95 * point.sigma, 2),
            fixed(point.mu - Z95 * point.sigma, 2),
            fixed(point.mu + Z95 * point.sigma, 2),
        )
        for point in reversed(evenly(points, _MOST_RATINGS))
    )
