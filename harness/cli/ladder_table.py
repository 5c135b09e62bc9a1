"""The ladder: the table people read, the JSON and the CSV that programs read."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from harness.cli.columns import Column, table
from harness.cli.terminal import Signs
from harness.protocol import csv_cell, visible
from harness.ratings import Z95, Standing

__all__ = ["ladder_csv", "ladder_json", "ladder_table"]

FIELDS = (
    "rank",
    "bot",
    "version",
    "mu",
    "sigma",
    "provisional",
    "matches",
    "games",
    "wins",
    "win_share",
    "points",
    "mean_rank",
    "faults",
)
"""Of a standing, in the order of JSON and CSV."""


def ladder_table(standings: Sequence[Standing], sign: Signs, width: int, *, top: int | None = None) -> Table:
    """The table of the first `top` bots, `width` cells wide at most; a provisional rating has a `?` behind it."""
    rows = [
        (
            str(one.rank),
            visible(one.bot),
            f"{one.mu:.2f} {sign.plus_minus} {Z95 * one.sigma:.2f}{'?' if one.provisional else ' '}",
            *_means(one),
            str(one.games),
            str(one.faults or ""),
        )
        for one in standings[:top]
    ]
    columns = (
        Column("rank", right=True),
        Column("bot", cut=True),
        Column(f"{sign.mean} {sign.plus_minus} 95 % ", right=True),
        Column("win %", right=True),
        Column("points", right=True, leaves=2),
        Column("mean rank", right=True, leaves=1),
        Column("games", right=True, leaves=3),
        Column("faults", right=True, style="red"),
    )
    return table(columns, rows, width, sign.ellipsis)


def _means(one: Standing) -> tuple[str, str, str]:
    """Win share in per cent, points and rank a game; nothing is said of who has played none."""
    if not one.games:
        return "-", "-", "-"
    return f"{100 * one.win_share:.1f}", f"{one.points:.2f}", f"{one.mean_rank:.2f}"


def ladder_json(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """One object a bot, with reproducible fields only: all of them follow from the records' results."""
    return [{field: getattr(one, field) for field in FIELDS} for one in standings]


def ladder_csv(standings: Sequence[Standing]) -> str:
    """The same fields as comma-separated values with a line of headings; texts are safe in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for one in standings:
        cells = [getattr(one, field) for field in FIELDS]
        writer.writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_cell(value) if isinstance(value, str) else value
