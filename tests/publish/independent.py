"""What the pages must say, counted from a season's lines by the contract: no code of the harness is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.second.ratings import ratings_of

Line = dict[str, Any]

ENOUGH = 30
"""Games below which a bot is provisional."""


@dataclass
class Count:
    """What a bot's matches add up to."""

    matches: int = 0
    games: int = 0
    wins: Fraction = Fraction(0)
    points: int = 0
    ranks: int = 0
    faults: int = 0

    @property
    def win_share(self) -> float:
        """Of all games."""
        return float(self.wins / self.games) if self.games else 0.0


@dataclass
class Met:
    """Games that two bots shared, from the side of one of them."""

    wins: int = 0
    ties: int = 0
    losses: int = 0


@dataclass
class Recount:
    """A season: what each bot came to, its rating, and how it fared against each other."""

    bots: dict[str, Count] = field(default_factory=dict)
    ratings: dict[str, tuple[float, float]] = field(default_factory=dict)
    met: dict[str, dict[str, Met]] = field(default_factory=dict)
    records: list[Line] = field(default_factory=list)
    divisions: dict[str, int] = field(default_factory=dict)

    def order(self, out: Sequence[str] = ()) -> list[str]:
        """The ladder: who is disqualified is `out`."""

        def place(bot: str) -> tuple[Any, ...]:
            known = bool(self.divisions)
            division = self.divisions.get(bot, len(self.divisions) + 1) if known else 0
            return bot in out, division, self.bots[bot].games < ENOUGH, -self.ratings[bot][0], bot

        return sorted(self.bots, key=place)


def recounted(lines: Sequence[Line]) -> Recount:
    """Count a season's lines, of which the last is its footer."""
    found = Recount()
    header = lines[0]
    for number, bots in enumerate(header.get("divisions", []), start=1):
        found.divisions.update(dict.fromkeys(bots, number))
    for line in lines:
        for bot, _ in line.get("entries", []):
            found.bots.setdefault(bot, Count())
    found.records = list(records_that_count(lines))
    for record in found.records:
        _add(found, record)
    found.ratings = ratings_of(lines)
    return found


def records_that_count(lines: Sequence[Line]) -> Iterator[Line]:
    """The records that no later line makes void."""
    void = {line["void"] for line in lines if "void" in line}
    return (line for line in lines if "games" in line and "timing" in line and line["match"] not in void)


def _add(found: Recount, record: Line) -> None:
    bots = [seat["bot"] for seat in record["seats"]]
    seats = range(len(bots))
    # By seat, the index of the game in which it forfeited.
    out = {fault["seat"]: fault["game"] - 1 for fault in record["faults"]}
    for seat, bot in enumerate(bots):
        count = found.bots[bot]
        count.matches += 1
        count.games += len(record["games"])
        count.faults += seat in out
        count.points += sum(game["scores"][seat] for game in record["games"])
        count.ranks += sum(game["ranks"][seat] for game in record["games"])
    for index, game in enumerate(record["games"]):
        gone = [out.get(seat, index + 1) <= index for seat in seats]
        first = [seat for seat in seats if game["ranks"][seat] == 1]
        if not all(gone):
            for seat in first:
                found.bots[bots[seat]].wins += Fraction(1, len(first))
        for one in seats:
            for other in seats:
                if one != other:
                    met = found.met.setdefault(bots[one], {}).setdefault(bots[other], Met())
                    mine = (gone[one], 0 if gone[one] else game["ranks"][one])
                    theirs = (gone[other], 0 if gone[other] else game["ranks"][other])
                    met.wins += mine < theirs
                    met.ties += mine == theirs
                    met.losses += mine > theirs


def fault_kinds(records: Sequence[Line], bot: str) -> Counter[str]:
    """How many faults of each kind the bot has."""
    return Counter(
        fault["kind"]
        for record in records
        for fault in record["faults"]
        if record["seats"][fault["seat"]]["bot"] == bot
    )
