"""Placement in the format `divisions`, made anew from the words at the head of its module; uses nothing of the harness.

A field is a list of objects with `id`, `author` (or null), `division` (0 for none) and `seats` (how often in seat 0,
1, …; later ones may be missing). Meetings are a list of `[id, id, times]`. What a division plays by itself is left to
a function that pairs a round robin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.second.gauntlet import draws, shuffled

Bot = dict[str, Any]
RoundRobin = Callable[[Sequence[Bot], Sequence[int]], list[list[str]]]


def division_tables(
    field: Sequence[Bot],
    meetings: Sequence[Sequence[Any]],
    round_: int,
    sizes: Sequence[int],
    seed: str,
    round_robin: RoundRobin,
    *,
    same_author: bool = False,
) -> list[list[str]]:
    """The tables of a round, ids by seat; `round_robin` pairs some bots at some sizes."""
    size = sizes[(round_ - 1) % len(sizes)]
    hosts: list[Bot] = []
    tables: list[list[str]] = []
    for number in range(1, max(bot["division"] for bot in field) + 1):
        members = [bot for bot in field if bot["division"] == number]
        if len(members) >= size:
            largest = max(each for each in sizes if each <= len(members))
            tables += round_robin(members, [each if each <= len(members) else largest for each in sizes])
            hosts += members
    if not hosts:
        return round_robin(field, sizes)
    drawn = draws(seed, round_)
    lot = shuffled(sorted(bot["id"] for bot in field), drawn)
    by_id = {bot["id"]: bot for bot in field}
    guests = [bot for bot in lot if by_id[bot] not in hosts]
    played = [[a, b] for a, b, times in meetings for _ in range(times)]
    been = {bot["id"]: [*bot["seats"], *[0] * (size - len(bot["seats"]))] for bot in field}
    for guest in guests:
        for seat in range(size):
            table = [guest]
            while len(table) < size:
                able = [bot for bot in lot if by_id[bot] in hosts and may_sit(by_id, bot, table, same_author)]
                there = [by_id[host]["division"] for host in table[1:]]
                # One question after another, each among those that were equal in the one before.
                able = least(able, [there.count(by_id[bot]["division"]) for bot in able])
                able = least(able, [played.count([guest, bot]) + played.count([bot, guest]) for bot in able])
                able = least(able, [sum(bot in pair and bool({*guests} & {*pair}) for pair in played) for bot in able])
                table.append(able[0])
            # Meetings of the hosts of a table with each other matter to nobody here.
            played += [[guest, host] for host in table[1:]]
            order = shuffled(table[1:], drawn)
            order.insert(seat, guest)
            order = exchanged(order, been, [j for j in range(size) if j != seat])
            for j, bot in enumerate(order):
                been[bot][j] += 1
            tables.append(order)
    return tables


def least(bots: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Those of the lowest number, in their order."""
    return [bot for bot, number in zip(bots, numbers, strict=True) if number == min(numbers)]


def may_sit(by_id: dict[str, Bot], bot: str, table: Sequence[str], same_author: bool) -> bool:
    """Whether it is not at the table, nor is one of its author's."""

    def name(id_: str) -> str:
        return " ".join((by_id[id_]["author"] or "").split()).casefold()

    return bot not in table and (same_author or not name(bot) or name(bot) not in [name(other) for other in table])


def exchanged(order: Sequence[str], been: dict[str, list[int]], seats: Sequence[int]) -> list[str]:
    """The first pair whose exchange levels the squares changes places, and so on."""

    def squares(table: Sequence[str]) -> int:
        return sum((been[bot][j] + 1) ** 2 - been[bot][j] ** 2 for j, bot in enumerate(table))

    for a in seats:
        for b in seats:
            if a < b:
                other = list(order)
                other[a], other[b] = order[b], order[a]
                if squares(other) < squares(order):
                    return exchanged(other, been, seats)
    return list(order)
