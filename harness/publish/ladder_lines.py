"""The lines of a ladder: standings with the interval of their rank, their movement, and μ over the rounds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.publish.evenly import evenly
from harness.publish.site_facts import BotProfile, LadderLine, RatingPoint
from harness.ratings import Z95, Rating, Standing, Totals, rank_standings

__all__ = ["Series", "Standings", "ladder_lines", "rank_intervals"]

_SPARK = 24
"""Points of a sparkline at most."""

_SERIES = 150
"""Points of a series at most, the last one not counted."""


@dataclass(slots=True)
class Series:
    """A bot's rating over rounds, evenly thinned as it grows; the last point is always there.

    `before` is the rating without the season's last round, None where it had not played by then.
    """

    points: list[RatingPoint] = field(default_factory=list)
    last: RatingPoint | None = None
    before: Rating | None = None
    _stride: int = 1
    _seen: int = 0

    def add(self, point: RatingPoint) -> None:
        """The next round's."""
        if self._seen % self._stride == 0:
            self.points.append(point)
            if len(self.points) > 2 * _SERIES:
                self.points = self.points[::2]
                self._stride *= 2
        self._seen += 1
        self.last = point

    def from_round(self, round_: int) -> tuple[RatingPoint, ...]:
        """The points from a round on, where there are two of them, else all."""
        points = [*self.points]
        if self.last is not None and points[-1] != self.last:
            points.append(self.last)
        later = [point for point in points if point.round >= round_]
        return tuple(evenly(later if len(later) > 1 else points, _SERIES))


def rank_intervals(standings: Sequence[Standing]) -> dict[str, tuple[int, int]]:
    """By bot the best and the worst rank that the 95 % intervals of the ratings leave open, among those that have one.

    Best is 1 + the number of bots whose interval lies above its own, worst is their number less those whose interval
    lies below. In a season with divisions the bots of a division are compared with each other, and stand below those
    of the divisions above.
    """
    found: dict[str, tuple[int, int]] = {}
    above = 0
    ranked = [one for one in standings if one.rank is not None]
    for division in sorted({one.division for one in ranked}, key=lambda number: (number == 0, number)):
        group = [one for one in ranked if one.division == division]
        lows = sorted(one.mu - Z95 * one.sigma for one in group)
        highs = sorted(one.mu + Z95 * one.sigma for one in group)
        for one in group:
            surely_above = len(group) - bisect_right(lows, one.mu + Z95 * one.sigma)
            surely_below = bisect_left(highs, one.mu - Z95 * one.sigma)
            assert one.rank is not None
            # A rating of few games stands behind all others, whatever its interval says.
            best, worst = above + 1 + surely_above, above + len(group) - surely_below
            found[one.bot] = min(best, one.rank), max(worst, one.rank)
        above += len(group)
    return found


@dataclass(frozen=True, slots=True)
class Standings:
    """What ladders are made from: by bot its rating, the one before, and what it came to; divisions and states.

    `totals` and `totals_before` are asked with a bot and a size of table, None for all.
    """

    profiles: Mapping[str, BotProfile]
    start: Rating
    brought: Mapping[str, Rating]
    series: Mapping[str, Series]
    totals: Callable[[str, int | None], Totals]
    totals_before: Callable[[str, int | None], Totals]
    divisions: Mapping[str, int]
    states: Mapping[str, str]

    def now(self, size: int | None) -> list[Standing]:
        """The ladder; with `size`, of those who played at tables of that size."""
        return self._ranked(size, self.totals, self.rating)

    def before(self, size: int | None) -> list[Standing]:
        """The ladder as it was without the last round."""
        return self._ranked(size, self.totals_before, self.rating_before)

    def rating(self, bot: str) -> Rating:
        """Its rating now."""
        series = self.series.get(bot)
        if series is None or series.last is None:
            return self.brought.get(bot, self.start)
        return Rating(series.last.mu, series.last.sigma)

    def rating_before(self, bot: str) -> Rating:
        """Its rating without the last round."""
        series = self.series.get(bot)
        return self.brought.get(bot, self.start) if series is None or series.before is None else series.before

    def _ranked(
        self, size: int | None, totals: Callable[[str, int | None], Totals], rating: Callable[[str], Rating]
    ) -> list[Standing]:
        rows = ((bot, profile.version, rating(bot), totals(bot, size)) for bot, profile in self.profiles.items())
        kept: Iterable[tuple[str, str, Rating, Totals]] = (row for row in rows if size is None or row[3].games)
        return rank_standings(kept, divisions=self.divisions, states=self.states)


def ladder_lines(standings: Standings, size: int | None = None) -> tuple[LadderLine, ...]:
    """The ladder with all that a page shows of a bot."""
    now = standings.now(size)
    before = {one.bot: one.rank for one in standings.before(size) if one.games}
    intervals = rank_intervals(now)
    lines = []
    for one in now:
        low, high = intervals.get(one.bot, (None, None))
        rank_before = before.get(one.bot)
        moved = None if one.rank is None or rank_before is None else rank_before - one.rank
        series = standings.series.get(one.bot)
        points = () if series is None else evenly(series.from_round(0), _SPARK)
        spark = tuple(point.mu for point in points)
        lines.append(LadderLine(one, standings.profiles[one.bot], low, high, moved, spark))
    return tuple(lines)
