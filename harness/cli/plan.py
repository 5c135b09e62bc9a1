"""`harness plan`: what a run of a league would be."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from harness.cli.json_text import dumped
from harness.cli.league_options import league_argument, loaded
from harness.cli.paper import console
from harness.cli.plan_view import plan_view
from harness.cli.terminal import signs
from harness.league import pilot as play_pilot
from harness.league import plan as plan_of
from harness.referee import cores_at_hand

__all__ = ["plan"]


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
    league = loaded(league_file)
    entrants = league.load_bots()
    workers = workers or cores_at_hand()
    found = plan_of(league, entrants, play_pilot(league, entrants) if pilot else None)
    if as_json:
        click.echo(dumped({"league": league.name, "workers": workers, **asdict(found)}, indent=2))
        return
    paper = console(sys.stdout, table=True)
    for part in plan_view(league, found, workers, signs(sys.stdout)):
        paper.print(part)
