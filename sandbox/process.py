"""A program under way: what whoever talks to it sees, however it is held."""

from __future__ import annotations

import contextlib
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

from sandbox.jail import Breach
from sandbox.output import FirstAndLast

__all__ = ["Process", "Usage"]

_CHUNK = 64 * 1024
_MOST_PENDING = 1 << 20
_MOST_DRAINED = 64 * _CHUNK


@dataclass(frozen=True, slots=True)
class Usage:
    """What the kernel says after the end of the program and of children that it waited for."""

    cpu_us: int
    peak_kib: int  # of the largest single process


class CpuClock(Protocol):
    """Reads the CPU time of a program."""

    def __call__(self, fresh: bool = False, now_us: int | None = None) -> int:
        """µs so far, never decreasing; `fresh` looks up descendants now, `now_us` spares who knows it a look."""


class Process(ABC):
    """A program that runs, or has ended and is not closed yet. Not for use from two threads at once.

    `pid` is that of what was started, `stdin`, `stdout`, `stderr` are the parent's ends, which do not block; -1 once
    closed. `exit_fd` turns readable when the program has ended; -1 where the system has no such thing. `errors` keeps
    what `read_stderr` took, `stderr_kb` KiB at most.
    `cpu_us()` is the CPU time in µs of the program and all its descendants so far, never decreasing; cheap, since
    descendants are looked up at most each 20 ms (2 ms once there are some) or for `cpu_us(fresh=True)`. Where the
    backend's clock is "wall" it is the time since the start instead.
    """

    __slots__ = (
        "_closed",
        "_pending",
        "_status",
        "cpu_us",
        "errors",
        "exit_fd",
        "pid",
        "stderr",
        "stdin",
        "stdin_broken",
        "stdout",
        "usage",
    )

    cpu_us: CpuClock

    def __init__(self, stderr_kb: int) -> None:
        self.pid = 0
        self.stdin = self.stdout = self.stderr = self.exit_fd = -1
        self.stdin_broken = False
        self.errors = FirstAndLast(stderr_kb * 256, stderr_kb * 768)
        self.usage: Usage | None = None  # once closed
        self._pending = bytearray()
        self._status: int | None = None
        self._closed = False

    def write(self, data: bytes) -> bool:
        """Send to stdin without ever blocking; False while something waits: poll `stdin` for writing, then `flush`.

        A program that closed its stdin, or left more than 1 MiB unread, sets `stdin_broken`; from then on what is
        sent is lost.
        """
        if self.stdin_broken or self.stdin < 0:
            return True
        if not self._pending:
            try:
                sent = os.write(self.stdin, data)
            except BlockingIOError:
                sent = 0
            except OSError:
                return self._break_stdin()
            if sent == len(data):
                return True
            data = data[sent:]
        if len(self._pending) + len(data) > _MOST_PENDING:
            return self._break_stdin()
        self._pending += data
        return self.flush()

    def flush(self) -> bool:
        """Send what waits, as far as it fits; True when nothing is left."""
        while self._pending and self.stdin >= 0:
            try:
                del self._pending[: os.write(self.stdin, self._pending)]
            except BlockingIOError:
                return False
            except OSError:
                return self._break_stdin()
        return True

    def _break_stdin(self) -> bool:
        self.stdin_broken = True
        self._pending.clear()
        return True

    def close_stdin(self) -> None:
        """Give the program end of file, after what waits if that fits."""
        if self.stdin >= 0:
            self.flush()
            self._pending.clear()
            os.close(self.stdin)
            self.stdin = -1

    def read(self) -> bytes | None:
        """What the program wrote to stdout, at most 64 KiB; None if there is nothing now, empty at end of file."""
        if self.stdout < 0:
            return b""
        try:
            return os.read(self.stdout, _CHUNK)
        except BlockingIOError:
            return None

    def read_stderr(self) -> bool:
        """Take what is on stderr now into `errors`; False at end of file. A flood does not hold it up."""
        for _ in range(4):
            if self.stderr < 0:
                return False
            try:
                data = os.read(self.stderr, _CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.errors.feed(data)
        return True

    def _drain(self) -> None:
        taken = self.errors.total
        # Whatever still holds the other end may go on writing.
        with contextlib.suppress(OSError):
            while self.errors.total - taken < _MOST_DRAINED:
                before = self.errors.total
                if not self.read_stderr() or self.errors.total == before:
                    break

    @abstractmethod
    def ended(self) -> int | None:
        """Exit status, or negative signal; None while it lives. Never waits for it.

        SandboxError if the sandbox failed before the program was reached.
        """

    @abstractmethod
    def exiting(self) -> bool:
        """Whether the program has ended or the kernel has begun to end it, all threads of it.

        A stdout that closed because the program ends comes with this; one that the program closed does not.
        """

    @abstractmethod
    def queued_us(self) -> int | None:
        """µs that the program's first thread was ready to run and had no core; None where that is not known."""

    @abstractmethod
    def breach(self) -> Breach | None:
        """The limit of the sandbox that the program has hit, if that can be proved. To be asked before `close`."""

    @abstractmethod
    def kill(self) -> None:
        """SIGKILL to the program and all its descendants. Does not wait for their end."""

    @abstractmethod
    def close(self) -> int | None:
        """Kill all of it, take the rest of stderr, close all descriptors; exit status or negative signal.

        None if that can't be told any more. Safe to repeat. SandboxError if it can't be ended.
        """
