"""`harness replay export`: takes records, or a whole season as a file, out of the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.failures import reason_of
from harness.cli.league_options import (
    league_argument,
    match_named,
    opened,
    season_option,
    season_row,
    store_option,
    tell_waiting,
)
from harness.cli.record_file import check_place, write_whole
from harness.errors import BadInput
from harness.league import League, write_lines
from harness.protocol import visible, write_replay

if TYPE_CHECKING:
    from harness.store import Store

__all__ = ["export"]


@click.command("export")
@league_argument
@click.argument("matches", nargs=-1, metavar="[MATCH]...")
@store_option
@season_option
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Where to write; .gz packs it."
)
def export(league_file: Path, matches: tuple[str, ...], store_url: str | None, season: int | None, out: Path) -> None:
    """Take records out of the store of LEAGUE.toml.

    A MATCH is named as in the faults: LEAGUE/SEASON/ROUND/NUMBER, or SEASON/ROUND/NUMBER. One is written to FILE; of
    several, each to a file of its own in the folder FILE. Without a MATCH the season is written, one object a line.
    Matches of a round that is still open are not taken out.
    """
    if matches and season is not None:
        raise click.UsageError("a MATCH names its season itself, give it or --season")
    if len(matches) < 2:
        check_place(out)
    with opened(league_file, store_url, write=False) as (league, store):
        if not matches:
            row = season_row(league, store, season)
            write_whole(out, write_lines(store.season_lines(row.id)))
            tell_waiting(store.rounds(row.id))
            click.echo(f"{visible(str(out))}: season {row.number} of {league.name}", err=True)
            return
        records = [_record(league, store, match) for match in matches]
    if len(records) == 1:
        write_whole(out, [write_replay(records[0])])
        files = [out]
    else:
        files = _into_folder(out, records)
    for file in files:
        click.echo(visible(str(file)), err=True)


def _record(league: League, store: Store, match: str) -> dict[str, Any]:
    shown = visible(match, 80)
    name = match_named(league, match)
    row = season_row(league, store, name.season)
    state = next((each.state for each in store.rounds(row.id) if each.number == name.round), None)
    if state == "open":
        raise BadInput(f"{shown} is of a round that is still open; nothing of it is shown before it is over")
    record = store.record(row.id, name.round, name.number) if state is not None else None
    if record is None:
        raise BadInput(f"{shown} has no record in the store; name a match that was played")
    return record


def _into_folder(folder: Path, records: list[dict[str, Any]]) -> list[Path]:
    try:
        folder.mkdir(exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadInput(f"{visible(str(folder))}: {reason_of(error)}; several matches need a folder") from error
    files = []
    for record in records:
        files.append(folder / f"{record['match'].replace('/', '-')}.json")
        write_whole(files[-1], [write_replay(record)])
    return files
