"""A plan drawn for people."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.live_view import duration
from harness.cli.terminal import Signs
from harness.league import League, Plan
from harness.protocol import visible

__all__ = ["plan_view"]

START_S = 1.5
"""Seconds before the first match: imports, builds, workers, by runs on an idle machine with two cores."""

STORE_S = 0.002
"""Seconds to store and rate a match, one after the other whatever the number of workers; by the same runs."""


def plan_view(league: League, plan: Plan, workers: int, sign: Signs) -> Iterator[RenderableType]:
    """How much is played, how evenly, how long, how sure the win shares will be; a row a size of table."""
    known = " (practice: its decks are known)" if league.seed is not None else ""
    yield Text(f"{visible(league.name)}{known}: {visible(league.format)}, {visible(league.edition.name)}", style="bold")
    yield Text(
        f"{plan.bots} bots, {plan.rounds} rounds, {plan.matches} matches of {league.games} games, {plan.games} games"
    )
    rows = [
        (
            str(one.size),
            str(one.rounds),
            str(one.matches),
            _span(one.matches_per_bot, sign),
            f"{_span(one.spread.pairs, sign)} (mean {one.spread.pairs_mean:.1f})",
            _span(one.spread.seats, sign),
            f"{100 * one.half_width:.1f}",
        )
        for one in plan.sizes
    ]
    headings = ("seats", "rounds", "matches", "per bot", "per pair", "per seat", f"win % {sign.plus_minus}")
    yield table([Column(heading, right=True) for heading in headings], rows)
    if plan.by_rating:
        yield Text("spread as if all were equally strong; those near each other in rating will meet more often")
    yield Text(f"expected 95 % interval of a bot's win share: {sign.plus_minus} {100 * plan.half_width:.1f} %")
    if plan.seconds is not None:
        beside = "one worker" if workers == 1 else f"{workers} workers"
        seconds = START_S + STORE_S * plan.matches + plan.seconds / workers
        yield Text(f"about {duration(seconds)} on an idle machine with {beside}, by pilot matches played just now")


def _span(least_most: tuple[int, int], sign: Signs) -> str:
    least, most = least_most
    return str(least) if least == most else f"{least}{sign.dash}{most}"
