"""`harness replay show FILE`: a match turn by turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from harness.cli.paper import console
from harness.cli.record_file import read_record
from harness.cli.replay_view import game_lines, title_lines, trouble_lines
from harness.cli.result_table import result_table, seat_results
from harness.cli.terminal import signs, width_of
from harness.errors import BadInput, EditionError
from harness.game import IllegalStep
from harness.protocol import visible
from harness.referee import verify_record

__all__ = ["can_be_drawn", "show"]


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "-g", type=click.IntRange(min=1), help="Only this game of the match.")
@click.option("--web", is_flag=True, help="Show it in a browser instead; its address is printed.")
@click.pass_context
def show(ctx: click.Context, file: Path, game: int | None, web: bool) -> None:
    """Show the match in FILE, turn by turn.

    FILE is a record as `harness play --record` and `harness replay export` write it.
    """
    record = read_record(file)
    games = len(record["games"])
    if game is not None and game > games:
        raise BadInput(f"--game {game}: {visible(str(file))} has {games} game{'s' if games > 1 else ''}")
    problem = verify_record(record)
    if problem is not None:
        doubt = f"harness: {visible(str(file))}: does not verify: {problem.place}: {problem.sentence}"
        click.echo(visible(doubt), err=True)
        if not can_be_drawn(record):
            ctx.exit(BadInput.exit_status)
    if web:
        # Here, since templates come with it.
        from harness.cli.replay_web import show_in_browser

        show_in_browser(record, game)
        return
    paper = console(sys.stdout)
    sign = signs(sys.stdout)
    try:
        for line in title_lines(record, sign):
            paper.print(line)
        for number in [game] if game is not None else range(1, games + 1):
            for line in game_lines(record, number, sign, width_of(sys.stdout)):
                paper.print(line, soft_wrap=True)
    except (EditionError, IllegalStep):
        # Told above, since what can't be played again does not verify: one line is enough.
        ctx.exit(BadInput.exit_status)
    if game is None and games > 1:
        paper.print(f"\nAll {games} games", style="bold")
        wide = console(sys.stdout, table=True)
        wide.print(result_table(seat_results(record), sign, wide.width))
    for line in trouble_lines(record, sign, width_of(sys.stdout)):
        paper.print(line, soft_wrap=True)


def can_be_drawn(record: dict[str, Any]) -> bool:
    """Whether all that a record says by seat is there for each seat, and for no other one."""
    seats = len(record["seats"])
    by_seat = [record["timing"], *(game[field] for game in record["games"] for field in ("scores", "ranks", "relics"))]
    return all(len(one) == seats for one in by_seat) and all(
        fault["seat"] < seats for fault in (*record["faults"], *record["incidents"])
    )
