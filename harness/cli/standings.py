"""`harness standings`: the ladder of a season, its official table, and its results from other sides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from harness.cli.csv_text import csv_text
from harness.cli.json_text import dumped
from harness.cli.league_options import league_argument, opened, season_option, season_row, store_option
from harness.cli.paper import console
from harness.cli.standings_views import Shown, breakdown_shown, head_to_head_shown, ladder_shown, official_shown
from harness.cli.terminal import signs
from harness.protocol import visible
from harness.ratings import VIEWS, View
from sandbox import TIERS

if TYPE_CHECKING:
    from harness.store import RoundRow, SeasonRow, Store

__all__ = ["standings"]


@click.command("standings")
@league_argument
@store_option
@season_option
@click.option("--official", is_flag=True, help="Show the official table: strengths whatever the order of matches.")
@click.option("--head-to-head", "pairs", is_flag=True, help="Show how often each bot finishes before each other.")
@click.option("--by", "view", type=click.Choice(VIEWS), help="Show the results of each bot by this.")
@click.option("--bot", metavar="BOT", help="With --head-to-head or --by: of this bot only.")
@click.option("--size", type=click.IntRange(3, 8), metavar="SEATS", help="Count only tables of this size.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON: fields that anyone can reproduce.")
@click.option("--csv", "as_csv", is_flag=True, help="Print it as comma-separated values.")
def standings(
    league_file: Path,
    store_url: str | None,
    season: int | None,
    official: bool,
    pairs: bool,
    view: str | None,
    bot: str | None,
    size: int | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the ladder of LEAGUE.toml and, once the season is over, its official table.

    The interval behind each rating holds the bot's skill with 95 %; a rating with a question mark is provisional, after
    few games. A victory shared by k bots counts as 1/k of a win.

    --head-to-head and --by count the rounds that are over.
    """
    _check(official, pairs, view, bot, size, as_json and as_csv)
    with opened(league_file, store_url, write=False) as (league, store):
        row = season_row(league, store, season)
        if official:
            shown = official_shown(store, row)
        elif pairs:
            shown = head_to_head_shown(store, row, size, bot)
        elif view is not None:
            shown = breakdown_shown(store, row, cast("View", view), size, bot)
        else:
            shown = ladder_shown(store, row, size)
        season_of = _Season(store, row, practice=league.seed is not None)
    if as_json:
        season_of.print_json(shown, size)
    elif as_csv:
        click.echo(csv_text(shown.fields, shown.rows), nl=False)
    else:
        season_of.draw(shown, size)


def _check(official: bool, pairs: bool, view: str | None, bot: str | None, size: int | None, both: bool) -> None:
    """UsageError for options that don't go together."""
    if both:
        raise click.UsageError("--json and --csv exclude each other, give one of them")
    given = [
        name
        for name, there in (("--official", official), ("--head-to-head", pairs), ("--by", view is not None))
        if there
    ]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other, give one of them")
    if bot is not None and not (pairs or view is not None):
        raise click.UsageError("--bot goes with --head-to-head or --by; give one of them, or leave it out")
    if official and size is not None:
        raise click.UsageError("--size: the official table is of tables of all sizes; leave it out")


class _Season:
    """What is told of a season beside each view."""

    def __init__(self, store: Store, row: SeasonRow, *, practice: bool) -> None:
        self.row = row
        self.practice = practice
        self.rounds = store.rounds(row.id)
        self.tiers = store.tiers(row.id)
        self.voids = len(store.voids(row.id))
        self.over = sum(each.state == "over" for each in self.rounds)
        self.promises = {"commitment": row.commitment}
        if row.state == "ended":  # before, it would tell the decks
            self.promises["secret"] = row.secret
        self.heads = self._heads()

    def print_json(self, shown: Shown, size: int | None) -> None:
        """The view as one object."""
        row = self.row
        head = {
            "league": row.league,
            "season": row.number,
            "practice": self.practice,
            "size": size,
            "rounds_over": self.over,
        }
        body = {"results": row.results, **shown.beside, shown.name: shown.rows, **shown.behind}
        click.echo(dumped({**head, **self.promises, **body}, indent=2))

    def draw(self, shown: Shown, size: int | None) -> None:
        """The view on stdout, with what the season is above it."""
        row = self.row
        paper = console(sys.stdout, table=True)
        known = " (practice: its decks are known)" if self.practice else ""
        tables = f", tables of {size}" if size is not None else ""
        over = f"{self.over} of {row.rounds_planned} rounds"
        how_far = f"over after {over}" if row.state == "ended" else f"{over} over"
        paper.print(
            f"{visible(row.league)}, season {row.number}{known}{tables}: {how_far}{''.join(self._unfinished(shown))}"
        )
        if self.tiers:
            told = ", ".join(f"{tier} in {self.tiers[tier]}" for tier in TIERS if tier in self.tiers)
            paper.print(f"containment of the bots: {told} {'match' if sum(self.tiers.values()) == 1 else 'matches'}")
        if self.voids:
            paper.print(f"{self.voids} {'match is' if self.voids == 1 else 'matches are'} void and counted nowhere")
        for name, value in {**self.promises, **self.heads}.items():
            paper.print(f"{name} {value}", soft_wrap=True)
        for drawn in shown.drawn(signs(sys.stdout), paper.width):
            paper.print(drawn)

    def _heads(self) -> dict[str, str]:
        """The heads of both chains behind the last round that is over, as they are published; none before."""
        if self.row.state == "ended":
            return {"results": self.row.results, "evidence": self.row.evidence}
        over = [each for each in self.rounds if each.state == "over"]
        return {"results": over[-1].results or "", "evidence": over[-1].evidence or ""} if over else {}

    def _unfinished(self, shown: Shown) -> Iterator[str]:
        """Which rounds are not over, and how much of them the view holds."""
        for each in self.rounds:
            if each.state == "over":
                continue
            yield f"; round {each.number} {'was left open' if self.row.state == 'ended' else 'is open'}: "
            if shown.open_counts or self.row.state == "ended":
                yield _counted(each)
            else:
                yield "its matches are not counted here"


def _counted(round_: RoundRow) -> str:
    return f"{round_.applied} of {round_.fixtures} matches counted"
