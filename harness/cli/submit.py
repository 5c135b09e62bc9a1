"""`harness submit`: keeps a bot as an immutable version and enters it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness.cli.event_lines import event_line
from harness.cli.league_options import league_argument, opened, store_option
from harness.cli.paper import console
from harness.cli.terminal import signs
from harness.league import Event
from harness.league import submit as enter
from harness.protocol import visible

__all__ = ["submit"]


@click.command("submit")
@league_argument
@click.argument("bot")
@store_option
def submit(league_file: Path, bot: str, store_url: str | None) -> None:
    """Keep BOT as an immutable version and enter it in the season of LEAGUE.toml.

    BOT is a folder with bot.toml, a source file, or sample:NAME. It plays from the next round on.
    """
    with opened(league_file, store_url, write=True) as (league, store):
        done = enter(league, store, bot, Path(), _tell)
    name = f"{visible(done.bot)}, version {done.version[:12]}"
    if done.changed:
        line = f"{name}: entered in season {done.season}, plays from round {done.round} on"
    else:
        line = f"{name}: is in season {done.season} already, nothing changed"
    console(sys.stdout, table=True).print(line)


def _tell(event: Event) -> None:
    """Say on stderr that the submission made the season begin."""
    line = event_line(event, signs(sys.stderr))
    if line is not None:
        console(sys.stderr).print(line, soft_wrap=True)
