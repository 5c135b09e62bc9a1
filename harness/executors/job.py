"""What goes to an executor and what comes back from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from harness.bots import Home
from harness.referee import Fixture

__all__ = ["MOST_TRIES", "Executor", "Failure", "Job", "Outcome", "Result", "Retry"]

MOST_TRIES = 3
"""How often a fixture is tried before the executor gives it up."""


@dataclass(frozen=True, slots=True)
class Job:
    """A fixture to play and, seat by seat, where its bots live."""

    fixture: Fixture
    homes: tuple[Home, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A match that was played: its record, a stderr text a seat, and the number of the try that made it."""

    fixture: Fixture
    record: dict[str, Any]
    stderr: tuple[str, ...]
    tries: int


@dataclass(frozen=True, slots=True)
class Retry:
    """A try that came to nothing by no rule of the game; the fixture is played again. `tries` counts it."""

    fixture: Fixture
    reason: str
    tries: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A fixture given up after `tries` tries.

    `machine` is true where the harness could say what it lacked (space, processes), false where the worker died of
    the match and so its bots are the only clue.
    """

    fixture: Fixture
    reason: str
    tries: int
    machine: bool


Outcome = Result | Retry | Failure
"""What may come back for a job."""


class Executor(Protocol):
    """Plays fixtures somewhere, in any order."""

    def play(self, jobs: Iterable[Job], stop: Callable[[], bool], wake_fd: int = -1) -> Iterator[Outcome]:
        """Yield what becomes of each job, as it becomes known; jobs are drawn as workers fall free.

        Once `stop()` is true no job is begun, running ones are broken off, and the iterator ends after the results
        that had already come. `wake_fd` turns readable when `stop` turns true. Raises `HarnessFailure` where
        nothing can be played at all.
        """
        ...
