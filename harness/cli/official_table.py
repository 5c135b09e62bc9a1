"""The official table of a season: strengths whatever the order of matches, with their intervals and those of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.ladder_table import division_cell
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.ratings import ENOUGH_GAMES, Strength

__all__ = ["OFFICIAL_FIELDS", "official_json", "official_view"]

OFFICIAL_FIELDS = (
    "rank",
    "rank_low",
    "rank_high",
    "bot",
    "version",
    "division",
    "strength",
    "low",
    "high",
    "games",
)
"""Of a line, in the order of JSON and CSV."""

VERSION, VERSION_AMONG_SEVERAL = 12, 8
"""Digits shown of a version; fewer where it must stay on a narrow screen, since some bot has several."""


def official_json(lines: Sequence[Strength]) -> list[dict[str, Any]]:
    """One object a version, in the order of the table; the three ranks are None for one that is not ranked."""
    return [{field: getattr(line, field) for field in OFFICIAL_FIELDS} for line in lines]


def official_view(
    lines: Sequence[Strength], *, final: bool, anchors: Sequence[str] = (), sign: Signs, width: int
) -> Iterator[RenderableType]:
    """What the table is, the table, and why some versions stand below its line."""
    yield Text(f"official table, {'final' if final else 'as of now'}: strengths whatever the order of the matches")
    if not lines:
        yield Text("no match counts yet")
        return
    if anchors:
        yield Text(f"its level: the mean of the anchors {', '.join(visible(bot) for bot in anchors)}", style="dim")
    else:
        yield Text(
            f"its level: what the bots brought; compare differences, not with {sign.mean} of the ladder", style="dim"
        )
    divided = any(line.division for line in lines)
    several = len({line.bot for line in lines}) < len(lines)
    rows = [
        (
            "" if line.rank is None else str(line.rank),
            _span(line.rank_low, line.rank_high, sign),
            *([division_cell(line.division)] if divided else []),
            visible(line.bot),
            line.version[: VERSION_AMONG_SEVERAL if several else VERSION],
            f"{line.strength:.2f}",
            f"[{line.low:.2f}, {line.high:.2f}]",
            str(line.games),
        )
        for line in lines
    ]
    columns = (
        Column("rank", right=True),
        Column("95 %", right=True),
        *([Column("division", right=True)] if divided else []),
        Column("bot", cut=True),
        Column("version", leaves=None if several else 1),
        Column("strength", right=True),
        Column("95 %", right=True),
        Column("games", right=True, leaves=2),
    )
    first_unranked = next((place for place, line in enumerate(lines) if line.rank is None), None)
    yield table(columns, rows, width, sign.ellipsis, rule=first_unranked)
    if first_unranked is not None:
        yield Text(
            f"not ranked, below the line: fewer than {ENOUGH_GAMES} rated games, or its bot no longer plays with it",
            style="dim",
        )


def _span(low: int | None, high: int | None, sign: Signs) -> str:
    if low is None or high is None:
        return ""
    return str(low) if low == high else f"{low}{sign.dash}{high}"
