"""The pairings of the format `ladder`, made anew from the words at the head of its module; uses nothing of the harness.

A field is a list of objects with `id`, `author` (or null), `mu`, `sigma`, `matches`, `sat_out` and `seats` (how often
in seat 0, 1, …; later ones may be missing). Meetings are a list of `[id, id, times]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from tests.second.rules import words

Bot = dict[str, Any]


def _words(seed: str, round_: int) -> Iterator[int]:
    yield from words(f"pair/{seed}/{round_}", 1 << 14)


def _below(n: int, drawn: Iterator[int]) -> int:
    fair = (1 << 64) // n * n
    while True:
        word = next(drawn)
        if word < fair:
            return word % n


def _shuffled(things: Sequence[Any], drawn: Iterator[int]) -> list[Any]:
    deck = list(things)
    for last in reversed(range(1, len(deck))):
        other = _below(last + 1, drawn)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def _whole(value: float) -> int:
    return int(Decimal(value).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def ladder_tables(
    field: Sequence[Bot],
    meetings: Sequence[Sequence[Any]],
    round_: int,
    sizes: Sequence[int],
    seed: str,
    *,
    start: tuple[float, float],
    same_author: bool = False,
) -> list[list[str]]:
    """The tables of a round, ids by seat; `start` is the league's starting μ and σ."""
    size = sizes[(round_ - 1) % len(sizes)]
    drawn = _words(seed, round_)
    bots = _shuffled(sorted(field, key=lambda bot: bot["id"]), drawn)
    met = {frozenset(pair): times for *pair, times in meetings}
    for rank, bot in enumerate(bots):
        author = " ".join((bot["author"] or "").split()).casefold()
        bot["of"] = bot["id"] if same_author or not author else "by " + author
        bot["rank"] = rank
        bot["level"] = _whole(100 * (bot["mu"] - start[0]) / start[1])
        bot["doubt"] = _whole(10 * bot["sigma"] / start[1])
    # A stable sort keeps the lot among equals.
    waiting = sorted(bots, key=lambda bot: bot["sat_out"])[len(bots) % size :]
    unsure = sorted(waiting, key=lambda bot: (-bot["doubt"], bot["matches"], bot["rank"]))
    heads = unsure[: len(bots) // size]
    tables = []
    for head in [*heads]:
        table = [head]
        due = {bot["of"] for bot in waiting if sum(other["of"] == bot["of"] for other in waiting) == len(heads)}
        while len(table) < size:
            here = {bot["of"] for bot in table}
            able = [bot for bot in waiting if bot["of"] not in here and bot not in heads and bot not in table]
            if len(due - here) >= size - len(table):
                able = [bot for bot in able if bot["of"] in due]
            order = sorted(able, key=lambda bot: (abs(bot["level"] - head["level"]), bot["rank"]))
            two: list[Bot] = []
            while order and len(two) < 2:
                two.append(order.pop(len(order) // (_below(len(order), drawn) + 1) - 1))
            shared = [sum(met.get(frozenset([bot["id"], other["id"]]), 0) for other in table) for bot in two]
            table.append(two[shared.index(min(shared))])
        heads.remove(head)
        waiting = [bot for bot in waiting if bot not in table]
        tables.append(_seated(_shuffled(table, drawn)))
    return tables


def _seated(table: list[Bot]) -> list[str]:
    def times(bot: Bot, seat: int) -> int:
        return bot["seats"][seat] if seat < len(bot["seats"]) else 0

    def squares(order: Sequence[Bot]) -> int:
        return sum((times(bot, seat) + 1) ** 2 - times(bot, seat) ** 2 for seat, bot in enumerate(order))

    moved = True
    while moved:
        moved = False
        for a in range(len(table)):
            for b in range(a + 1, len(table)):
                other = [*table]
                other[a], other[b] = table[b], table[a]
                if not moved and squares(other) < squares(table):
                    table, moved = other, True
    return [bot["id"] for bot in table]
