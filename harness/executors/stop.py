"""The wish to stop: SIGINT, SIGTERM and SIGHUP as a flag and a descriptor, so that a blocked run wakes and ends."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

__all__ = ["StopSignal"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks for a stop: Ctrl-C, service managers, and a terminal that was closed."""


class StopSignal:
    """False until the process is asked to stop (or `request` is called), true from then on.

    As a context manager it takes SIGINT, SIGTERM and SIGHUP over and gives them back at the end; outside the main
    thread, where Python allows no handlers, only `request` stops. A SIGHUP that is ignored stays ignored: that is what
    `nohup` is for. A second signal changes nothing, since `timeout` and service managers send several, and the end is
    prompt anyway.
    """

    def __init__(self) -> None:
        self._asked = False
        self._read = self._write = -1
        self._before: dict[signal.Signals, Callable[[int, FrameType | None], Any] | int | None] = {}

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                    continue
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            # None stands for a handler that was not set from Python and can't be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        self._before.clear()
        os.close(self._read)
        os.close(self._write)
        self._read = self._write = -1

    def __call__(self) -> bool:
        """Whether a stop was asked for."""
        return self._asked

    def fileno(self) -> int:
        """A descriptor that can be read once a stop was asked for, -1 outside the `with` block."""
        return self._read

    def request(self) -> None:
        """Ask for the stop, as a signal does; from any thread."""
        self._asked = True
        if self._write >= 0:
            with contextlib.suppress(BlockingIOError):
                os.write(self._write, b"\0")

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.request()
