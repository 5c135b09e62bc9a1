"""The rich console that a stream is drawn on."""

from __future__ import annotations

import errno
import os
from typing import IO

from rich.console import Console

from harness.cli.terminal import width_of

__all__ = ["console"]

TABLE_WIDTH = 400
"""Columns of a table that goes to a file or another program: nothing is cut or folded on its way."""


class _Paper(Console):
    def on_broken_pipe(self) -> None:
        """As any other broken pipe; rich would end the process here with a status of its own."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(stream: IO[str], *, table: bool = False) -> Console:
    """A rich console on the stream that prints text as it stands; with `table` a pipe gets lines of any length."""
    wide = table and not stream.isatty()
    return _Paper(
        file=stream,
        width=TABLE_WIDTH if wide else width_of(stream),
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=False,
    )
