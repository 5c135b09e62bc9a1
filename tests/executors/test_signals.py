"""Signals told by a descriptor."""

from __future__ import annotations

import os
import select
import signal

from harness.executors.signals import SignalPipe


def readable(fd: int) -> bool:
    return bool(select.select([fd], [], [], 0)[0])


def test_what_was_noted_is_told_again_only_by_the_next_signal() -> None:
    with SignalPipe((signal.SIGUSR1,)) as pipe:
        for _ in range(2):
            assert not readable(pipe.fileno())
            for _ in range(10_000):  # more than are read at a time
                os.kill(os.getpid(), signal.SIGUSR1)
            assert readable(pipe.fileno())
            pipe.clear()
        assert not readable(pipe.fileno())
        pipe.clear()  # with nothing there it does not block


def test_the_handler_from_before_is_given_back() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    with SignalPipe((signal.SIGUSR1,)):
        assert signal.getsignal(signal.SIGUSR1) != before
    assert signal.getsignal(signal.SIGUSR1) == before
