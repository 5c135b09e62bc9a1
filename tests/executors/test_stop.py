"""The wish to stop, as a flag and a descriptor."""

import os
import select
import signal
import threading

import pytest

from harness.executors import StopSignal


def readable(fd: int) -> bool:
    return bool(select.select([fd], [], [], 0)[0])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_turns_the_flag_and_the_descriptor_and_the_handler_is_given_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with StopSignal() as stop:
        assert not stop()
        assert not readable(stop.fileno())
        os.kill(os.getpid(), number)
        assert stop()
        assert readable(stop.fileno())
        os.kill(os.getpid(), number)  # again: nothing more happens
        assert stop()
    assert signal.getsignal(number) is before
    assert stop()
    assert stop.fileno() == -1


def test_a_hang_up_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopSignal() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop()
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_blocked_wait_wakes() -> None:
    with StopSignal() as stop:
        threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGTERM)).start()
        assert select.select([stop.fileno()], [], [])[0] == [stop.fileno()]
        assert stop()


def test_it_can_be_asked_from_a_thread_and_outside_the_main_one_it_takes_no_signals() -> None:
    handlers = []

    def elsewhere() -> None:
        with StopSignal() as stop:
            handlers.append(signal.getsignal(signal.SIGTERM))
            stop.request()
            handlers.append(stop() and readable(stop.fileno()))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert handlers == [before, True]


def test_many_requests_do_not_block() -> None:
    with StopSignal() as stop:
        for _ in range(100_000):
            stop.request()
        assert stop()
