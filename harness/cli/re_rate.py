"""`harness re-rate`: computes all ratings of a season again from its records."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness.cli.counting import counting
from harness.cli.ladder_table import ladder_table
from harness.cli.league_options import league_argument, opened, season_option, season_row, store_option
from harness.cli.paper import console
from harness.cli.terminal import signs
from harness.protocol import visible
from harness.ratings import platform_name

__all__ = ["re_rate"]


@click.command("re-rate")
@league_argument
@store_option
@season_option
def re_rate(league_file: Path, store_url: str | None, season: int | None) -> None:
    """Rate every match of a season of LEAGUE.toml again, in canonical order, and its official table with it.

    On one platform the result is the same to the bit however often it is asked for. After a season has moved to another
    machine this makes all its ratings those of one platform, which the store keeps and the season's file names. While
    a run goes on it is refused; one that is stopped half way changes nothing.
    """
    with opened(league_file, store_url, write=True, create=False) as (league, store):
        row = season_row(league, store, season)
        with store.run_lock(), counting(sys.stderr, sum(store.tiers(row.id).values()), "rating") as tell:
            store.rate_again(row.id, tell)
        ladder = store.standings(row.id)
    paper = console(sys.stdout, table=True)
    paper.print(ladder_table(ladder, signs(sys.stdout), paper.width))
    same = "as before" if row.platform == platform_name() else f"before on {row.platform or 'an unknown platform'}"
    told = console(sys.stderr, table=True)
    told.print(f"{visible(row.league)}, season {row.number}: rated on {platform_name()}, {same}")
