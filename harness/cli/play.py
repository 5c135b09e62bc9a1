"""`harness play`: one match now, without a league or a store."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from harness.bots import bot_from_word, is_sample
from harness.cli.failures import reason_of
from harness.cli.json_text import dumped
from harness.cli.paper import console
from harness.cli.record_file import check_place, write_whole
from harness.cli.replay_view import trouble_lines
from harness.cli.result_table import result_table, seat_results
from harness.cli.terminal import is_live, signs, width_of
from harness.errors import BadInput
from harness.executors import AUTO, choose_backend, play_here
from harness.game import BUILT_IN, DEFAULT_EDITION, built_in, seed_from_text
from harness.protocol import Limits, visible, write_replay
from harness.referee import Fixture, Played, Seat
from sandbox import Probe

__all__ = ["play"]

MOST_GAMES = 10_000
"""Games of one match: its record stays well below what a reader takes."""


def _editions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    del ctx, param
    return [name for name in BUILT_IN if name.startswith(incomplete)]


@click.command("play")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT BOT...")
@click.option(
    "--games", "-n", type=click.IntRange(1, MOST_GAMES), default=1, show_default=True, help="Games of the match."
)
@click.option("--seed", metavar="TEXT", help="Where all chance comes from; drawn and shown if not given.")
@click.option("--edition", metavar="NAME", shell_complete=_editions, help="Which rules; iello-2016 if not given.")
@click.option("--sandbox", "choice", metavar="BACKEND", default=AUTO, show_default=True, help="What contains the bots.")
@click.option("--trust-bots", is_flag=True, help="Let bots run with all your rights where nothing contains them.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Keep the match as a replay file.")
@click.option("--stderr", type=click.Path(path_type=Path), metavar="DIR", help="Keep what each seat writes to stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def play(
    bots: tuple[str, ...],
    games: int,
    seed: str | None,
    edition: str | None,
    choice: str,
    trust_bots: bool,
    record: Path | None,
    stderr: Path | None,
    as_json: bool,
) -> None:
    """Play one match now, seats in the order given.

    A BOT is a folder with bot.toml, a source file, or sample:NAME for a sample bot; one bot may take several seats.

    \b
    Example: harness play sample:random sample:never ./my-bot --trust-bots
    """
    rules = built_in(DEFAULT_EDITION if edition is None else edition)
    if not rules.min_seats <= len(bots) <= rules.max_seats:
        raise BadInput(
            f"{len(bots)} bots; {rules.name} is played by {rules.min_seats} to {rules.max_seats}, name as many"
        )
    if record is not None:
        check_place(record)
    entrants = [bot_from_word(word, Path()) for word in bots]
    backend = _backend(choice, bots, trust_bots)
    fixture = Fixture(
        league=None,
        season=0,
        round=0,
        number=0,
        seed=seed_from_text(seed) if seed is not None else secrets.token_hex(16),
        edition=rules,
        games=games,
        limits=Limits(),
        seats=tuple(Seat(bot.id, bot.version) for bot in entrants),
    )
    live = is_live(sys.stderr) and not as_json
    with console(sys.stderr).status("playing ...", spinner="line") if live else nullcontext():
        (played,) = play_here([fixture], entrants, backend)
    if record is not None:
        write_whole(record, [write_replay(played.record)])
    if stderr is not None:
        _keep_stderr(stderr, fixture, played)
    if as_json:
        click.echo(dumped(_as_json(played.record), indent=2))
    else:
        _draw(played.record, games)


def _backend(choice: str, words: Sequence[str], trust_bots: bool) -> Probe:
    """What contains the bots; sample bots are ours and trusted."""
    strangers = [word for word in words if not is_sample(word)]
    return choose_backend(
        choice,
        require=None,
        trusted=trust_bots or not strangers,
        what=f"--sandbox {visible(choice, 60)}",
        to_trust=f"add --trust-bots if you trust {', '.join(visible(word, 60) for word in dict.fromkeys(strangers))}",
    )


def _keep_stderr(folder: Path, fixture: Fixture, played: Played) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, (seat, text) in enumerate(zip(fixture.seats, played.stderr, strict=True)):
            file = folder / f"seat-{number}-{seat.bot}.txt"
            file.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    except (OSError, ValueError) as error:
        raise BadInput(
            f"--stderr {visible(str(folder))}: {reason_of(error)}; name a folder that can be written"
        ) from error


def _as_json(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "match": record["match"],
        "edition": record["edition"]["name"],
        "seed": record["seed"],
        "games": len(record["games"]),
        "seats": [asdict(one) for one in seat_results(record)],
        "faults": record["faults"],
        "incidents": record["incidents"],
        "outcome": record["outcome"],
        "digest": record["digest"],
    }


def _draw(record: dict[str, Any], games: int) -> None:
    paper = console(sys.stdout)
    paper.print(f"{record['edition']['name']}, {games} game{'s' if games != 1 else ''}, seed {record['seed']}")
    wide = console(sys.stdout, table=True)
    wide.print(result_table(seat_results(record), signs(sys.stdout), wide.width))
    for line in trouble_lines(record, signs(sys.stdout), width_of(sys.stdout)):
        paper.print(line, soft_wrap=True)
