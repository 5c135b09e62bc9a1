"""One worker process as the main process holds it: its pipes, its life line and what lies in its hands."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from harness.executors.job import Job
from harness.executors.wire import Unpacker, pack
from harness.referee import longest_s

__all__ = ["Task", "WorkerProcess"]

_CHUNK = 256 * 1024
"""Bytes read at a time."""

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


class WorkerProcess:
    """A worker in a session of its own, so that a terminal's Ctrl-C does not reach it.

    To be watched for input: `outlet`, and `exit_fd`, readable once it has ended (-1 where there is no such thing).
    """

    __slots__ = (
        "_errors", "_given_up", "_heard_s", "_inbox", "_lifeline", "_outbox", "_popen", "_unpacker",
        "exit_fd", "outlet", "ready", "slot", "tasks",
    )  # fmt: skip

    def __init__(self, command: Sequence[str], slot: int, setting: dict[str, Any]) -> None:
        """Start `command`; raises `OSError` where the machine can't."""
        self.slot = slot
        self.tasks: deque[Task] = deque()
        self.ready = False
        self._given_up = ""
        self._heard_s = time.monotonic()
        self._unpacker = Unpacker()
        self._outbox = bytearray(pack(setting))
        self._errors: IO[bytes] = tempfile.TemporaryFile(dir=Path(setting["scratch"]).parent)  # noqa: SIM115
        theirs, self._lifeline = os.pipe()
        try:
            self._popen = subprocess.Popen(
                [*command, str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                pass_fds=(theirs,),
                bufsize=0,
            )
        except OSError:
            self._errors.close()
            os.close(self._lifeline)
            raise
        finally:
            os.close(theirs)
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self.exit_fd = _pidfd(self._popen.pid)
        self._inbox: int = self._popen.stdin.fileno()
        self.outlet: int = self._popen.stdout.fileno()
        os.set_blocking(self._inbox, False)
        os.set_blocking(self.outlet, False)

    @property
    def pid(self) -> int:
        """The worker's process id, its session's and group's too."""
        return self._popen.pid

    @property
    def inlet(self) -> int:
        """The descriptor to watch for room to write, -1 while nothing waits to be written."""
        return self._inbox if self._outbox and self._inbox >= 0 else -1

    def give(self, task: Task) -> None:
        """Put a task behind those that it has; never blocks."""
        if not self.tasks:
            self._heard_s = time.monotonic()  # it had nothing to say
        self.tasks.append(task)
        homes = [home.to_json() for home in task.job.homes]
        self._outbox += pack({"id": task.number, "fixture": task.job.fixture.to_json(), "homes": homes})
        self.flush()

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
        self._outbox += pack({"take_back": task.number})
        self.flush()
        return task

    def flush(self) -> None:
        """Write what the pipe takes; a broken pipe is left to the end of file on `outlet` to tell."""
        try:
            while self._outbox and self._inbox >= 0:
                del self._outbox[: os.write(self._inbox, self._outbox)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._outbox.clear()

    def messages(self, *, ended: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the messages that have come; raises `EOFError` after the last one of all.

        `ended` says that the process is gone, so that what lies in the pipe is all there will be, even where
        something still holds the pipe's other end.
        """
        while True:
            try:
                chunk = os.read(self.outlet, _CHUNK)
            except BlockingIOError:
                if ended:
                    raise EOFError from None
                return
            if not chunk:
                raise EOFError
            self._heard_s = time.monotonic()
            yield from self._unpacker.feed(chunk)
            if not ended:
                return

    def tell_to_end(self) -> None:
        """Cut the life line: the worker kills its bots and ends, in the middle of a match too."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        if self._inbox >= 0:
            assert self._popen.stdin is not None
            self._popen.stdin.close()
            self._inbox = -1

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

    def give_up(self, reason: str) -> None:
        """Kill it for that reason; its end is told as that of any other."""
        self._given_up = reason
        self.kill()

    def kill(self) -> None:
        """End the worker whatever it does; its bots become orphans, for a sweep."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> str:
        """Wait for its end (told or killed before, or end of file seen) and say how it ended; closes everything."""
        self.tell_to_end()
        self.kill()
        if self.exit_fd >= 0:
            os.close(self.exit_fd)
            self.exit_fd = -1
        with self._popen, self._errors:
            status = self._popen.wait()
            self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
            words = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2].strip()
        if self._given_up:
            return self._given_up
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return f"a worker ended with {how}" + (f": {words}" if words else "")


def _pidfd(pid: int) -> int:
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            return os.pidfd_open(pid)
    return -1
