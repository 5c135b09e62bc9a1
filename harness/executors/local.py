"""Plays fixtures in worker processes on this machine, one match a worker at a time."""

from __future__ import annotations

import contextlib
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from harness.errors import HarnessFailure
from harness.executors.folder import remove_quietly
from harness.executors.job import MOST_TRIES, Failure, Job, Outcome, Result, Retry
from harness.executors.signals import SignalPipe
from harness.executors.worker_process import Task, WorkerProcess
from harness.referee import usable_cores
from sandbox import PASSABLE, Probe, SandboxError, become_subreaper, remove_leftovers, sweep

__all__ = ["LocalExecutor"]

_IN_HAND = 2
"""Fixtures a worker holds at most: the one it plays and the next, so that it never waits for us between two.

With one alone, given as soon as the last is answered, leagues of one-game matches took 4 % longer with bots in C and
3 % longer with the sample bots (two workers on two cores). The next is taken back where another worker has none: it
need not wait for a slow bot.
"""

_GRACE_S = 5.0
"""Seconds a worker has to kill its bots and end before it is killed itself."""

_LONGEST_WAIT_MS = 86_400_000.0
"""A day: what a poll can wait is bounded."""

_WORKER = (sys.executable, "-P", "-m", "harness.executors.worker")
"""The command of a worker; -P keeps the current folder out of what it imports from."""


class LocalExecutor:
    """`workers` processes, each pinned to one of `cores` in turn; workers start when first needed.

    `scratch` is a private folder for the workers' own, `cores` those this process may use if not given. A worker
    that dies is replaced and what it played is tried again. So is one that was stopped (SIGSTOP), since workers are in
    sessions of their own and a stop of one is nobody's wish, not even that of who stops the run with Ctrl-Z; and one
    that has been silent for longer than its match can last. As a context manager it ends its workers on the way out.

    This process becomes a subreaper, so that a dead worker's bots fall to it. They are told from its own children by
    their session: whoever uses this beside children in sessions of their own will find those ended too.
    """

    def __init__(
        self,
        workers: int,
        backend: Probe,
        cores: Sequence[int] | None = None,
        *,
        scratch: Path,
        command: Sequence[str] = _WORKER,
    ) -> None:
        self._workers: dict[int, WorkerProcess] = {}
        self._size = workers
        self._backend = backend
        self._cores = tuple(cores) if cores is not None else usable_cores()
        self._scratch = scratch
        self._command = tuple(command)
        # Only who polls wants to know of a child.
        self._children = SignalPipe((signal.SIGCHLD,), restart=True)
        self._waiting: deque[Task] = deque()
        self._number = 0
        self._stillborn = 0

    def __enter__(self) -> Self:
        # The bots of a worker that was killed become ours, so that they can be found and ended.
        become_subreaper()
        self._children.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._end_all()
        finally:
            self._children.__exit__()

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers alive now."""
        return tuple(worker.pid for worker in self._workers.values())

    def play(self, jobs: Iterable[Job], stop: Callable[[], bool], wake_fd: int = -1) -> Iterator[Outcome]:
        """Play `jobs`; see `harness.executors.Executor`."""
        stream = iter(jobs)
        try:
            while not stop():
                self._hand_out(stream)
                if not self._busy():
                    return
                for worker, message in self._news(wake_fd, self._patience_ms()):
                    yield from self._lost(worker) if message is None else self._heard(worker, message)
            yield from self._end_all()
        finally:
            self._waiting.clear()
            if self._busy():
                self._end_all()  # given up half-way: what is in hand belongs to nobody any more

    def _busy(self) -> bool:
        return any(worker.busy for worker in self._workers.values())

    def _hand_out(self, stream: Iterator[Job]) -> None:
        """Give every worker something to play, then something to play next; what is left is shared out anew."""
        for depth in range(_IN_HAND):
            for slot in range(self._size):
                worker = self._workers.get(slot)
                if worker is not None and len(worker.tasks) > depth:
                    continue
                task = self._next_task(stream)
                if task is None and depth == 0:
                    task = self._taken_back()
                if task is None:
                    return
                if worker is None:
                    worker = self._workers[slot] = self._start(slot)
                worker.give(task)

    def _taken_back(self) -> Task | None:
        """A fixture that waits in a worker's hand, that of the slowest match first, for a worker that has none."""
        holders = [worker for worker in self._workers.values() if worker.has_one_to_spare()]
        return min(holders, key=WorkerProcess.silent_since_s).take_back() if holders else None

    def _next_task(self, stream: Iterator[Job]) -> Task | None:
        return self._waiting.popleft() if self._waiting else self._drawn(stream)

    def _drawn(self, stream: Iterator[Job]) -> Task | None:
        job = next(stream, None)
        if job is None:
            return None
        self._number += 1
        return Task(self._number, job)

    def _start(self, slot: int) -> WorkerProcess:
        scratch = self._scratch / f"worker-{slot}"
        core = self._cores[slot % len(self._cores)] if self._cores else None
        setting = {"backend": self._backend.to_json(), "scratch": str(scratch), "core": core}
        try:
            scratch.mkdir(mode=0o700, exist_ok=True)
            scratch.chmod(PASSABLE)
            return WorkerProcess(self._command, slot, setting)
        except OSError as error:
            raise HarnessFailure(f"a worker process can't be started: {error}") from error

    def _patience_ms(self) -> float | None:
        """How long to wait for news before a worker is given up; hours, so nothing is looked for at intervals."""
        left_s = [left for worker in self._workers.values() if (left := worker.patience_s()) is not None]
        return min(max(0.0, min(left_s)) * 1000, _LONGEST_WAIT_MS) if left_s else None

    def _give_up_the_lost(self, *, silent: bool) -> None:
        """Kill the workers that will never say anything more; `silent` says that all that had come has been read."""
        for worker in self._workers.values():
            by = worker.stopped()
            if by is not None:
                worker.give_up(f"a worker was stopped ({by})")
                continue
            left_s = worker.patience_s()
            if silent and left_s is not None and left_s <= 0:
                worker.give_up("a worker was silent for longer than its match can last")

    def _news(self, wake_fd: int, timeout_ms: float | None) -> Iterator[tuple[WorkerProcess, dict[str, Any] | None]]:
        """Block until something comes, then yield messages with their workers; `None` for a worker that ended."""
        poll = select.poll()
        children = self._children.fileno()
        for fd in (wake_fd, children):
            if fd >= 0:
                poll.register(fd, select.POLLIN)
        by_fd: dict[int, WorkerProcess] = {}
        for worker in self._workers.values():
            watched = ((worker.outlet, select.POLLIN), (worker.exit_fd, select.POLLIN), (worker.inlet, select.POLLOUT))
            for fd, events in watched:
                if fd >= 0:
                    by_fd[fd] = worker
                    poll.register(fd, events)
        found = poll.poll(timeout_ms)
        if not found:
            self._give_up_the_lost(silent=True)
        for fd, _ in found:
            if fd == wake_fd:
                continue
            if fd == children:
                self._children.clear()
                self._give_up_the_lost(silent=False)
                continue
            worker = by_fd[fd]
            if self._workers.get(worker.slot) is not worker:
                continue  # buried since, in this very loop
            if fd == worker.inlet:
                worker.flush()
                continue
            try:
                for message in worker.messages(ended=fd == worker.exit_fd):
                    yield worker, message
            except EOFError:
                yield worker, None

    def _heard(self, worker: WorkerProcess, message: dict[str, Any]) -> Iterator[Outcome]:
        if "ready" in message:
            worker.ready = True
            self._stillborn = 0
            return
        task = worker.tasks.popleft()
        if message["id"] != task.number:
            raise HarnessFailure(f"a worker answered for job {message['id']} when job {task.number} was its next")
        if task.taken_back:
            return
        if "record" in message:
            yield Result(task.job.fixture, message["record"], tuple(message["stderr"]), task.failed + 1)
        else:
            yield self._try_again(task, message["failure"], machine=True)

    def _lost(self, worker: WorkerProcess) -> Iterator[Outcome]:
        """Bury a worker: what it played counts as a try, what it held beside that does not."""
        reason = self._bury(worker)
        played = worker.tasks.popleft() if worker.ready and worker.tasks else None
        self._waiting.extendleft(task for task in reversed(worker.tasks) if not task.taken_back)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= MOST_TRIES:
                raise HarnessFailure(f"no worker process gets as far as its first match: {reason}")
        elif played is not None and not played.taken_back:
            yield self._try_again(played, reason, machine=False)

    def _try_again(self, task: Task, reason: str, *, machine: bool) -> Outcome:
        task.failed += 1
        if task.failed >= MOST_TRIES:
            return Failure(task.job.fixture, reason, task.failed, machine)
        self._waiting.appendleft(task)
        return Retry(task.job.fixture, reason, task.failed)

    def _bury(self, worker: WorkerProcess) -> str:
        del self._workers[worker.slot]
        reason = worker.reap()
        sweep(spare=self.pids)
        with contextlib.suppress(SandboxError):
            # A worker that was killed has left its programs' groups and containers.
            remove_leftovers(self._backend)
        remove_quietly(self._scratch / f"worker-{worker.slot}")
        return reason

    def _end_all(self) -> list[Outcome]:
        """End every worker at once and return the results that they had already sent."""
        results: list[Outcome] = []
        for worker in self._workers.values():
            worker.tell_to_end()
        deadline = time.monotonic() + _GRACE_S
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for worker, message in self._news(-1, left * 1000):
                if message is None:
                    self._bury(worker)
                else:
                    results.extend(outcome for outcome in self._heard(worker, message) if isinstance(outcome, Result))
        for worker in tuple(self._workers.values()):
            self._bury(worker)
        self._waiting.clear()
        return results
