"""The ladder: the table people read, the JSON and the CSV that programs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from harness.cli.columns import Column, table
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.ratings import PLAYS, Z95, Standing

__all__ = ["FIELDS", "division_cell", "ladder_json", "ladder_table", "mean_cells"]

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
    "division",
    "state",
)
"""Of a standing, in the order of JSON and CSV."""


def ladder_table(standings: Sequence[Standing], sign: Signs, width: int, *, top: int | None = None) -> Table:
    """The table of the first `top` bots, `width` cells wide at most; a provisional rating has a `?` behind it.

    Divisions and states have a column where there is something to tell.
    """
    divided = any(one.division for one in standings)
    some_faulted = any(one.faults for one in standings)
    some_out = any(one.state != PLAYS for one in standings)
    rows = [
        (
            "" if one.rank is None else str(one.rank),
            *([division_cell(one.division)] if divided else []),
            visible(one.bot),
            f"{one.mu:.2f} {sign.plus_minus} {Z95 * one.sigma:.2f}{'?' if one.provisional else ' '}",
            *mean_cells(one.games, one.win_share, one.points, one.mean_rank),
            str(one.games),
            str(one.faults or ""),
            *(["" if one.state == PLAYS else visible(one.state)] if some_out else []),
        )
        for one in standings[:top]
    ]
    columns = (
        Column("rank", right=True),
        *([Column("division", right=True)] if divided else []),
        Column("bot", cut=True),
        Column(f"{sign.mean} {sign.plus_minus} 95 % ", right=True),
        Column("win %", right=True),
        Column("points", right=True, leaves=2),
        Column("mean rank", right=True, leaves=1),
        Column("games", right=True, leaves=3),
        Column("faults", right=True, leaves=None if some_faulted else 0, style="red"),
        *([Column("state")] if some_out else []),
    )
    return table(columns, rows, width, sign.ellipsis)


def division_cell(division: int) -> str:
    """A division as its number, none as an empty cell."""
    return str(division or "")


def mean_cells(games: int, win_share: float, points: float, mean_rank: float) -> tuple[str, str, str]:
    """Win share in per cent, points and rank a game; nothing is said of who has played none."""
    if not games:
        return "-", "-", "-"
    return f"{100 * win_share:.1f}", f"{points:.2f}", f"{mean_rank:.2f}"


def ladder_json(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """One object a bot, with reproducible fields only: all of them follow from the records' results."""
    return [{field: getattr(one, field) for field in FIELDS} for one in standings]
