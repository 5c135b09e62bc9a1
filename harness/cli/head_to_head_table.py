"""Head to head: a matrix of the field where the screen has room for it, else lists; one bot's row as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.cli.columns import Column, least_width, table
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.ratings import HeadToHead

__all__ = ["PAIR_FIELDS", "head_to_head_json", "head_to_head_view"]

PAIR_FIELDS = ("bot", "other", "games", "wins", "ties", "losses", "share", "low", "high")
"""Of a pair, in the order of JSON and CSV."""

_HALF = 0.5

_Cell = Callable[[HeadToHead, Signs], str]


def head_to_head_json(pairs: Sequence[HeadToHead]) -> list[dict[str, Any]]:
    """One object a pair of bots and way round; `share` is how often `bot` finishes before `other`, ties as half."""
    return [
        {
            "bot": pair.bot,
            "other": pair.other,
            "games": pair.games,
            "wins": pair.wins,
            "ties": pair.ties,
            "losses": pair.losses,
            "share": pair.share,
            "low": pair.interval[0],
            "high": pair.interval[1],
        }
        for pair in pairs
    ]


def head_to_head_view(
    pairs: Sequence[HeadToHead], order: Sequence[str], bot: str | None, sign: Signs, width: int
) -> Iterator[RenderableType]:
    """Those of `bot` as a list, or all: as a matrix with intervals, as one without, or as a list of pairs.

    `order` is that of the ladder; a pair is listed once, from the side of the one that stands higher there.
    """
    if not pairs:
        yield Text(
            "no match that counts is of a round that is over"
            if bot is None
            else f"no game of {visible(bot)} that counts is of a round that is over"
        )
        return
    if bot is not None:
        yield Text(f"head to head: how often {visible(bot)} finishes before the other, in %, ties half")
        yield _pairs_table(pairs, sign, width, one=True)
        return
    found = {(pair.bot, pair.other): pair for pair in pairs}
    met = {pair.bot for pair in pairs}
    bots = [one for one in order if one in met]
    for cell, note in ((_with_interval, ""), (_share_alone, _NOTE)):
        columns, rows = _matrix(found, bots, cell, sign)
        if least_width(columns, rows) <= width:
            yield Text("head to head: how often a row's bot finishes before a column's, in %, ties half")
            yield table(columns, rows, width, sign.ellipsis)
            if note:
                yield Text(note, style="dim")
            return
    place = {one: number for number, one in enumerate(order)}
    once = [pair for pair in pairs if place[pair.bot] < place[pair.other]]
    once.sort(key=lambda pair: (place[pair.bot], place[pair.other]))
    yield Text("head to head: how often the first finishes before the other, in %, ties half")
    yield _pairs_table(once, sign, width, one=False)


_NOTE = "*: the 95 % interval does not hold 50 %; --bot BOT shows a bot's intervals"


def _matrix(
    found: dict[tuple[str, str], HeadToHead], bots: Sequence[str], cell: _Cell, sign: Signs
) -> tuple[list[Column], list[list[str]]]:
    columns = [Column("", right=True), Column("bot", cut=True)]
    columns += [Column(str(number), right=True) for number in range(1, len(bots) + 1)]
    rows = []
    for number, bot in enumerate(bots, start=1):
        cells = []
        for other in bots:
            pair = found.get((bot, other))
            cells.append(cell(pair, sign) if pair is not None else "" if bot == other else "-")
        rows.append([str(number), visible(bot), *cells])
    return columns, rows


def _with_interval(pair: HeadToHead, sign: Signs) -> str:
    low, high = pair.interval
    return f"{100 * pair.share:.0f} {100 * low:.0f}{sign.dash}{100 * high:.0f}"


def _share_alone(pair: HeadToHead, _sign: Signs) -> str:
    low, high = pair.interval
    return f"{100 * pair.share:.0f}{' ' if low <= _HALF <= high else '*'}"


def _pairs_table(pairs: Sequence[HeadToHead], sign: Signs, width: int, *, one: bool) -> RenderableType:
    """A line a pair; of `one` bot only, its own name is left out."""
    rows = []
    for pair in pairs:
        low, high = pair.interval
        rows.append(
            (
                *([] if one else [visible(pair.bot)]),
                visible(pair.other),
                f"{100 * pair.share:.1f}",
                f"{100 * low:.1f}{sign.dash}{100 * high:.1f}",
                str(pair.games),
                str(pair.wins),
                str(pair.ties),
                str(pair.losses),
            )
        )
    columns = (
        *([] if one else [Column("bot", cut=True)]),
        Column("other", cut=True),
        Column("before %", right=True),
        Column("95 %", right=True),
        Column("games", right=True),
        Column("wins", right=True, leaves=2),
        Column("ties", right=True, leaves=1),
        Column("losses", right=True, leaves=3),
    )
    return table(columns, rows, width, sign.ellipsis)
