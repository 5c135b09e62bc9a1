"""The janitor: waits for the end of a run and clears up after one that could not do so itself, being killed.

Run as `python -m harness.executors.janitor FOLDER`, the run's folder. Its stdin is a pipe whose other end the run and
all its workers hold: at its end they are gone, however they went, and what is left of their programs is nobody's.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["held_open", "janitor"]

_COMMAND = (sys.executable, "-P", "-m", "harness.executors.janitor")
"""-P keeps the current folder out of what it imports from."""

_PATIENCE_S = 10.0
"""Seconds for it to see that there is nothing to do."""

_ends: set[int] = set()


def held_open() -> tuple[int, ...]:
    """The descriptors that every worker is to inherit, for janitors to know when it is gone."""
    return tuple(_ends)


@contextmanager
def janitor(folder: Path) -> Iterator[None]:
    """Have a janitor that removes `folder`, and what programs left there, should this process not come to do so."""
    theirs, end = os.pipe()
    try:
        # In this session, so that no sweep takes it for an orphan, and in a group of its own, which no Ctrl-C reaches.
        process = subprocess.Popen(
            [*_COMMAND, str(folder)],
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            process_group=0,
        )
    except OSError:
        # A machine that can't start this will not start a worker either, which says so.
        process = None
    finally:
        os.close(theirs)
    _ends.add(end)
    try:
        yield
    finally:
        _ends.discard(end)
        os.close(end)
        if process is not None:
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()  # there is nothing left for it to do
                process.wait()


def main() -> int:
    """Wait for the end of file on stdin, then clear up; returns the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 1):
        pass
    folder = Path(sys.argv[1])
    if folder.is_dir():
        from harness.executors.folder import clear_up

        clear_up(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
