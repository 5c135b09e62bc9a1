"""`harness replay verify FILE...`: plays records and seasons again and checks all that they say."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

import click

from harness.cli.failures import one_line, reason_of
from harness.cli.paper import console
from harness.cli.record_file import read_claimed
from harness.errors import BadInput, ReplayError
from harness.league import check_season, read_lines
from harness.protocol import SEASON_FORMAT, NotIJson, open_regular, read_strict, visible
from harness.referee import Problem, verify_record

__all__ = ["verify"]


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.pass_context
def verify(ctx: click.Context, files: tuple[Path, ...]) -> None:
    """Verify records of matches and files of seasons, gzip or not.

    For each FILE a line says OK, or names the first place that can't be and why. Exit status 1 if any does not
    verify, 2 if any is no such file at all: it can't be read, is not JSON, or of another format.
    """
    paper = console(sys.stdout)
    status = 0
    for file in files:
        name = visible(str(file))
        try:
            problem, notes = _checked(file, name)
        except BadInput as error:
            sys.stdout.flush()
            click.echo(one_line(f"harness: {error.sentence}"), err=True)
            status = 2
            continue
        if problem is None:
            paper.print(f"{name}: OK", soft_wrap=True)
            for note in notes:
                paper.print(f"{name}: not checked: {visible(note)}", soft_wrap=True)
        else:
            paper.print(f"{name}: {visible(problem.place)}: {visible(problem.sentence)}", soft_wrap=True, style="red")
            status = max(status, 1)
    ctx.exit(status)


def _checked(file: Path, name: str) -> tuple[Problem | None, tuple[str, ...]]:
    """The first problem, and what could not be checked. ReplayError where the file can't be read."""
    try:
        with open_regular(file) as stream:
            lines = read_lines(stream, name)
            first = next(lines, b"")
            if _is_season(first):
                report = check_season(chain([first], lines), name)
                return report.problem, report.unchecked
    except (OSError, ValueError) as error:
        raise ReplayError(f"{name}: {reason_of(error)}; name a record that can be read") from error
    return verify_record(read_claimed(file)), ()


def _is_season(line: bytes) -> bool:
    """Whether the first line of a file is one whole object that says so."""
    try:
        header = read_strict(line)
    except NotIJson:
        return False
    return isinstance(header, dict) and header.get("format") == SEASON_FORMAT
