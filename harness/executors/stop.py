"""The wish to stop: SIGINT, SIGTERM and SIGHUP as a flag and a descriptor, so that a blocked run wakes and ends."""

from __future__ import annotations

import signal
from typing import Self

from harness.executors.signals import SignalPipe

__all__ = ["StopSignal"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks for a stop: Ctrl-C, service managers, and a terminal that was closed."""


class StopSignal:
    """False until the process is asked to stop (or `request` is called), true from then on.

    As a context manager it takes SIGINT, SIGTERM and SIGHUP over, as `take_signals` does, and gives them back at the
    end; outside the main thread only `request` stops. A second signal changes nothing, since `timeout` and service
    managers send several, and the end is prompt anyway.
    """

    def __init__(self) -> None:
        self._asked = False
        self._pipe = SignalPipe(_SIGNALS, self._ask)

    def __enter__(self) -> Self:
        self._pipe.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.__exit__()

    def __call__(self) -> bool:
        """Whether a stop was asked for."""
        return self._asked

    def fileno(self) -> int:
        """A descriptor that can be read once a stop was asked for, -1 outside the `with` block."""
        return self._pipe.fileno()

    def request(self) -> None:
        """Ask for the stop, as a signal does; from any thread."""
        self._ask()
        self._pipe.tell()

    def _ask(self) -> None:
        self._asked = True
