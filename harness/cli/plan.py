"""`harness plan`: what a run of a league would be."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.league_options import league_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.league import Entrant, League

__all__ = ["plan"]

PILOT_TABLES = 3  # of each size at most; bots differ in speed, and one that faults at once tells nothing


@click.command("plan")
@league_argument
@click.option(
    "--workers", type=click.IntRange(1, 1024), metavar="N", help="Matches side by side; one a core if not given."
)
@click.option("--pilot/--no-pilot", default=True, show_default=True, help="Play a few matches to tell the hours.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def plan(league_file: Path, workers: int | None, pilot: bool, as_json: bool) -> None:
    """Show what a run of LEAGUE.toml would be: matches, spread of pairs and seats, hours, width of the intervals.

    Nothing is stored. The pilot matches run bots, so they need what a run needs.
    """
    from dataclasses import asdict

    from harness.cli.json_text import dumped
    from harness.cli.plan_view import plan_view
    from harness.cli.terminal import console, signs
    from harness.league import load_league
    from harness.league import plan as plan_of

    league = load_league(league_file)
    entrants = league.load_bots()
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found = plan_of(league, entrants, _pilot(league, entrants) if pilot else None)
    if as_json:
        click.echo(dumped({"league": league.name, "workers": workers, **asdict(found)}, indent=2))
        return
    paper = console(sys.stdout, table=True)
    for part in plan_view(league, found, workers, signs(sys.stdout)):
        paper.print(part)


def _pilot(league: "League", entrants: "Sequence[Entrant]") -> dict[int, float]:
    """Seconds a match at each size of table, start-up included: the mean over a few tables of different bots."""
    from harness.executors import play_here
    from harness.referee import Fixture, Seat
    from sandbox import backend

    where = backend(league.require_backend())
    seconds: dict[int, float] = {}
    for size in sorted(set(league.seats)):
        tables = min(PILOT_TABLES, len(entrants) // size)
        began = time.monotonic()
        for first in range(0, tables * size, size):
            table = entrants[first : first + size]
            seats = tuple(Seat(entrant.id, entrant.bot.version) for entrant in table)
            fixture = Fixture(None, 0, 0, 0, "00" * 16, league.edition, league.games, league.limits, seats)
            play_here(fixture, [entrant.bot for entrant in table], where)
        seconds[size] = (time.monotonic() - began) / tables
    return seconds
