"""`harness submit`: keeps a bot as an immutable version and enters it."""

import sys
from pathlib import Path

import click

from harness.cli.league_options import league_argument, opened, store_option

__all__ = ["submit"]


@click.command("submit")
@league_argument
@click.argument("bot")
@store_option
def submit(league_file: Path, bot: str, store_url: str | None) -> None:
    """Keep BOT as an immutable version and enter it in the season of LEAGUE.toml.

    BOT is a folder with bot.toml, a source file, or sample:NAME. It plays from the next round on.
    """
    from harness.cli.terminal import console
    from harness.league import submit as enter
    from harness.protocol import visible

    with opened(league_file, store_url, write=True) as (league, store):
        done = enter(league, store, bot, Path())
    name = f"{visible(done.bot)}, version {done.version[:12]}"
    if done.season is None:
        line = f"{name}: kept; no season runs, and the next one enters the bots of the league file"
    elif done.changed:
        line = f"{name}: entered in season {done.season}, plays from round {done.round} on"
    else:
        line = f"{name}: is in season {done.season} already, nothing changed"
    console(sys.stdout, table=True).print(line)
