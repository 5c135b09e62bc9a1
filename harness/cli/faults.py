"""`harness faults`: who broke the rules, where, with which evidence, and what to mend."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness.cli.faults_table import count_table, fault_lines, stderr_lines
from harness.cli.json_text import dumped
from harness.cli.league_options import (
    league_argument,
    opened,
    season_option,
    season_row,
    store_option,
    tell_waiting,
    waiting,
)
from harness.cli.paper import console
from harness.cli.terminal import width_of
from harness.errors import BadInput
from harness.protocol import visible

__all__ = ["faults"]


@click.command("faults")
@league_argument
@click.argument("bot", required=False)
@store_option
@season_option
@click.option("--stderr", "with_stderr", is_flag=True, help="Show what the bot wrote to stderr, first and last part.")
@click.option("--json", "as_json", is_flag=True, help="Print the faults as JSON.")
def faults(
    league_file: Path, bot: str | None, store_url: str | None, season: int | None, with_stderr: bool, as_json: bool
) -> None:
    """Show the faults of a season of LEAGUE.toml, or only those of BOT.

    Matches of a round that is still open are not shown; how many wait is told.
    """
    with opened(league_file, store_url, write=False) as (league, store):
        row = season_row(league, store, season)
        found = store.faults(row.id, bot)
        rounds = store.rounds(row.id)
        if bot is not None and not found:
            latest = max([1, *(each.number for each in rounds)])
            entered = sorted(entry.bot for entry in store.entries(row.id, latest))
            if bot not in entered:
                raise BadInput(f"no bot {visible(bot, 60)} in season {row.number}; there are {', '.join(entered)}")
    if as_json:
        rows = [{"match": one.match, "bot": one.bot, "version": one.version, **one.fault} for one in found]
        if with_stderr:
            rows = [{**fields, "stderr": one.stderr} for fields, one in zip(rows, found, strict=True)]
        click.echo(dumped({"season": row.number, "faults": rows, "waiting_matches": waiting(rounds)}, indent=2))
        return
    paper = console(sys.stdout)
    width = width_of(sys.stdout)
    for one in found:
        for line in fault_lines(one.match, one.bot, one.fault, one.limits, width):
            paper.print(line, soft_wrap=True)
        if with_stderr:
            for line in stderr_lines(one.stderr):
                paper.print(line)
        paper.print()
    if found:
        console(sys.stdout, table=True).print(count_table((one.bot, one.kind) for one in found))
    else:
        whose = f" of {visible(bot, 32)}" if bot is not None else ""
        paper.print(f"no faults{whose} in the rounds that are over")
    tell_waiting(rounds)
