"""Divisions over a season's end: who is promoted and relegated, who joins them, and how they are cut anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import inf

from harness.ratings import Strength

__all__ = ["line_up", "next_divisions", "promoted"]


def line_up(order: Sequence[str], count: int) -> list[list[str]]:
    """One order, the best first, cut into `count` divisions; where they can't be equal, the upper ones have one more.

    With fewer bots than divisions the last ones are empty. ValueError for a count below 1.
    """
    if count < 1:
        raise ValueError(f"{count} divisions; there is at least one")
    least, more = divmod(len(order), count)
    ends = [least * i + min(i, more) for i in range(count + 1)]
    return [list(order[ends[i] : ends[i + 1]]) for i in range(count)]


def promoted(divisions: Sequence[Sequence[str]], move: int) -> list[list[str]]:
    """Divisions, the top one first and each in table order, after `move` of each traded places with those below.

    The last `move` of a division go down and the first `move` of the one below come up, but of neither more than half,
    so that nobody moves twice. Who came down stands first in its new division; those who came up stand before as many,
    the last ones, of those who stayed: where divisions are cut anew a little smaller, these lose their place, and not
    who has just won one.
    """
    traded = [min(move, len(upper) // 2, len(lower) // 2) for upper, lower in pairwise(divisions)]
    ups, downs = [0, *traded], [*traded, 0]
    found: list[list[str]] = []
    for i, division in enumerate(divisions):
        came_down = divisions[i - 1][len(divisions[i - 1]) - ups[i] :] if ups[i] else ()
        came_up = divisions[i + 1][: downs[i]] if downs[i] else ()
        stayed = division[ups[i] : len(division) - downs[i]]
        safe = max(0, len(stayed) - len(came_up))
        found.append([*came_down, *stayed[:safe], *came_up, *stayed[safe:]])
    return found


def next_divisions(
    table: Sequence[Strength],
    divisions: Mapping[str, int],
    entered: Collection[str],
    count: int,
    move: int,
    least: int,
) -> list[list[str]]:
    """The divisions of the next season, the top one first, with sorted ids: what its header names.

    `table` is the official table of the season before, in table order, `divisions` the division that each bot had in
    it, empty after a season without; `entered` are the bots of the next season; `count` and `move` are the format's
    options, `least` is the size of the league's largest table.

    1. In each division bots stand by strength: that of the version with which they are ranked, else, as after a new
       version late in the season, that of the one with most games; who did not play stands last. Then `promoted`.
       Without divisions the order is that of the table.
    2. Who is not entered leaves that order, and who stands below moves up.
    3. Who is entered, has a rank and was in no division joins, the strongest first: it comes right behind the last bot
       that is at least as strong. So it passes only those that it proved stronger than, all the way up from the bottom,
       and those who did not play. Newcomers without a rank are in no division.
    4. `line_up` cuts the order into as many divisions, at most `count`, as can have `least` bots each. With fewer bots
       than `least` there is none.
    """
    telling: dict[str, Strength] = {}
    for line in sorted(table, key=lambda line: (line.rank is None, -line.games)):
        telling.setdefault(line.bot, line)
    strength = {bot: line.strength for bot, line in telling.items()}
    place = {line.bot: i for i, line in reversed(list(enumerate(table)))}

    def standing(bot: str) -> tuple[float, int, str]:
        return -strength.get(bot, -inf), place.get(bot, len(table)), bot

    before: list[list[str]] = [[] for _ in range(max(divisions.values(), default=0))]
    for bot in sorted(divisions, key=standing):
        if divisions[bot]:
            before[divisions[bot] - 1].append(bot)
    order = [bot for division in promoted(before, move) for bot in division if bot in entered]
    ranked = {bot for bot, line in telling.items() if line.rank is not None}
    for bot in sorted((ranked & set(entered)) - {bot for bot in divisions if divisions[bot]}, key=standing):
        behind = len(order)
        while behind and strength.get(order[behind - 1], -inf) < strength[bot]:
            behind -= 1
        order.insert(behind, bot)
    if len(order) < least:
        return []
    return [sorted(division) for division in line_up(order, min(count, len(order) // least))]
