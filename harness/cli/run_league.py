"""`harness run-league`: plays a league's season to its end, on from where it stopped, or season after season."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.event_json import event_json
from harness.cli.json_text import dumped
from harness.cli.ladder_table import ladder_json, ladder_table
from harness.cli.league_options import MOST, league_argument, opened, season_option, store_option
from harness.cli.paper import console
from harness.cli.progress import Teller, progress
from harness.cli.run_tally import RunTally
from harness.cli.terminal import signs
from harness.executors import StopSignal
from harness.league import Event, League, RunSummary
from harness.league import run_league as run
from harness.protocol import visible
from harness.referee import cores_at_hand

if TYPE_CHECKING:
    from harness.publish import LiveSite
    from harness.store import Store

__all__ = ["run_league"]


@click.command("run-league")
@league_argument
@store_option
@season_option
@click.option("--new-season", is_flag=True, help="Begin another season; the one under way ends as it stands.")
@click.option(
    "--workers", type=click.IntRange(1, 1024), metavar="N", help="Matches side by side; one a core if not given."
)
@click.option(
    "--rounds", type=click.IntRange(0, MOST), metavar="N", help="Stop after N rounds; 0 only announces the season."
)
@click.option(
    "--follow", is_flag=True, help="Go on for ever, season after season; submissions play from the next round."
)
@click.option(
    "--publish",
    "site",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the league's site in DIR up to date, after each round.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what happens as JSON, an object a line, the ladder last.")
def run_league(
    league_file: Path,
    store_url: str | None,
    season: int | None,
    new_season: bool,
    workers: int | None,
    rounds: int | None,
    follow: bool,
    site: Path | None,
    as_json: bool,
) -> None:
    """Play the season of LEAGUE.toml to its end, or go on from where it stopped.

    With --follow another season begins behind each that is over, with the bots that LEAGUE.toml names by then and those
    submitted; where too few are entered for a table it waits for `harness submit` or `harness bots`.

    Ctrl-C stops it at once; what was played is kept, and the same command goes on. Progress goes to stderr, the ladder
    to stdout.
    """
    tally = RunTally(limit=rounds)

    def print_event(event: Event) -> None:
        tally(event)
        line = event_json(event)
        if line is not None:
            click.echo(dumped(line))

    if season is not None and new_season:
        raise click.UsageError("--season and --new-season exclude each other, give one of them")
    telling: AbstractContextManager[Teller] = nullcontext(print_event) if as_json else progress(sys.stderr, tally)
    with opened(league_file, store_url, write=True) as (league, store), StopSignal() as stop, telling as tell:
        live = None if site is None else _live_site(league, store, site, stop, tell)

        def tell_all(event: Event) -> None:
            tell(event)
            if live is not None:
                live(event)

        summary = run(
            league,
            store,
            season=season,
            new_season=new_season,
            workers=workers or cores_at_hand(),
            rounds=rounds,
            follow=follow,
            tell=tell_all,
            stop=stop,
        )
        failure = None if live is None else live.finish()
    _result(summary, tally, as_json)
    if failure is not None:
        raise failure
    if site is not None:
        click.echo(f"site: {visible(str(site / 'index.html'))}", err=True)


def _live_site(league: League, store: Store, site: Path, stop: StopSignal, tell: Callable[[Event], None]) -> LiveSite:
    # Here, since templates and charts come with it: a run without a site would take twice as long to start.
    from harness.publish import LiveSite

    live = LiveSite(league, store, site, stop, tell)
    live.begin()
    return live


def _result(summary: RunSummary, tally: RunTally, as_json: bool) -> None:
    if as_json:
        click.echo(dumped({"event": "summary", **asdict(summary), "standings": ladder_json(tally.standings)}))
        return
    if tally.standings:
        paper = console(sys.stdout, table=True)
        paper.print(ladder_table(tally.standings, signs(sys.stdout), paper.width))
    kind = "practice season" if summary.practice else "season"
    name = f"{visible(summary.league)}: {kind} {summary.season}"
    if summary.ended and not summary.rounds:
        click.echo(f"{name} is over; --new-season begins another", err=True)
        return
    state = "it is over" if summary.ended else f"{summary.rounds_over} of {summary.rounds_planned} rounds over"
    voided = f", {summary.voided} voided" if summary.voided else ""
    click.echo(f"{name}: {state}; {summary.played} matches played now{voided}", err=True)
