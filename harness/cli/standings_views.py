"""What `harness standings` can show: each view as rows for programs and as drawn for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from harness.cli.breakdown_table import breakdown_fields, breakdown_json, breakdown_view
from harness.cli.head_to_head_table import PAIR_FIELDS, head_to_head_json, head_to_head_view
from harness.cli.ladder_table import FIELDS, ladder_json, ladder_table
from harness.cli.official_table import OFFICIAL_FIELDS, official_json, official_view
from harness.cli.terminal import Signs
from harness.errors import BadInput
from harness.league import breakdown_of, head_to_head_of, official_table_of
from harness.protocol import visible
from harness.ratings import View

if TYPE_CHECKING:
    from harness.store import SeasonRow, Store

__all__ = ["Shown", "breakdown_shown", "head_to_head_shown", "ladder_shown", "official_shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A view: its `rows` with their `fields`, and how a screen of so many cells draws it.

    `name` is the rows' key in JSON; `beside` stands before them there, `behind` after them. `open_counts` says whether
    it holds matches of a round that is open.
    """

    name: str
    fields: Sequence[str]
    rows: list[dict[str, Any]]
    drawn: Callable[[Signs, int], Iterator[RenderableType]]
    beside: Mapping[str, Any] = field(default_factory=dict)
    behind: Mapping[str, Any] = field(default_factory=dict)
    open_counts: bool = False


def ladder_shown(store: Store, row: SeasonRow, size: int | None) -> Shown:
    """The ladder, and below that of a season that has ended, of tables of all sizes, the official table."""
    ladder = store.standings(row.id, size)
    final = official_table_of(store, row) if row.state == "ended" and size is None else None

    def drawn(sign: Signs, width: int) -> Iterator[RenderableType]:
        yield ladder_table(ladder, sign, width)
        if final is not None:
            yield Text()
            yield from official_view(final, final=True, anchors=row.anchors, sign=sign, width=width)

    behind = {} if final is None else {"official": official_json(final)}
    return Shown("standings", FIELDS, ladder_json(ladder), drawn, behind=behind, open_counts=True)


def official_shown(store: Store, row: SeasonRow) -> Shown:
    """The official table, as it is now or as it was kept at the season's end."""
    lines = official_table_of(store, row)
    final = row.state == "ended"
    return Shown(
        "official",
        OFFICIAL_FIELDS,
        official_json(lines),
        lambda sign, width: official_view(lines, final=final, anchors=row.anchors, sign=sign, width=width),
        beside={"final": final},
        open_counts=True,
    )


def head_to_head_shown(store: Store, row: SeasonRow, size: int | None, bot: str | None) -> Shown:
    """How often each finishes before each; BadInput for a `bot` that is not in the season."""
    order = _order(store, row, bot)
    place = {one: number for number, one in enumerate(order)}
    pairs = [pair for pair in head_to_head_of(store, row, size) if bot is None or pair.bot == bot]
    pairs.sort(key=lambda pair: (place[pair.bot], place[pair.other]))
    return Shown(
        "head_to_head",
        PAIR_FIELDS,
        head_to_head_json(pairs),
        lambda sign, width: head_to_head_view(pairs, order, bot, sign, width),
    )


def breakdown_shown(store: Store, row: SeasonRow, view: View, size: int | None, bot: str | None) -> Shown:
    """Results by the parts that `view` makes; BadInput for a `bot` that is not in the season."""
    order = _order(store, row, bot)
    if view == "division" and not row.divisions:
        raise BadInput(f"--by division: season {row.number} of {row.league} has no divisions; leave it out")
    place = {one: number for number, one in enumerate(order)}
    parts = breakdown_of(store, row, view, size=size, bot=bot)
    parts.sort(key=lambda part: place[part.bot])
    return Shown(
        "breakdown",
        breakdown_fields(view),
        breakdown_json(parts, view),
        lambda sign, width: breakdown_view(parts, view, bot, sign, width),
        beside={"by": view},
    )


def _order(store: Store, row: SeasonRow, bot: str | None) -> list[str]:
    """The season's bots in the order of its ladder; BadInput where `bot` is given and none of them."""
    order = [one.bot for one in store.standings(row.id)]
    if bot is not None and bot not in order:
        raise BadInput(f"no bot {visible(bot, 60)} in season {row.number}; there are {', '.join(sorted(order))}")
    return order
