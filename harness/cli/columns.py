"""A plain table: a faint line of headings, rows below, no boxes; the same on a terminal, in a pipe and in ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

__all__ = ["Column", "table"]

GAP = 2
"""Cells between two columns."""

LEAST_NAME = 8
"""Cells that a name keeps, however narrow the screen."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and how its cells stand.

    Where the width does not do, columns with a number in `leaves` are left out, the lowest first; only then are the
    cells of the column marked `cut` cut. No cell is ever broken into lines.
    """

    heading: str
    right: bool = False
    leaves: int | None = None
    cut: bool = False
    style: str = ""


def table(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int | None = None, ellipsis: str = "…"
) -> Table:
    """A rich table of the rows, at most `width` cells wide if that can be; `ellipsis` stands where a name was cut.

    Cells are taken as they stand: what others wrote must be visible text already.
    """
    cells = [[column.heading for column in columns], *(list(row) for row in rows)]
    needs = [max(cell_len(row[i]) for row in cells) for i in range(len(columns))]
    shown = _shown(columns, needs, width)
    over = 0 if width is None else _total(needs, shown) - width
    drawn = Table(box=None, pad_edge=False, header_style="dim", padding=(0, GAP, 0, 0), collapse_padding=True)
    for i in shown:
        column = columns[i]
        if column.cut and over > 0:
            room = max(LEAST_NAME, needs[i] - over)
            for row in cells[1:]:
                row[i] = _cut(row[i], room, ellipsis)
        drawn.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            no_wrap=True,
            overflow="crop",
            style=column.style,
        )
    for row in cells[1:]:
        drawn.add_row(*(Text(row[i]) for i in shown))
    return drawn


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
