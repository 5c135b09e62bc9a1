"""`harness bots`: who plays in a league, and the bench."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table

from harness.cli.columns import Column, table
from harness.cli.json_text import dumped
from harness.cli.league_options import league_argument, opened, season_row, store_option
from harness.cli.paper import console
from harness.cli.terminal import Signs, signs
from harness.league import (
    DeskChange,
    Disqualification,
    ListedBot,
    bench_bot,
    disqualify_bot,
    list_bots,
    unbench_bot,
    withdraw_bot,
)
from harness.protocol import visible

__all__ = ["bots"]

DEEDS = {"bench": bench_bot, "unbench": unbench_bot, "withdraw": withdraw_bot}


@click.command("bots")
@league_argument
@click.argument("action", type=click.Choice(["list", *DEEDS, "disqualify"]), default="list")
@click.argument("bot", required=False)
@store_option
@click.option("--reason", metavar="TEXT", help="Why, in a few words, to disqualify; the season's file shows it.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def bots(
    league_file: Path, action: str, bot: str | None, store_url: str | None, reason: str | None, as_json: bool
) -> None:
    """List the bots of the newest season of LEAGUE.toml, or change who plays from the next round on.

    bench BOT keeps a bot out until unbench BOT lets it in again, with its newest version and its faults forgiven;
    withdraw BOT takes it out until it is submitted again; in both cases its games count. disqualify BOT --reason TEXT
    makes all its matches of the season void, and it stays out, over seasons too, until unbench BOT. A round that is
    open is played with those it has, also by a run that is going on.
    """
    if reason is not None and action != "disqualify":
        raise click.UsageError(f"--reason is to disqualify a bot, leave it out of {action}")
    if action == "list":
        if bot is not None:
            raise click.UsageError(f"list takes no bot, and got {visible(bot, 60)!r}")
        _list(league_file, store_url, as_json)
        return
    if bot is None:
        raise click.UsageError(f"{action} needs the id of a BOT; harness bots LEAGUE.toml lists them")
    if as_json:
        raise click.UsageError(f"--json is of the list, leave it out to {action} a bot")
    if action == "disqualify" and reason is None:
        raise click.UsageError("disqualify needs --reason TEXT; say in a few words why")
    with opened(league_file, store_url, write=True, create=False) as (league, store):
        if reason is not None:
            sentence = _disqualified(disqualify_bot(league, store, bot, reason))
        else:
            sentence = _sentence(DEEDS[action](league, store, bot))
    console(sys.stdout, table=True).print(sentence, soft_wrap=True)


def _list(league_file: Path, store_url: str | None, as_json: bool) -> None:
    with opened(league_file, store_url, write=False) as (league, store):
        row = season_row(league, store, None)
        found = list_bots(store, row)
    if as_json:
        click.echo(
            dumped({"league": row.league, "season": row.number, "bots": [_fields(one) for one in found]}, indent=2)
        )
        return
    paper = console(sys.stdout, table=True)
    paper.print(bots_table(found, row.number, signs(sys.stdout), paper.width))


def _fields(one: ListedBot) -> dict[str, str | int]:
    return {
        "bot": one.bot,
        "version": one.version,
        "title": one.title,
        "author": one.author,
        "state": one.state,
        "since_season": one.since_season,
        "since_round": one.since_round,
        "faults": one.faults,
    }


def bots_table(found: Sequence[ListedBot], season: int, sign: Signs, width: int) -> Table:
    """The table, `width` cells wide at most; titles and authors leave it first."""
    rows = []
    for one in found:
        since = f"round {one.since_round}" if one.since_season == season else f"season {one.since_season}"
        rows.append(
            (
                visible(one.bot, 32),
                one.version[:12],
                visible(one.title, 40),
                visible(one.author, 40),
                f"enters {since}" if one.state == "enters" else one.state,
                since,
                str(one.faults or ""),
            )
        )
    columns = (
        Column("bot", cut=True),
        Column("version", leaves=3),
        Column("title", leaves=2),
        Column("author", leaves=1),
        Column("state"),
        Column("since", leaves=4),
        Column("faults", right=True, style="red"),
    )
    return table(columns, rows, width, sign.ellipsis)


def _disqualified(done: Disqualification) -> str:
    bot = visible(done.bot, 32)
    matches = "1 match" if done.voided == 1 else f"{done.voided} matches"
    return (
        f"{bot}: disqualified {_since(done.season, done.round)}; {matches} of season {done.voided_in} with it count no "
        f"more (harness bots LEAGUE.toml unbench {bot} lets it in again)"
    )


def _since(season: int, round_: int) -> str:
    return f"from season {season} on" if round_ == 1 else f"from round {round_} of season {season} on"


def _sentence(done: DeskChange) -> str:
    when = _since(done.season, done.round)
    bot = visible(done.bot, 32)
    if done.state == "enters":
        return f"{bot}, version {done.version[:12]}: plays {when}"
    return f"{bot}: {done.state} {when}"
