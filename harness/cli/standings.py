"""`harness standings`: the ladder of a season."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.json_text import dumped
from harness.cli.ladder_table import ladder_csv, ladder_json, ladder_table
from harness.cli.league_options import league_argument, opened, season_option, season_row, store_option
from harness.cli.paper import console
from harness.cli.terminal import signs
from harness.protocol import visible
from sandbox import TIERS

if TYPE_CHECKING:
    from harness.store import RoundRow

__all__ = ["standings"]


@click.command("standings")
@league_argument
@store_option
@season_option
@click.option("--size", type=click.IntRange(3, 8), metavar="SEATS", help="Count only tables of this size.")
@click.option("--json", "as_json", is_flag=True, help="Print the ladder as JSON: fields that anyone can reproduce.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the ladder as comma-separated values.")
def standings(
    league_file: Path, store_url: str | None, season: int | None, size: int | None, as_json: bool, as_csv: bool
) -> None:
    """Show the ladder of LEAGUE.toml.

    The interval behind each rating holds the bot's skill with 95 %; a rating with a question mark is provisional, after
    few games. A victory shared by k bots counts as 1/k of a win.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other, give one of them")
    with opened(league_file, store_url, write=False) as (league, store):
        row = season_row(league, store, season)
        ladder = store.standings(row.id, size)
        practice = league.seed is not None
        rounds = store.rounds(row.id)
        tiers = store.tiers(row.id)
    over = sum(each.state == "over" for each in rounds)
    promises = {"commitment": row.commitment}
    if row.state == "ended":  # before, it would tell the decks
        promises["secret"] = row.secret
    if as_json:
        head = {"league": row.league, "season": row.number, "practice": practice, "size": size, "rounds_over": over}
        body = {"results": row.results, "standings": ladder_json(ladder)}
        click.echo(dumped({**head, **promises, **body}, indent=2))
    elif as_csv:
        click.echo(ladder_csv(ladder), nl=False)
    else:
        paper = console(sys.stdout, table=True)
        known = " (practice: its decks are known)" if practice else ""
        tables = f", tables of {size}" if size is not None else ""
        unfinished = "".join(_unfinished(each, row.state) for each in rounds if each.state != "over")
        paper.print(
            f"{visible(row.league)}, season {row.number}{known}{tables}: "
            f"{over} of {row.rounds_planned} rounds over{unfinished}"
        )
        if tiers:
            told = ", ".join(f"{tier} in {tiers[tier]}" for tier in TIERS if tier in tiers)
            paper.print(f"containment of the bots: {told} {'match' if sum(tiers.values()) == 1 else 'matches'}")
        for name, promise in promises.items():
            paper.print(f"{name} {promise}", soft_wrap=True)
        paper.print(ladder_table(ladder, signs(sys.stdout), paper.width))


def _unfinished(round_: RoundRow, season_state: str) -> str:
    """That the ladder holds a part of a round, and how much of it."""
    state = "was left open" if season_state == "ended" else "is open"
    return f"; round {round_.number} {state}: {round_.applied} of {round_.fixtures} matches counted"
