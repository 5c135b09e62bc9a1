"""A plan drawn for people."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.live_view import duration
from harness.cli.terminal import Signs
from harness.league import League, Plan
from harness.league.plan import DividedPlan, GauntletPlan, TenfoldPlan
from harness.protocol import visible
from harness.ratings import ENOUGH_GAMES

__all__ = ["plan_view"]

START_S = 1.5
"""Seconds before the first match: imports, builds, workers, by runs on an idle machine with two cores."""

STORE_S = 0.002
"""Seconds to store and rate a match, one after the other whatever the number of workers; by the same runs."""


def plan_view(league: League, plan: Plan, workers: int, sign: Signs) -> Iterator[RenderableType]:
    """How much is played, how evenly, how long, how sure the outcome will be; a row a size of table."""
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
    whose = "a bot" if plan.gauntlet is None else visible(plan.gauntlet.bot)
    yield Text(f"expected 95 % interval of {whose}'s win share: {sign.plus_minus} {100 * plan.half_width:.1f} %")
    if plan.strength is not None:
        yield Text(
            f"expected 95 % interval of {whose}'s strength: {sign.plus_minus} {plan.strength.half_width:.2f} points"
            f" of μ; bots that are {plan.strength.gap:.2f} apart would be told apart"
            " (less well where bots are very unlike)"
        )
    if plan.gauntlet is not None:
        yield from _gauntlet(league, plan.gauntlet, sign)
    if plan.divided is not None:
        yield Text(_divided(plan.divided, sign))
    least = plan.matches_per_bot[0] * league.games
    if least < ENOUGH_GAMES:
        yield Text(
            f"a bot plays {least} games in a season, and needs {ENOUGH_GAMES} to have a rank"
            f"{'; without ranks there will be no divisions' if plan.divided is not None else ''}",
            style="yellow",
        )
    if plan.seconds is not None:
        beside = "one worker" if workers == 1 else f"{workers} workers"
        lasts = duration(_seconds(plan.matches, plan.seconds, workers))
        yield Text(f"about {lasts} on an idle machine with {beside}, by pilot matches played just now")
    yield Text(_tenfold(plan.tenfold, workers, sign))


def _seconds(matches: int, playing: float, workers: int) -> float:
    """How long a run takes whose matches take `playing` seconds one after the other."""
    return START_S + STORE_S * matches + playing / workers


def _tenfold(ten: TenfoldPlan, workers: int, sign: Signs) -> str:
    """What ten times as many rounds would buy."""
    parts = [f"{ten.matches} matches"]
    if ten.seconds is not None:
        parts.append(f"about {duration(_seconds(ten.matches, ten.seconds, workers))}")
    parts.append(f"win share {sign.plus_minus} {100 * ten.half_width:.1f} %")
    if ten.strength is not None:
        parts.append(f"strength {sign.plus_minus} {ten.strength.half_width:.2f}, told apart at {ten.strength.gap:.2f}")
    return f"with ten times as many rounds: {', '.join(parts)}"


def _gauntlet(league: League, found: GauntletPlan, sign: Signs) -> Iterator[RenderableType]:
    """How far the budget of a gauntlet goes."""
    ends = (
        f"among equals the season would end after round {found.rounds_needed}, among very unlike bots much later"
        if found.enough
        else f"that needs {found.rounds_needed} rounds even among equals, more than the {league.rounds} of the league"
    )
    yield Text(f"asked for: {sign.plus_minus} {found.width:g} points of μ; {ends}")
    for one in found.compositions:
        yield Text(f"{one.covered} of {one.compositions} compositions of a table of {one.size} in all rounds")


def _divided(found: DividedPlan, sign: Signs) -> str:
    """What a later season, with divisions, would be."""
    sure = "" if found.strength is None else f", strength {sign.plus_minus} {found.strength.half_width:.2f}"
    bots = ", ".join(str(count) for count in found.bots)
    return f"that is the first season, without divisions; with divisions of {bots} bots: {found.matches} matches{sure}"


def _span(least_most: tuple[int, int], sign: Signs) -> str:
    least, most = least_most
    return str(least) if least == most else f"{least}{sign.dash}{most}"
