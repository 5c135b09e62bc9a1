"""The news that a child has stopped or ended, as a descriptor, so that nobody looks for it at intervals."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

__all__ = ["ChildSignal"]

_CHUNK = 4096
"""Bytes read at a time; each is one signal."""


class ChildSignal:
    """As a context manager it takes SIGCHLD over and gives it back at the end.

    Outside the main thread, where Python allows no handlers, nothing is ever told.
    """

    def __init__(self) -> None:
        self._read = self._write = -1
        self._before: Callable[[int, FrameType | None], Any] | int | None = None
        self._taken = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._read, self._write = os.pipe()
            os.set_blocking(self._read, False)
            os.set_blocking(self._write, False)
            self._before = signal.signal(signal.SIGCHLD, self._handle)
            # What blocks elsewhere goes on by itself: only who polls wants to know.
            signal.siginterrupt(signal.SIGCHLD, False)
            self._taken = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._taken:
            # None stands for a handler that was not set from Python and can't be put back.
            signal.signal(signal.SIGCHLD, signal.SIG_DFL if self._before is None else self._before)
            os.close(self._read)
            os.close(self._write)
            self._read = self._write = -1
            self._taken = False

    def fileno(self) -> int:
        """A descriptor that can be read once something happened to a child, -1 where that is never told."""
        return self._read

    def clear(self) -> None:
        """Take note: the descriptor can be read again only after the next news."""
        with contextlib.suppress(BlockingIOError):
            while len(os.read(self._read, _CHUNK)) == _CHUNK:
                pass

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b"\0")
