"""`harness tune-ratings`: which β and draw probability would have foretold a season's games best."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.columns import Column, table
from harness.cli.counting import counting
from harness.cli.json_text import dumped
from harness.cli.league_options import league_argument, opened, season_option, season_row, store_option
from harness.cli.paper import console
from harness.errors import BadInput
from harness.protocol import visible

if TYPE_CHECKING:
    from harness.ratings import Parameters, Tuning

__all__ = ["tune_ratings"]

_WORTH = 3.0
"""Nats by which a proposal must foretell the whole season better: two numbers fitted to luck alone gain as much in one
season of twenty. Of a game of s seats s − 1 nats a pair count, since its pairs are not independent.
"""


@click.command("tune-ratings")
@league_argument
@store_option
@season_option
@click.option("--games", type=click.IntRange(1, 10**6), metavar="N", help="How many rated games to look at, at most.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def tune_ratings(
    league_file: Path, store_url: str | None, season: int | None, games: int | None, as_json: bool
) -> None:
    """Propose β and the draw probability for the [rating] of LEAGUE.toml, from the matches of a season.

    They are rated again with several of each; the best are those whose ratings, before each game, give most
    probability to what then happens. Nothing is changed: write the proposal into the league file for the seasons to
    come, if you like it.
    """
    # Only now: most of its time goes into rating, and little of a command's start should.
    from harness.ratings import MOST_GAMES, MOST_REPLAYS, propose

    with opened(league_file, store_url, write=False) as (league, store):
        row = season_row(league, store, season)
        with counting(sys.stderr, MOST_REPLAYS, "rating", "times at most") as tell:
            matches = store.match_ranks(row.id)
            try:
                found = propose(row.parameters, matches, progress=lambda *_: tell(1), most_games=games or MOST_GAMES)
            except ValueError as error:
                raise BadInput(f"season {row.number} of {row.league}: {error}") from error
    if as_json:
        head = {"league": row.league, "season": row.number, "current": asdict(row.parameters)}
        click.echo(dumped({**head, **asdict(found)}, indent=2))
        return
    paper = console(sys.stdout, table=True)
    paper.print(
        f"{visible(row.league)}, season {row.number}: {found.games} rated games, {found.pairs} pairs of seats, "
        f"{100 * found.tie_rate:.2f} % of them tied"
    )
    for name, curve in (("beta", found.curve), ("draw", found.draws)):
        headings = [Column(name, right=True), Column("log-loss a pair", right=True)]
        paper.print(table(headings, [(f"{value:.4g}", f"{loss:.5f}") for value, loss in curve]))
    for line in _verdict(row.parameters, found):
        paper.print(line)


def _verdict(current: Parameters, found: Tuning) -> list[str]:
    """What it is now, and what to write instead, or why nothing."""
    now = f"now: beta = {current.beta:.4g}, draw = {current.draw:.4g}, log-loss {found.loss:.5f}"
    pairs_a_game = found.pairs / found.games
    seats = (1 + math.sqrt(1 + 8 * pairs_a_game)) / 2
    if (found.loss - found.proposed_loss) * found.games * (seats - 1) < _WORTH:
        return [now, "what is better by so little may be luck: leave it, or ask again after more games"]
    proposed = found.proposed
    return [
        f"{now}; proposed: log-loss {found.proposed_loss:.5f} with",
        "[rating]",
        f"beta = {proposed.beta:.4g}",
        f"draw = {proposed.draw:.4g}",
    ]
