"""A plain table: a faint line of headings, rows below, no boxes; the same on a terminal, in a pipe and in ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

__all__ = ["Column", "least_width", "table"]

GAP = 2
"""Cells between two columns."""

LEAST_NAME = 8
"""Cells that a name keeps, however narrow the screen."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and how its cells stand.

    Where the width does not do, columns with a number in `leaves` are left out, the lowest first; only then are the
    cells of the columns marked `cut` cut, the widest first. No cell is ever broken into lines.
    """

    heading: str
    right: bool = False
    leaves: int | None = None
    cut: bool = False
    style: str = ""


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    width: int | None = None,
    ellipsis: str = "…",
    *,
    rule: int | None = None,
) -> Table:
    """A rich table of the rows, at most `width` cells wide if that can be; `ellipsis` stands where a name was cut.

    A line is drawn before the row of index `rule`, from 0, where there is one. Cells are taken as they stand: what
    others wrote must be visible text already.
    """
    cells = [[column.heading for column in columns], *(list(row) for row in rows)]
    needs = _needs(columns, cells)
    shown = _shown(columns, needs, width)
    over = 0 if width is None else _total(needs, shown) - width
    drawn = Table(box=None, pad_edge=False, header_style="dim", padding=(0, GAP, 0, 0), collapse_padding=True)
    for i in sorted((i for i in shown if columns[i].cut), key=lambda i: -needs[i]):
        if over > 0:
            room = max(LEAST_NAME, needs[i] - over)
            over -= max(0, needs[i] - room)
            needs[i] = min(room, needs[i])
            for row in cells[1:]:
                row[i] = _cut(row[i], room, ellipsis)
    for i in shown:
        column = columns[i]
        drawn.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            no_wrap=True,
            overflow="crop",
            style=column.style,
        )
    for index, row in enumerate(cells[1:]):
        if index == rule:
            drawn.add_row(*("-" * needs[i] for i in shown), style="dim")
        drawn.add_row(*(Text(row[i]) for i in shown))
    return drawn


def least_width(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> int:
    """The width that a table of the rows needs when all that can leave has left and all that can be cut is cut."""
    needs = _needs(columns, [[column.heading for column in columns], *rows])
    for i, column in enumerate(columns):
        if column.cut:
            needs[i] = min(needs[i], max(LEAST_NAME, cell_len(column.heading)))
    return _total(needs, [i for i, column in enumerate(columns) if column.leaves is None])


def _needs(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column as its cells stand."""
    return [max(cell_len(row[i]) for row in cells) for i in range(len(columns))]


def _shown(columns: Sequence[Column], needs: Sequence[int], width: int | None) -> list[int]:
    """Places of the columns that stay."""
    shown = list(range(len(columns)))
    if width is None:
        return shown
    leaving = [(number, i) for i, column in enumerate(columns) if (number := column.leaves) is not None]
    for _, i in sorted(leaving):
        if _total(needs, shown) <= width:
            break
        shown.remove(i)
    return shown


def _total(needs: Sequence[int], shown: Sequence[int]) -> int:
    return sum(needs[i] for i in shown) + GAP * (len(shown) - 1)


def _cut(text: str, room: int, ellipsis: str) -> str:
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - cell_len(ellipsis)) + ellipsis
