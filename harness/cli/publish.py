"""`harness publish`: a league's site, written into a folder or brought up to date there."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.json_text import dumped
from harness.cli.league_options import league_argument, opened, store_option, tell_waiting
from harness.protocol import visible
from harness.publish import LADDER
from harness.publish import publish as publish_site

if TYPE_CHECKING:
    from harness.publish import Published

__all__ = ["publish"]


@click.command("publish")
@league_argument
@store_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The site's folder; made if it is not there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def publish(league_file: Path, store_url: str | None, out: Path, as_json: bool) -> None:
    """Write the site of LEAGUE.toml into DIR: ladder, seasons, bots, matches and a viewer for replays.

    The folder opens from disk and can be served by any web server as it is. In a folder that holds the site already
    only what changed is written. Of a round that is still open nothing is shown.
    """
    with opened(league_file, store_url, write=False) as (league, store):
        published = publish_site(league, store, out)
        row = store.season(league.name)
        rounds = store.rounds(row.id) if row is not None else []
    if as_json:
        click.echo(dumped(asdict(published), indent=2))
        return
    tell_waiting(rounds)
    click.echo(_line(out, published))


def _line(out: Path, published: Published) -> str:
    """What a publish did, in one line."""
    same = published.files - published.written
    removed = f", {published.removed} removed" if published.removed else ""
    return (
        f"{visible(str(out / LADDER))}: {published.files} files, {published.written} written, "
        f"{same} as they were{removed}"
    )
