"""Matches of bots whose true strengths are known: what ratings and tables are held against."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from harness.ratings import MatchRanks

__all__ = ["MARGIN", "SPREAD", "VERSION", "bot_name", "drawn_strengths", "made_season"]

SPREAD = 0.35
"""The standard deviation of true strengths, in units of the noise of one performance."""

MARGIN = 0.055
"""Who performs nearer than that to the next better of the table shares its rank: at tables of six 3 % of pairs tie."""

VERSION = "0" * 64


def bot_name(number: int) -> str:
    """The id of a bot by its place in the strengths."""
    return f"bot-{number:03d}"


def drawn_strengths(bots: int, seed: int, spread: float = SPREAD) -> list[float]:
    """Normal ones around 0."""
    chance = random.Random(f"strengths {seed}")
    return [chance.gauss(0, spread) for _ in range(bots)]


def made_season(
    strengths: Sequence[float], matches: int, seed: int, *, seats: int = 6, margin: float = MARGIN
) -> list[MatchRanks]:
    """Matches of one game at tables drawn at random; a performance is the bot's strength and standard normal noise."""
    chance = random.Random(f"matches {seed}")
    made = []
    for number in range(1, matches + 1):
        table = chance.sample(range(len(strengths)), seats)
        played = [strengths[bot] + chance.gauss(0, 1) for bot in table]
        order = sorted(range(seats), key=played.__getitem__, reverse=True)
        ranks = [1] * seats
        for place, (better, seat) in enumerate(pairwise(order), start=2):
            ranks[seat] = ranks[better] if played[better] - played[seat] < margin else place
        made.append(
            MatchRanks(
                match=f"{number:06d}",
                round=number,
                seed=f"{chance.getrandbits(128):032x}",
                seats=tuple((bot_name(bot), VERSION) for bot in table),
                ranks="".join(map(str, ranks)),
            )
        )
    return made
