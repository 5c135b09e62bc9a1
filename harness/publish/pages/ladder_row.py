"""A line of the ladder as its page shows it: texts, and the two drawings on the scale that all lines share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.protocol import visible
from harness.publish.figures import Scale, interval_path, place, shared_scale, spark_path
from harness.publish.render import fixed, interval
from harness.publish.site_facts import LadderLine
from harness.ratings import PLAYS, Z95

__all__ = ["BAR_WIDTH", "SPARK_LEFT", "Axis", "LadderRow", "ladder_axis", "ladder_row", "under_name"]

BAR_WIDTH = 160
"""Pixels from one end of the scale to the other; the style sheet draws the grid by it."""

SPARK_LEFT = BAR_WIDTH + 16
"""Pixels from the left to the line by round; the style sheet moves it there."""

_HEIGHT = 24
_SPARK_WIDTH = 64
_MOST_NAME = 80
_MOST_STEPS = 8
"""The style sheet has a grid of 1 to this many steps."""

_LEAST_SPAN = 4.0
"""Points of μ that a sparkline spans at least: less is about what the intervals leave open."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale of a ladder, from round number to round number in `steps` equal steps; `labels` are (x, text).

    A row is `width` pixels wide in all, with the middle of its line by round at `spark_middle`.
    """

    scale: Scale
    steps: int
    labels: tuple[tuple[float, str], ...]
    width: int = SPARK_LEFT + _SPARK_WIDTH
    spark_middle: int = SPARK_LEFT + _SPARK_WIDTH // 2


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A line, ready to be shown. `rank` sorts where `ranks` is read; `reach` is half the 95 % interval of μ.

    `moved_by` sorts, `moved` is read; both are about places. `interval` and `spark` are paths of an SVG.
    """

    rank: int | None
    ranks: str
    bot: str
    under: str
    mu: float
    reach: float
    provisional: bool
    interval: str
    spark: str
    win_share: float
    games: int
    faults: int
    moved_by: int | None
    moved: str
    division: int


def ladder_axis(lines: Sequence[LadderLine]) -> Axis:
    """The scale on which all `lines` are drawn.

    It is made for the bots that are rated well; the wide interval of a newcomer would squeeze all others, so it may
    reach beyond the ends.
    """
    reach = [(line.standing.mu, Z95 * line.standing.sigma) for line in lines if not line.standing.provisional]
    intervals = [(mu - half, mu + half) for mu, half in reach]
    intervals += [(line.standing.mu, line.standing.mu) for line in lines if line.standing.provisional]
    scale = shared_scale(intervals or [(0.0, 50.0)])
    step = scale.ticks[1] - scale.ticks[0] if len(scale.ticks) > 1 else max(1.0, math.ceil(scale.high - scale.low))
    while True:
        first, last = math.floor(scale.low / step), math.ceil(scale.high / step)
        if last - first <= _MOST_STEPS:
            break
        step *= 2
    last = max(last, first + 1)
    ticks = tuple(step * number for number in range(first, last + 1))
    whole = Scale(low=ticks[0], high=ticks[-1], ticks=ticks, decimals=scale.decimals)
    every = 2 if len(ticks) > 6 else 1
    labels = tuple((place(tick, whole, BAR_WIDTH), fixed(tick, scale.decimals)) for tick in ticks[::every])
    return Axis(whole, last - first, labels)


def ladder_row(line: LadderLine, axis: Axis, rounds_over: int) -> LadderRow:
    """`line` drawn on `axis`, in a season of which so many rounds are over."""
    standing = line.standing
    reach = Z95 * standing.sigma
    return LadderRow(
        rank=standing.rank,
        ranks=rank_words(line.rank_low, line.rank_high),
        bot=standing.bot,
        under=under_name(standing.bot, line.profile.title, line.profile.author),
        mu=standing.mu,
        reach=reach,
        provisional=standing.provisional,
        interval=interval_path(standing.mu - reach, standing.mu, standing.mu + reach, axis.scale, BAR_WIDTH, _HEIGHT),
        spark=spark_path(line.spark, _SPARK_WIDTH, _HEIGHT, _LEAST_SPAN),
        win_share=standing.win_share,
        games=standing.games,
        faults=standing.faults,
        moved_by=line.moved,
        moved=standing.state if standing.state != PLAYS else _moved_words(line.moved, rounds_over),
        division=standing.division,
    )


def rank_words(low: int | None, high: int | None) -> str:
    """ "2–4", "2" where both are the same, "–" for a bot without a rank."""
    if low is None or high is None:
        return "–"
    return interval(low, high)


def under_name(bot: str, title: str, author: str) -> str:
    """What stands under a bot's id: its title where that says more, and its author; "" where there is neither."""
    parts: Iterable[str] = (
        visible(title, _MOST_NAME) if title and title != bot else "",
        f"by {visible(author, _MOST_NAME)}" if author else "",
    )
    return ", ".join(filter(None, parts))


def _moved_words(moved: int | None, rounds_over: int) -> str:
    if moved is None:
        return "new" if rounds_over > 1 else "–"
    if moved == 0:
        return "same"
    return f"up {moved}" if moved > 0 else f"down {-moved}"
