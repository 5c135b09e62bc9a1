"""What a match came to, seat by seat: the numbers of `harness play`, and the table of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from harness.cli.columns import Column, table
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.ratings import seat_totals

__all__ = ["SeatResult", "result_table", "seat_results"]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat over all games of a match. `ranks[r - 1]` counts games at rank r.

    `wins` counts a victory shared by k seats as 1/k.
    """

    seat: int
    bot: str
    points: float
    wins: float
    mean_rank: float
    ranks: tuple[int, ...]
    fault: str | None
    cpu_us: int
    decisions: int


def seat_results(record: Mapping[str, Any]) -> tuple[SeatResult, ...]:
    """Sum up a match record by seat. A game that all seats have forfeited is won by none."""
    games = record["games"]
    size = len(record["seats"])
    faults = {fault["seat"]: fault["kind"] for fault in record["faults"]}
    results = []
    for seat, totals in enumerate(seat_totals(record)):
        ranks = [game["ranks"][seat] for game in games]
        results.append(
            SeatResult(
                seat=seat,
                bot=record["seats"][seat]["bot"],
                points=totals.points / len(games),
                wins=totals.wins,
                mean_rank=totals.ranks / len(games),
                ranks=tuple(ranks.count(rank) for rank in range(1, size + 1)),
                fault=faults.get(seat),
                cpu_us=record["timing"][seat]["cpu_us"],
                decisions=record["timing"][seat]["decisions"],
            )
        )
    return tuple(results)


def result_table(results: Sequence[SeatResult], sign: Signs, width: int) -> Table:
    """The table, `width` cells wide at most: seats in order, since a bot may take several."""
    rows = []
    for one in results:
        per_move = f"{one.cpu_us / one.decisions / 1000:.2f}" if one.decisions else ""
        rows.append(
            (
                str(one.seat),
                visible(one.bot),
                f"{one.points:.2f}",
                f"{one.wins:.2f}".rstrip("0").rstrip("."),
                f"{one.mean_rank:.2f}",
                " ".join(str(n) for n in one.ranks),
                per_move,
                visible(one.fault, 40) if one.fault else "",
            )
        )
    columns = (
        Column("seat", right=True),
        Column("bot", cut=True),
        Column("points", right=True),
        Column("wins", right=True),
        Column("mean rank", right=True, leaves=2),
        Column(f"ranks 1, 2, {sign.ellipsis}", right=True, leaves=3),
        Column("ms/move", right=True, leaves=1),
        Column("fault", style="red"),
    )
    return table(columns, rows, width, sign.ellipsis)
