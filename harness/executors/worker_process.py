"""One worker process as the main process holds it: a child, and what lies in its hands."""

from __future__ import annotations

import os
import select
import signal
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.executors.child_process import ChildProcess
from harness.executors.job import Job
from harness.referee import longest_s

__all__ = ["Task", "WorkerProcess"]

_SLACK_S = 600.0
"""Seconds of silence beyond the longest match: the worker's own start, clearing up, a machine that is slow at both."""


@dataclass(slots=True)
class Task:
    """A job on its way: its `number` in this executor and how many tries have come to nothing.

    One that was `taken_back` from a worker is another's now; what this one still says of it counts for nothing.
    """

    number: int
    job: Job
    failed: int = 0
    taken_back: bool = False


class WorkerProcess(ChildProcess):
    """A worker; `tasks` are those that it has not answered yet, the first being what it plays."""

    __slots__ = ("ready", "slot", "tasks")

    def __init__(self, command: Sequence[str], slot: int, setting: dict[str, Any]) -> None:
        """Start `command`; raises `OSError` where the machine can't."""
        super().__init__("a worker", command, setting, Path(setting["scratch"]).parent)
        self.slot = slot
        self.tasks: deque[Task] = deque()
        self.ready = False

    def give(self, task: Task) -> None:
        """Put a task behind those that it has; never blocks."""
        if not self.tasks:
            self._heard_s = time.monotonic()  # it had nothing to say
        self.tasks.append(task)
        homes = [home.to_json() for home in task.job.homes]
        self.send({"id": task.number, "fixture": task.job.fixture.to_json(), "homes": homes})

    @property
    def busy(self) -> bool:
        """Whether it has something to play that counts."""
        return any(not task.taken_back for task in self.tasks)

    def has_one_to_spare(self) -> bool:
        """Whether it holds a fixture that it has not begun, as far as can be known: not while it has news unread."""
        if len(self.tasks) < 2 or self.tasks[-1].taken_back:
            return False
        poll = select.poll()
        poll.register(self.outlet, select.POLLIN)
        return not poll.poll(0)

    def silent_since_s(self) -> float:
        """When it was last heard of, by the monotonic clock: about when it began what it plays."""
        return self._heard_s

    def take_back(self) -> Task:
        """Take the last of its tasks from it, for another worker.

        It may begin the match before it hears of it. Then both play it, to the same record, and the other's counts.
        """
        task = self.tasks.pop()
        self.tasks.append(replace(task, taken_back=True))
        self.send({"take_back": task.number})
        return task

    def stopped(self) -> str | None:
        """The name of the signal that has stopped it, `None` while it goes on or has ended."""
        if not hasattr(os, "waitid"):
            return None
        try:
            found = os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None
        return None if found is None else signal.Signals(found.si_status).name

    def patience_s(self) -> float | None:
        """Seconds until it has been silent for longer than its match can last, `None` where it has no match."""
        if not self.tasks or self._given_up:
            return None
        return self._heard_s + longest_s(self.tasks[0].job.fixture) + _SLACK_S - time.monotonic()
