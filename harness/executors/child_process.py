"""A worker or a builder as the main process holds it: its pipes, its life line, and how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from harness.executors.janitor import held_open
from harness.executors.wire import Unpacker, pack

__all__ = ["ChildProcess"]

_CHUNK = 256 * 1024
"""Bytes read at a time."""


class ChildProcess:
    """A child in a session of its own, so that a terminal's Ctrl-C does not reach it.

    To be watched for input: `outlet`, and `exit_fd`, readable once it has ended (-1 where there is no such thing).
    """

    __slots__ = (
        "_errors", "_given_up", "_heard_s", "_inbox", "_lifeline", "_name", "_outbox", "_popen", "_unpacker",
        "exit_fd", "outlet",
    )  # fmt: skip

    def __init__(self, name: str, command: Sequence[str], setting: dict[str, Any], folder: Path) -> None:
        """Start `command` and send it the frame `setting`; raises `OSError` where the machine can't.

        `name` is what sentences call it. What it writes to stderr is kept in a file without a name in `folder`.
        """
        self._name = name
        self._given_up = ""
        self._heard_s = time.monotonic()
        self._unpacker = Unpacker()
        self._outbox = bytearray(pack(setting))
        self._errors: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        theirs, self._lifeline = os.pipe()
        try:
            self._popen = subprocess.Popen(
                [*command, str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                pass_fds=(theirs, *held_open()),
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
        """Its process id, its session's and group's too."""
        return self._popen.pid

    @property
    def inlet(self) -> int:
        """The descriptor to watch for room to write, -1 while nothing waits to be written."""
        return self._inbox if self._outbox and self._inbox >= 0 else -1

    def send(self, message: dict[str, Any]) -> None:
        """Put a frame behind those that wait to be written; never blocks."""
        self._outbox += pack(message)
        self.flush()

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
        """Cut the life line: it kills what it runs and ends, in the middle of its work too."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        if self._inbox >= 0:
            assert self._popen.stdin is not None
            self._popen.stdin.close()
            self._inbox = -1

    def give_up(self, reason: str) -> None:
        """Kill it for that reason; its end is told as that of any other."""
        self._given_up = reason
        self.kill()

    def kill(self) -> None:
        """End it whatever it does; what it runs becomes orphans, for a sweep."""
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
        return f"{self._name} ended with {how}" + (f": {words}" if words else "")


def _pidfd(pid: int) -> int:
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            return os.pidfd_open(pid)
    return -1
