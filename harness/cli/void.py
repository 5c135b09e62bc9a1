"""`harness void`: a match that counts no more."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness.cli.league_options import league_argument, match_named, opened, store_option
from harness.cli.paper import console
from harness.league import void_match

__all__ = ["void"]


@click.command("void")
@league_argument
@click.argument("match")
@click.option("--reason", required=True, metavar="TEXT", help="Why, in a few words; the season's file shows it.")
@store_option
def void(league_file: Path, match: str, reason: str, store_url: str | None) -> None:
    """Let MATCH of LEAGUE.toml count no more, and rate again without it.

    MATCH is named as in the faults: LEAGUE/SEASON/ROUND/NUMBER, or SEASON/ROUND/NUMBER. Its record stays; the season's
    file tells behind it that it is void and why, and this can't be taken back. A match that is still to be played can
    be voided too.
    """
    with opened(league_file, store_url, write=True, create=False) as (league, store):
        done = void_match(league, store, match_named(league, match), reason)
    if done.counted:
        line = f"{done.match}: void; its games count no more, and what came after it is rated again"
    else:
        line = f"{done.match}: void; it will be left out in its turn"
    if done.counted and done.later is not None:
        line += f" (season {done.later} keeps the ratings that it began with)"
    console(sys.stdout, table=True).print(line, soft_wrap=True)
