"""`harness replay verify FILE...`: plays records and seasons again and checks all that they say."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import click

from harness.cli.failures import one_line, reason_of
from harness.cli.paper import console
from harness.cli.record_file import read_claimed
from harness.cli.verify_progress import verify_progress
from harness.errors import BadInput, ReplayError
from harness.league import check_season, read_lines
from harness.protocol import SEASON_FORMAT, NotIJson, open_regular, read_strict, visible
from harness.referee import Problem, verify_record

__all__ = ["verify"]


_HASH = re.compile("[0-9a-f]{64}")


def _head(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    value = value.strip().lower()
    if not _HASH.fullmatch(value):
        raise click.BadParameter("is no head of a chain; write the 64 hex digits that were published", ctx, parameter)
    return value


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--results", metavar="HEX", callback=_head, help="A published head of the results chain of the season.")
@click.option("--evidence", metavar="HEX", callback=_head, help="A published head of its evidence chain.")
@click.pass_context
def verify(ctx: click.Context, files: tuple[Path, ...], results: str | None, evidence: str | None) -> None:
    """Verify records of matches and files of seasons, gzip or not.

    For each FILE a line says OK, or names the first place that can't be and why. With --results or --evidence, which
    were published after a round or at the season's end, FILE is the file of that season and must hold them. Exit
    status 1 if any does not verify, 2 if any is no such file at all: it can't be read, is not JSON, or of another
    format.
    """
    published = {name: head for name, head in (("results", results), ("evidence", evidence)) if head is not None}
    if published and len(files) > 1:
        raise click.UsageError("a published head is of one season; give --results and --evidence with one FILE")
    paper = console(sys.stdout)
    status = 0
    for file in files:
        name = visible(str(file))
        try:
            problem, notes = _checked(file, name, published)
        except BadInput as error:
            sys.stdout.flush()
            click.echo(one_line(f"harness: {error.sentence}"), err=True)
            status = 2
            continue
        if problem is None:
            held = f", and holds the published head of {' and of '.join(published)}" if published else ""
            paper.print(f"{name}: OK{held}", soft_wrap=True)
            for note in notes:
                paper.print(f"{name}: not checked: {visible(note)}", soft_wrap=True)
        else:
            paper.print(f"{name}: {visible(problem.place)}: {visible(problem.sentence)}", soft_wrap=True, style="red")
            status = max(status, 1)
    ctx.exit(status)


def _checked(file: Path, name: str, published: Mapping[str, str]) -> tuple[Problem | None, tuple[str, ...]]:
    """The first problem, and what could not be checked. ReplayError where the file can't be read, or is no season."""
    try:
        with open_regular(file) as stream:
            lines = read_lines(stream, name)
            first = next(lines, b"")
            if _is_season(first):
                with verify_progress(sys.stderr, stream) as follow:
                    report = check_season(follow(chain([first], lines)), name, **published)
                return report.problem, report.unchecked
    except (OSError, ValueError) as error:
        raise ReplayError(f"{name}: {reason_of(error)}; name a record that can be read") from error
    record = read_claimed(file)
    if published:
        raise ReplayError(f"{name}: a record is in no chain; give --{min(published)} with the file of a season")
    return verify_record(record), ()


def _is_season(line: bytes) -> bool:
    """Whether the first line of a file is one whole object that says so."""
    try:
        header = read_strict(line)
    except NotIJson:
        return False
    return isinstance(header, dict) and header.get("format") == SEASON_FORMAT
