"""How far the verification of a season has come, on a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from harness.cli.paper import console
from harness.cli.progress import FRAMES_A_SECOND
from harness.cli.terminal import is_live

__all__ = ["Follower", "verify_progress"]

Follower = Callable[[Iterable[bytes]], Iterable[bytes]]

_WORTH_SHOWING = 1 << 20
"""Bytes of a file: what is smaller is verified about as soon as a bar is drawn."""


@contextmanager
def verify_progress(stream: IO[str], file: IO[bytes]) -> Iterator[Follower]:
    """What lets lines through as they are read from `file`, while a bar on the stream tells how much of it is done.

    The bar goes when the block is left. There is none where the stream is no terminal, or the file is small.
    """
    size = os.fstat(file.fileno()).st_size
    if not is_live(stream) or size < _WORTH_SHOWING:
        yield lambda lines: lines
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console(stream), refresh_per_second=FRAMES_A_SECOND, transient=True, redirect_stdout=False
    ) as progress:
        task = progress.add_task("playing again", total=size)
        yield lambda lines: _followed(lines, file, progress, task)


def _followed(lines: Iterable[bytes], file: IO[bytes], progress: Progress, task: TaskID) -> Iterator[bytes]:
    for line in lines:
        progress.update(task, completed=file.tell())
        yield line
    # How long it takes is known only when it is done.
    progress.update(task, description="rating again", total=None)
