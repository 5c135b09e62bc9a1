"""How far a long computation is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from harness.cli.paper import console
from harness.cli.terminal import is_live

__all__ = ["counting"]

_LINES = 10
"""Lines where there is no terminal, at most."""


@contextmanager
def counting(stream: IO[str], total: int, doing: str, noun: str = "matches") -> Iterator[Callable[[int], None]]:
    """What the block calls with how many more of `total` are done; the bar is wiped away at its end."""
    if is_live(stream):
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console(stream), transient=True) as progress:
            task = progress.add_task(doing, total=total)
            yield lambda more: progress.advance(task, more)
        return
    done = told = 0

    def tell(more: int) -> None:
        nonlocal done, told
        done += more
        if done - told > total / _LINES:
            told = done
            click.echo(f"{doing}: {done} of {total} {noun}", file=stream)

    yield tell
