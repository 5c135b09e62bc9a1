"""Head to head: how often each bot finishes before each other, as a table whose cells are coloured by it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from harness.publish import addresses
from harness.publish.figures import HEAT_STEPS, heat_class
from harness.publish.page import Page
from harness.publish.render import interval
from harness.publish.site_facts import SeasonFacts
from harness.ratings import HeadToHead

__all__ = ["MOST_BOTS", "PairCell", "PairRow", "pairs_page"]

MOST_BOTS = 30
"""Bots in the table, the first of the ladder: a larger one can't be read any more. The file has all pairs."""


@dataclass(frozen=True, slots=True)
class PairCell:
    """What the row's bot came to against the column's; `share` and its `interval`, `low` to `high`, are per cent."""

    heat: str
    share: str
    interval: str
    low: str
    high: str
    games: int
    wins: int
    ties: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """A bot's row: its place on the ladder from 1, and a cell a column, None where the two shared no game."""

    place: int
    bot: str
    cells: tuple[PairCell | None, ...]


def pairs_page(season: SeasonFacts) -> Page:
    """Head to head of the first bots of the ladder of `season`."""
    bots = [line.standing.bot for line in season.lines[:MOST_BOTS]]
    met = {(pair.bot, pair.other): _cell(pair) for pair in season.pairs}
    rows = tuple(
        PairRow(place, bot, tuple(None if other == bot else met.get((bot, other)) for other in bots))
        for place, bot in enumerate(bots, 1)
    )
    games = [cell.games for row in rows for cell in row.cells if cell is not None]
    content = {
        "season": season.number,
        "state": season.state,
        "rows": rows if games else (),
        "bots": len(season.lines),
        "fewest": min(games, default=0),
        "most": max(games, default=0),
        "heat": tuple(pairwise(round(100 * step / HEAT_STEPS) for step in range(HEAT_STEPS + 1))),
    }
    return Page(addresses.pairs_page(season.number), "pairs.html", content)


def _cell(pair: HeadToHead) -> PairCell:
    low, high = (f"{100 * end:.0f}" for end in pair.interval)
    return PairCell(
        heat=heat_class(pair.share, pair.interval),
        share=f"{100 * pair.share:.0f}",
        interval=interval(low, high),
        low=low,
        high=high,
        games=pair.games,
        wins=pair.wins,
        ties=pair.ties,
    )
