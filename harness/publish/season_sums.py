"""What the matches of a season add up to: one pass over them in canonical order, each seen once and let go."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from harness.publish.match_facts import StyleCounts, no_counts
from harness.publish.shards import ShardFacts
from harness.publish.site_facts import MatchLine
from harness.ratings import ENOUGH_GAMES, WHOLE_WIN, Breakdown, Key, Rating, Totals

__all__ = ["LIST_LINES", "MOST_TABLES", "ROUND_LINES", "BotSums", "SeasonSums"]

LIST_LINES = 25
"""Matches on a page of a bot's list."""

ROUND_LINES = 30
"""Matches on a page of a round: more of eight seats make a page slow to show."""

_RECENT = 10
_EXTREMES = 5
_SHOWN_TABLES = 12

MOST_TABLES = 1000
"""Different tables that are told apart for one bot: so many at most are in memory."""

_Sum = list[int]
"""matches, games, win parts, points, ranks, faults, and the win parts of an equal."""


def _add(into: _Sum, line: MatchLine, seat: int, faults: int) -> None:
    into[0] += 1
    into[1] += line.games
    into[2] += line.win_parts[seat]
    into[3] += line.points[seat]
    into[4] += line.ranks[seat]
    into[5] += faults
    into[6] += line.games * (WHOLE_WIN // len(line.bots))


def _nothing() -> _Sum:
    return [0] * 7


def totals_of(sums: _Sum) -> Totals:
    """The sums as the store's totals are."""
    return Totals(*sums[:6])


@dataclass(slots=True)
class BotSums:
    """Of one bot. `by_size` has a sum for each size of table, `before` the same of all rounds before the last one.

    `settled` is the round in which it had played enough games for its rating to be no more provisional, 0 before.
    """

    by_size: dict[int, _Sum] = field(default_factory=dict)
    before: dict[int, _Sum] = field(default_factory=dict)
    opponents: dict[str, _Sum] = field(default_factory=dict)
    compositions: dict[tuple[str, ...], _Sum] = field(default_factory=dict)
    style: StyleCounts = field(default_factory=no_counts)
    fault_counts: Counter[str] = field(default_factory=Counter)
    pending: list[MatchLine] = field(default_factory=list)
    recent: deque[MatchLine] = field(default_factory=lambda: deque(maxlen=_RECENT))
    best: list[tuple[tuple[float, float, int], int, MatchLine]] = field(default_factory=list)
    worst: list[tuple[tuple[float, float, int], int, MatchLine]] = field(default_factory=list)
    parts: int = 0
    games: int = 0
    settled: int = 0

    def totals(self, size: int | None = None) -> Totals:
        """All that it came to, or at tables of one size."""
        return totals_of(_all(self.by_size, size))

    def totals_before(self, size: int | None = None) -> Totals:
        """The same without the last round."""
        return totals_of(_all(self.before, size))

    def opponent_parts(self, bot: str, rating: Rating) -> tuple[Breakdown, ...]:
        """Its results by opponent, by id."""
        return tuple(_part(bot, key, self.opponents[key], rating) for key in sorted(self.opponents))

    def table_parts(self, bot: str, rating: Rating) -> tuple[Breakdown, ...]:
        """Its results at the tables that it sat at most often, most games first."""
        order = sorted(self.compositions.items(), key=lambda item: (-item[1][1], item[0]))
        return tuple(_part(bot, key, sums, rating) for key, sums in order[:_SHOWN_TABLES])

    def newest(self) -> tuple[MatchLine, ...]:
        """The matches that stand on no page of its list yet, but ten at least; newest first."""
        lines = self.pending if len(self.pending) >= _RECENT else self.recent
        return tuple(reversed(lines))

    def extremes(self) -> tuple[tuple[MatchLine, ...], tuple[MatchLine, ...]]:
        """Its best and its worst matches, the most extreme first; none of both where it played few."""
        best = [line for _, _, line in sorted(self.best, reverse=True)]
        worst = [line for _, _, line in sorted(self.worst, reverse=True)]
        known = {(line.round, line.number) for line in best}
        return tuple(best), tuple(line for line in worst if (line.round, line.number) not in known)


def _all(by_size: dict[int, _Sum], size: int | None) -> _Sum:
    if size is not None:
        return by_size.get(size, _nothing())
    return [sum(column) for column in zip(*by_size.values(), strict=True)] if by_size else _nothing()


def _part(bot: str, key: Key, sums: _Sum, rating: Rating) -> Breakdown:
    return Breakdown(bot, key, totals_of(sums), sums[6], rating)


@dataclass(slots=True)
class RoundSums:
    """Of one round."""

    matches: int = 0
    games: int = 0
    size: int = 0
    faults: int = 0


class SeasonSums:
    """Adds up a season whose last round that is over is `last_round`.

    `list_full` is called with bot, part and lines when a page of a bot's list is full, `round_full` with round, part,
    whether it is the last, and lines when a page of a round is. `starts` is the first match of each shard with the
    shard's script.
    """

    def __init__(
        self,
        last_round: int,
        list_full: Callable[[str, int, tuple[MatchLine, ...]], None],
        round_full: Callable[[int, int, bool, tuple[MatchLine, ...]], None],
    ) -> None:
        self.bots: dict[str, BotSums] = {}
        self.rounds: dict[int, RoundSums] = {}
        self.starts: list[tuple[int, int, str]] = []
        self.matches = 0
        self.games = 0
        self._last_round = last_round
        self._list_full = list_full
        self._round_full = round_full
        self._round: list[MatchLine] = []
        self._part = 1

    def take(self, shards: Iterator[ShardFacts]) -> Iterator[MatchLine]:
        """See all of them, each match given on as it passes."""
        for shard in shards:
            if shard.matches:
                self.starts.append((shard.matches[0].round, shard.matches[0].number, shard.path))
            for bot, counts in shard.style.items():
                sums = self._bot(bot)
                sums.style = [one + more for one, more in zip(sums.style, counts, strict=True)]
            for line in shard.matches:
                self._see(line)
                yield line
        self._end_round()

    def _bot(self, bot: str) -> BotSums:
        return self.bots.setdefault(bot, BotSums())

    def _see(self, line: MatchLine) -> None:
        if self._round and self._round[-1].round != line.round:
            self._end_round()
        elif len(self._round) == ROUND_LINES:
            self._give_round(last=False)
        self._round.append(line)
        self.matches += 1
        self.games += line.games
        of_round = self.rounds.setdefault(line.round, RoundSums())
        of_round.matches += 1
        of_round.games += line.games
        of_round.size = max(of_round.size, len(line.bots))
        of_round.faults += len(line.faults)
        for seat, bot in enumerate(line.bots):
            self._see_seat(line, seat, bot)

    def _see_seat(self, line: MatchLine, seat: int, bot: str) -> None:
        sums = self._bot(bot)
        kinds = [kind for place, kind in line.faults if place == seat]
        size = len(line.bots)
        whole = sums.by_size.setdefault(size, _nothing())
        _add(whole, line, seat, len(kinds))
        if line.round < self._last_round:
            _add(sums.before.setdefault(size, _nothing()), line, seat, len(kinds))
        sums.games += line.games
        if not sums.settled and sums.games >= ENOUGH_GAMES:
            sums.settled = line.round
        sums.fault_counts.update(kinds)
        others = tuple(sorted(line.bots[:seat] + line.bots[seat + 1 :]))
        for other in others:
            _add(sums.opponents.setdefault(other, _nothing()), line, seat, len(kinds))
        if others in sums.compositions or len(sums.compositions) < MOST_TABLES:
            _add(sums.compositions.setdefault(others, _nothing()), line, seat, len(kinds))
        self._list(sums, bot, line)
        _note_extremes(sums, line, seat, self.matches)

    def _list(self, sums: BotSums, bot: str, line: MatchLine) -> None:
        sums.recent.append(line)
        sums.pending.append(line)
        if len(sums.pending) == LIST_LINES:
            sums.parts += 1
            self._list_full(bot, sums.parts, tuple(sums.pending))
            sums.pending.clear()

    def _give_round(self, *, last: bool) -> None:
        self._round_full(self._round[0].round, self._part, last, tuple(self._round))
        self._part += 1
        self._round.clear()

    def _end_round(self) -> None:
        if self._round:
            self._give_round(last=True)
        self._part = 1


def _note_extremes(sums: BotSums, line: MatchLine, seat: int, count: int) -> None:
    """Keeps the match where it is among the best or the worst.

    By how much more of the wins it had than an equal would have, and then by its points a game; of equals the earlier.
    """
    share = line.win_parts[seat] / (WHOLE_WIN * line.games) * len(line.bots)
    points = line.points[seat] / line.games
    for kept, key in ((sums.best, (share, points, -count)), (sums.worst, (-share, -points, -count))):
        entry = (key, count, line)
        if len(kept) < _EXTREMES:
            heapq.heappush(kept, entry)
        elif key > kept[0][0]:
            heapq.heapreplace(kept, entry)
