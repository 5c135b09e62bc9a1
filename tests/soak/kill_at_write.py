"""A run that kills itself at the N-th thing it does to the store in a phase: a statement that writes, or a commit.

`python kill_at_write.py PHASE N ALSO run-league …`. ALSO is `workers` if they are to be killed first. Before it dies
it prints `killed PHASE` to stderr.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy

from harness.cli import main
from harness.store import Store

PHASES = {
    "announcing": ("announce_season", "add_version", "enter"),
    "opening": ("open_round", "bench", "withdraw"),
    "storing": ("store_record",),
    "applying": ("apply_ready",),
    "ending": ("end_season",),
}
"""By phase of a season the questions to the store that write in it."""


class Killer:
    """Counts what is done to the store within a phase, and kills."""

    def __init__(self, phase: str, count: int, also_workers: bool) -> None:
        self.phase = phase
        self.left = count
        self.also_workers = also_workers
        self.inside = False

    def watch(self) -> None:
        for name in PHASES[self.phase]:
            setattr(Store, name, self._within(getattr(Store, name)))
        sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", self._statement)
        sqlalchemy.event.listen(sqlalchemy.Engine, "commit", self._count)

    def _within(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def watched(*arguments: Any, **named: Any) -> Any:
            self.inside = True
            try:
                return method(*arguments, **named)
            finally:
                self.inside = False

        return watched

    def _statement(self, connection: object, cursor: object, statement: str, *_: object) -> None:
        if statement.split(maxsplit=1)[0] in ("INSERT", "UPDATE", "DELETE"):
            self._count()

    def _count(self, *_: object) -> None:
        if not self.inside:
            return
        self.left -= 1
        if self.left == 0:
            print(f"killed {self.phase}", file=sys.stderr, flush=True)
            for worker in children(os.getpid()) if self.also_workers else []:
                os.kill(worker, signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)


def children(pid: int) -> list[int]:
    """The processes that a process has started, or has been left by those it started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


if __name__ == "__main__":
    phase, count, also, *words = sys.argv[1:]
    Killer(phase, int(count), also == "workers").watch()
    main(words)
