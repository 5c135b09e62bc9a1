"""What the commands on a league share: the league file and the store it keeps its records in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from harness.errors import BadInput, LeagueFileError, StoreError
from harness.league import League, load_league
from harness.protocol import MatchName, visible

if TYPE_CHECKING:
    from harness.store import RoundRow, SeasonRow, Store

__all__ = [
    "MOST",
    "league_argument",
    "loaded",
    "match_named",
    "opened",
    "season_option",
    "season_row",
    "store_option",
    "tell_waiting",
    "waiting",
]

MOST = 1_000_000
"""The largest number of a season, and of rounds: more than anybody plays, and no database refuses it."""

Command = TypeVar("Command", bound=Callable[..., Any])


def league_argument(command: Command) -> Command:
    """The argument LEAGUE.toml, passed as `league_file`."""
    return click.argument("league_file", metavar="LEAGUE.toml", type=click.Path(path_type=Path))(command)


def store_option(command: Command) -> Command:
    """The option --store, passed as `store_url`."""
    text = "Where the records are: a database URL or an SQLite file; beside the league file if not given."
    return click.option("--store", "store_url", metavar="URL", help=text)(command)


def season_option(command: Command) -> Command:
    """The option --season, passed as `season`."""
    return click.option(
        "--season", type=click.IntRange(1, MOST), metavar="N", help="Which season; the newest if not given."
    )(command)


def loaded(league_file: Path) -> League:
    """The league in the file; LeagueFileError names it as the user did where there is none."""
    # numpy may come with a pairing, and its library starts a thread a core. Nothing here has work for them, and where
    # the machine has no process left the library would end this one as Ctrl-C does.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        league_file.stat()
    except FileNotFoundError as error:
        raise LeagueFileError(f"{visible(str(league_file))}: no such file; check the path") from error
    except (OSError, ValueError):
        pass  # the reader's to tell
    return load_league(league_file)


@contextmanager
def opened(
    league_file: Path, store_url: str | None, *, write: bool, create: bool = True
) -> Iterator[tuple[League, Store]]:
    """The league and its store, closed on the way out.

    One that is not there is made only where it is to be written and there may be nothing in it yet (`create`).
    """
    # Here, since SQLAlchemy comes with it: `--help` of every command on a league would need twice the CPU (0.3 s more).
    from harness.store import default_url, is_there, open_store

    league = loaded(league_file)
    url = default_url(league_file) if store_url is None else store_url
    if write and create and not is_there(url):
        # A league that can't be played is refused before a store is made for it. One that is there is left to the run,
        # which loads the bots anyway.
        league.require_backend()
        league.load_bots()
    with open_store(url, create=write and create, write=write) as store:
        yield league, store


def season_row(league: League, store: Store, season: int | None) -> SeasonRow:
    """The season asked for, the newest if none is; StoreError where there is none."""
    row = store.season(league.name, season)
    if row is None:
        if season is None:
            raise StoreError(
                f"{league.path.name}: no season of {league.name} has been played; begin with harness run-league"
            )
        known = ", ".join(str(each.number) for each in store.seasons(league.name)) or "none"
        raise StoreError(f"--season {season}: {league.name} has no such season; there are: {known}")
    return row


def match_named(league: League, match: str) -> MatchName:
    """A match of the league, named LEAGUE/SEASON/ROUND/NUMBER or SEASON/ROUND/NUMBER; BadInput for anything else."""
    shown = visible(match, 80)
    try:
        name = MatchName.parse(match if match.count("/") == 3 else f"{league.name}/{match}")
    except ValueError as error:
        raise BadInput(f"{shown} {error}") from error
    if name.league != league.name:
        raise BadInput(f"{shown} is of another league; {visible(league.path.name)} is that of {league.name}")
    return name


def waiting(rounds: Iterable[RoundRow]) -> int:
    """Matches that are stored but of which nothing is shown, since their round is open."""
    return sum(each.stored for each in rounds if each.state == "open")


def tell_waiting(rounds: Iterable[RoundRow]) -> None:
    """Say on stderr how many matches wait, where any does."""
    count = waiting(rounds)
    if count:
        which = "1 match of the open round waits" if count == 1 else f"{count} matches of the open round wait"
        click.echo(f"{which} until it is over", err=True)
