"""Sentences on figures: numbers, places, shares, dates and lists as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from harness.publish.render import fixed, interval, number, percent, plural
from harness.publish.site_facts import LadderLine
from harness.ratings import ENOUGH_GAMES, Z95, HeadToHead, Totals

__all__ = [
    "day",
    "headline",
    "in_words",
    "listed",
    "minute",
    "movement",
    "of_games",
    "opponents_sentence",
    "ordinal",
    "rank_interval",
    "reach",
    "share_cell",
    "share_interval",
    "table_sizes",
]

NO_BREAK = "\u00a0"

_NEARLY_WHOLE = 0.05
"""Sums of shares of games are whole but for rounding."""

EVEN = 0.5
"""The share at which neither of two bots beats the other."""

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def in_words(count: int) -> str:
    """Up to twelve as a word, else in digits; nought is `no`."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else number(count)


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    last = 0 if place // 10 % 10 == 1 else place % 10
    return f"{place}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def rank_interval(low: int | None, high: int | None) -> str:
    """The interval of a rank: 2nd–4th. Who has no rank is `not ranked`."""
    return "not ranked" if low is None or high is None else interval(ordinal(low), ordinal(high))


def movement(moved: int | None) -> str:
    """How a place changed since the round before; empty where there is nothing to compare with."""
    if moved is None:
        return ""
    if moved == 0:
        return "same place as a round ago"
    return f"{'up' if moved > 0 else 'down'} {plural(abs(moved), 'place', 'places')}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Items as a sentence lists them: a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def table_sizes(sizes: Sequence[int]) -> str:
    """At which tables is played: `tables of three, four and five`."""
    return f"tables of {listed([in_words(size) for size in sorted(set(sizes))])}"


def reach(sigma: float, digits: int = 1) -> str:
    """Half of a rating's 95 % interval, with its sign: ± 1.1. A step up where rounding would make it nothing."""
    half = Z95 * sigma
    text = fixed(half, digits)
    return f"±{NO_BREAK}{text if float(text) else fixed(math.ceil(half * 10**digits) / 10**digits, digits)}"


def of_games(share: float, games: int) -> str:
    """A share of games: per cent, or where that would claim too much `4.5 of 12 games`."""
    return share_cell(share, games) if games >= ENOUGH_GAMES else f"{share_cell(share, games)}{NO_BREAK}{_games(games)}"


def share_cell(share: float, games: int) -> str:
    """The same for a column that says of what: `34.5 %`, or `4.5 of 12`."""
    if games >= ENOUGH_GAMES:
        return percent(share)
    won = share * games
    counted = number(round(won)) if abs(won - round(won)) < _NEARLY_WHOLE else fixed(won, 1)
    return f"{counted} of {number(games)}"


def _games(games: int) -> str:
    return "game" if games == 1 else "games"


def headline(line: LadderLine, bots: int, sizes: Sequence[tuple[int, Totals]]) -> str:
    """Where a bot stands among so many that are ranked, its rating, and what it wins beside what an equal would win."""
    standing = line.standing
    played = [(size, totals.games) for size, totals in sizes if totals.games]
    games = sum(count for _, count in played)
    if not games:
        return "It has not played a game that counts yet."
    place = (
        "It has no rank"
        if line.rank_low is None
        else f"{rank_interval(line.rank_low, line.rank_high)} of {number(bots)}"
    )
    equal = sum(count / size for size, count in played)
    won = of_games(standing.win_share, games)
    few = games < ENOUGH_GAMES
    return (
        f"{place}, μ{NO_BREAK}{fixed(standing.mu, 1)}{NO_BREAK}{reach(standing.sigma)}. "
        f"It {'won' if few else 'wins'} {won}{'' if few else ' of its games'} "
        f"at {table_sizes([size for size, _ in played])}, "
        f"where an equal would {'have won' if few else 'win'} {fixed(equal, 1) if few else percent(equal / games)}."
    )


def opponents_sentence(pairs: Sequence[HeadToHead]) -> str:
    """Who beats a bot most and against whom it does best, out of its pairs; empty where it met nobody often enough."""
    told = [pair for pair in pairs if pair.games >= ENOUGH_GAMES]
    if not told:
        return ""
    hardest = min(told, key=lambda pair: (pair.interval[1], pair.other))
    easiest = max(told, key=lambda pair: (pair.interval[0], pair.other))
    beaten = hardest.interval[1] < EVEN
    if beaten:
        first = f"{hardest.other} beats {hardest.bot} most: {hardest.bot} comes before it in {_with_interval(hardest)}."
    else:
        first = (
            f"No opponent surely beats {hardest.bot}; the hardest is {hardest.other}, "
            f"before which it comes in {_with_interval(hardest)}."
        )
    if easiest.interval[0] <= EVEN:
        return f"{first} There is nobody {'' if beaten else 'either '}whom it surely beats."
    return f"{first} {easiest.bot} does best against {easiest.other}, with {_with_interval(easiest)}."


def _with_interval(pair: HeadToHead) -> str:
    return f"{percent(pair.share)} of {plural(pair.games, 'game', 'games')} (95{NO_BREAK}%: {share_interval(pair)})"


def share_interval(pair: HeadToHead) -> str:
    """The 95 % interval of a share in per cent: 32.3–44.4 %."""
    low, high = (fixed(100 * end, 1) for end in pair.interval)
    return f"{interval(low, high)}{NO_BREAK}%"


def day(moment: str) -> str:
    """The day of an RFC 3339 moment in UTC: 2 March 2026. What is no such moment is given back."""
    read = _read(moment)
    return moment if read is None else f"{read.day}{NO_BREAK}{_MONTHS[read.month - 1]}{NO_BREAK}{read.year}"


def minute(moment: str) -> str:
    """Day and minute of an RFC 3339 moment in UTC: 2026-03-02 14:05, short enough for a column."""
    read = _read(moment)
    return moment if read is None else f"{read:%Y-%m-%d}{NO_BREAK}{read:%H:%M}"


def _read(moment: str) -> datetime | None:
    try:
        return datetime.fromisoformat(moment)
    except ValueError:
        return None
