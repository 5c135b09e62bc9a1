"""Head to head: how often one bot finishes before another in the games that both sit in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from operator import eq, lt

from harness.ratings.outcome import MatchRanks
from harness.ratings.rating import Z95

__all__ = ["HeadToHead", "head_to_head", "wilson"]

_BARE = str.maketrans("ABCDEFGH", "12345678")
"""The rank alone, of a seat that had forfeited too."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What `bot` came to against `other` over the games in which they shared a table.

    `wins` counts those in which it had the better rank, `ties` those in which both had the same.
    """

    bot: str
    other: str
    games: int
    wins: int
    ties: int

    @property
    def losses(self) -> int:
        """The games in which `other` had the better rank."""
        return self.games - self.wins - self.ties

    @property
    def share(self) -> float:
        """How often `bot` finishes before `other`; a tie is half a win."""
        return (2 * self.wins + self.ties) / (2 * self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `share`, from the number of games."""
        return wilson(self.share, self.games)


def head_to_head(matches: Iterable[MatchRanks]) -> list[HeadToHead]:
    """Every pair of bots that shared a table, both ways round, by bot id and then by the other's.

    Every game counts, and forfeits by their ranks: who has forfeited is behind all who have not, and ties with others
    who have.
    """
    sums: dict[tuple[str, str], list[int]] = {}
    for match in matches:
        # A string a seat: its rank in each game.
        columns = ["".join(seat) for seat in zip(*match.ranks.translate(_BARE).split(), strict=True)]
        if not columns:
            continue  # a match without games
        for ((bot, _), ranks), ((other, _), others) in combinations(zip(match.seats, columns, strict=True), 2):
            counted = sums.setdefault((bot, other), [0, 0, 0])
            counted[0] += len(ranks)
            counted[1] += sum(map(lt, ranks, others))
            counted[2] += sum(map(eq, ranks, others))
    both: dict[tuple[str, str], list[int]] = {}
    for (bot, other), (games, wins, ties) in sums.items():
        for pair, won in (((bot, other), wins), ((other, bot), games - wins - ties)):
            counted = both.setdefault(pair, [0, 0, 0])
            for place, number in enumerate((games, won, ties)):
                counted[place] += number
    return [HeadToHead(*pair, *counted) for pair, counted in sorted(both.items()) if counted[0]]


def wilson(share: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share measured over that many trials, within 0 to 1.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927). It is made for wins and
    losses; where some trials are ties, which count half, a share varies less, and the interval is on the wide side.
    """
    if not trials:
        return 0.0, 1.0
    square = Z95 * Z95 / trials
    middle = share + square / 2
    reach = math.sqrt(square * (share * (1 - share) + square / 4))
    # Never beyond the share itself, where rounding would put it.
    low, high = ((middle + side * reach) / (1 + square) for side in (-1, 1))
    return max(0.0, min(share, low)), min(1.0, max(share, high))
