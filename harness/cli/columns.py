"""A plain table: a faint line of headings, rows below, no boxes; the same on a terminal, in a pipe and in ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

__all__ = ["Column", "table"]


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and how its cells stand. `fold` marks the column that gives way where there is little room."""

    heading: str
    right: bool = False
    fold: bool = False
    style: str = ""


def table(columns: Sequence[Column], rows: Iterable[Sequence[str | Text]]) -> Table:
    """A rich table of the rows. Cells are taken as they stand: what others wrote must be visible text already."""
    drawn = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), collapse_padding=True)
    for column in columns:
        drawn.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            no_wrap=not column.fold,
            overflow="fold",
            style=column.style,
            min_width=8 if column.fold else None,
        )
    for row in rows:
        drawn.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return drawn
