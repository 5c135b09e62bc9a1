"""Signals taken over for a while and given back, and told by a descriptor, so that whoever blocks in a poll wakes."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, Self

__all__ = ["SignalPipe", "take_signals"]

_CHUNK = 4096
"""Bytes read at a time; each is one signal."""


@contextlib.contextmanager
def take_signals(
    numbers: Sequence[int], handler: Callable[[int, FrameType | None], Any], *, restart: bool = False
) -> Iterator[None]:
    """Have these signals go to `handler`, and give them back at the end.

    With `restart` what blocks elsewhere when one comes goes on by itself.

    A SIGHUP that is ignored stays ignored: that is what `nohup` is for. Outside the main thread, where Python allows no
    handlers, nothing is taken.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in numbers:
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
                if restart:
                    signal.siginterrupt(number, False)
    try:
        yield
    finally:
        for number, earlier in before.items():
            # None stands for a handler that was not set from Python and can't be put back.
            signal.signal(number, signal.SIG_DFL if earlier is None else earlier)


class SignalPipe:
    """As a context manager it takes signals, as `take_signals` does: each calls `heard`, then tells the descriptor."""

    def __init__(
        self, numbers: Sequence[int], heard: Callable[[], None] | None = None, *, restart: bool = False
    ) -> None:
        self._numbers = numbers
        self._heard = heard
        self._restart = restart
        self._read = self._write = -1
        self._taken = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._taken.enter_context(take_signals(self._numbers, self._handle, restart=self._restart))
        return self

    def __exit__(self, *_: object) -> None:
        self._taken.close()
        os.close(self._read)
        os.close(self._write)
        self._read = self._write = -1

    def fileno(self) -> int:
        """A descriptor that can be read once a signal came or `tell` was called, -1 outside the `with` block."""
        return self._read

    def tell(self) -> None:
        """Do as a signal does, from any thread; nothing outside the `with` block."""
        if self._write >= 0:
            with contextlib.suppress(BlockingIOError):
                os.write(self._write, b"\0")

    def clear(self) -> None:
        """Take note: the descriptor can be read again only after the next news."""
        with contextlib.suppress(BlockingIOError):
            while len(os.read(self._read, _CHUNK)) == _CHUNK:
                pass

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._heard is not None:
            self._heard()
        self.tell()
