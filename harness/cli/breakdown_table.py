"""Results by size of table, composition, division, round or opponent: the table, and the rows that programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.ladder_table import mean_cells
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.ratings import Z95, Breakdown, View

__all__ = ["breakdown_fields", "breakdown_json", "breakdown_view"]

_NUMBERS = ("matches", "games", "wins", "win_share", "expected_share", "points", "mean_rank", "faults")

_NAMES: dict[View, tuple[str, str, str]] = {
    "size": ("size", "seats", "by size of the table"),
    "composition": ("opponents", "opponents", "by who else sat at the table"),
    "division": ("division", "division", "by division of the table; mixed: of bots from several"),
    "round": ("round", "round", "by round"),
    "opponent": ("opponent", "opponent", "by opponent; a match counts once for each of them"),
}
"""By view: the key's field in JSON and CSV, the heading of its column, and what the table says of itself."""


def breakdown_fields(view: View) -> tuple[str, ...]:
    """The fields of a row, in the order of JSON and CSV; by round the rating after it stands behind."""
    return ("bot", _NAMES[view][0], *_NUMBERS, *(("mu", "sigma") if view == "round" else ()))


def breakdown_json(parts: Sequence[Breakdown], view: View) -> list[dict[str, Any]]:
    """One object a bot and part; `expected_share` is what `win_share` would be were all bots equal."""
    return [
        dict(
            zip(
                breakdown_fields(view),
                (
                    part.bot,
                    list(part.key) if isinstance(part.key, tuple) else part.key,
                    part.totals.matches,
                    part.totals.games,
                    part.totals.wins,
                    part.totals.win_share,
                    part.expected_share,
                    part.totals.mean_points,
                    part.totals.mean_rank,
                    part.totals.faults,
                    *((part.after.mu, part.after.sigma) if view == "round" else ()),
                ),
                strict=True,
            )
        )
        for part in parts
    ]


def breakdown_view(
    parts: Sequence[Breakdown], view: View, bot: str | None, sign: Signs, width: int
) -> Iterator[RenderableType]:
    """What the table is, and the table; a bot's name stands at its first line only."""
    _, heading, what = _NAMES[view]
    whose = "" if bot is None else f" of {visible(bot)}"
    if not parts:
        yield Text(f"no results{whose} to show: no match that counts is of a round that is over")
        return
    yield Text(f"results{whose} {what}")
    rows = []
    before = None
    for part in parts:
        totals = part.totals
        win, points, rank = mean_cells(totals.games, totals.win_share, totals.mean_points, totals.mean_rank)
        rows.append(
            (
                *([] if bot is not None else ["" if part.bot == before else visible(part.bot)]),
                ", ".join(map(visible, part.key)) if isinstance(part.key, tuple) else visible(str(part.key)),
                str(totals.matches),
                str(totals.games),
                win,
                f"{100 * part.expected_share:.1f}",
                points,
                rank,
                *([_rating(part, sign)] if view == "round" else []),
                str(totals.faults or ""),
            )
        )
        before = part.bot
    names = view in ("composition", "opponent")
    columns = (
        *([] if bot is not None else [Column("bot", cut=True)]),
        Column(heading, right=not names, cut=names),
        Column("matches", right=True, leaves=2),
        Column("games", right=True),
        Column("win %", right=True),
        Column("expected %", right=True, leaves=5),
        Column("points", right=True, leaves=4),
        Column("mean rank", right=True, leaves=3),
        *([Column(f"{sign.mean} {sign.plus_minus} 95 %", right=True)] if view == "round" else []),
        Column("faults", right=True, leaves=None if any(part.totals.faults for part in parts) else 1, style="red"),
    )
    drawn = table(columns, rows, width, sign.ellipsis)
    yield drawn
    if any(str(column.header) == "expected %" for column in drawn.columns):
        yield Text("expected %: the win share were all bots equal", style="dim")


def _rating(part: Breakdown, sign: Signs) -> str:
    return f"{part.after.mu:.2f} {sign.plus_minus} {Z95 * part.after.sigma:.2f}"
