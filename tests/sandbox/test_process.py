"""Talking to a program: nothing that it does or leaves undone holds up who talks to it."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable

import pytest

from sandbox import Process, start_time

Python = Callable[[str], Process]
Line = Callable[[Process], str]
End = Callable[[Process], int]
WaitFor = Callable[[int, int], None]


def test_lines_go_there_and_back(python: Python, line: Line) -> None:
    process = python("import sys\nfor l in sys.stdin: print(l.strip()[::-1], flush=True)")
    for word in ("abc", "xyz"):
        assert process.write(word.encode() + b"\n")
        assert line(process) == word[::-1]
    assert process.read() is None


@pytest.mark.parametrize("status", [0, 3, 255])
def test_an_exit_status_is_a_status(python: Python, end: End, status: int) -> None:
    process = python(f"import os; os._exit({status})")
    assert end(process) == status
    assert process.close() == status
    assert process.close() == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_signal_is_a_negative_status(python: Python, end: End, number: signal.Signals) -> None:
    process = python(f"import os; os.kill(os.getpid(), {int(number)})")
    assert end(process) == -number
    assert process.close() == -number


def test_ended_does_not_wait(python: Python, line: Line) -> None:
    process = python("print(1, flush=True); input()")
    line(process)
    assert process.ended() is None
    assert process.close() == -signal.SIGKILL


def test_a_stdin_never_read_does_not_block(python: Python, line: Line) -> None:
    process = python("print(1, flush=True)\nimport signal; signal.pause()")
    line(process)
    sent = 0
    while process.write(b"x" * 1000):
        sent += 1000
        assert sent < 1 << 20
    for _ in range(100):
        assert not process.write(b"x" * 1000)
    assert not process.flush()
    assert not process.stdin_broken


def test_what_waits_for_stdin_is_bounded(python: Python, line: Line) -> None:
    process = python("print(1, flush=True)\nimport signal; signal.pause()")
    line(process)
    for _ in range(300):
        process.write(b"x" * 65536)
    assert process.stdin_broken
    assert process.write(b"more")


def test_what_did_not_fit_arrives_whole_and_in_order(python: Python, line: Line, wait_for: WaitFor) -> None:
    process = python(
        "import sys\nsys.stdin.readline(); print('go', flush=True)\n"
        "print(sys.stdin.read() == ''.join(f'{i}\\n' for i in range(60000)), flush=True)"
    )
    process.write(b"\n")
    line(process)
    for i in range(60000):
        process.write(b"%d\n" % i)
    while not process.flush():
        wait_for(process.stdin, select.POLLOUT)
    process.close_stdin()
    assert process.stdin == -1
    assert line(process) == "True"


def test_a_closed_stdin_is_swallowed_and_remembered(python: Python, line: Line) -> None:
    process = python("import os, signal; os.close(0); print(1, flush=True); signal.pause()")
    line(process)
    assert process.write(b"hello\n")
    assert process.stdin_broken
    assert process.write(b"again\n")
    assert process.ended() is None


def test_a_flood_of_stdout_is_read_in_bounded_pieces(python: Python, wait_for: WaitFor) -> None:
    process = python("import os\nwhile True: os.write(1, b'x' * 100000)")
    for _ in range(50):
        wait_for(process.stdout, select.POLLIN)
        piece = process.read()
        assert piece is None or 0 < len(piece) <= 65536
    assert process.close() == -signal.SIGKILL


def test_a_flood_of_stderr_keeps_first_and_last(python: Python, wait_for: WaitFor) -> None:
    process = python(
        "import os\nos.write(2, b'first words\\n')\nfor i in range(100): os.write(2, b'x' * 10000)\n"
        "os.write(2, b'last words')"
    )
    while process.read_stderr():
        wait_for(process.stderr, select.POLLIN)
    said = process.errors.text()
    assert said.startswith("first words\n")
    assert said.endswith("x" * 1000 + "last words")
    assert process.errors.total == 12 + 1_000_000 + 10
    assert len(said) < 33_000


def test_one_look_at_a_flooded_stderr_comes_back(python: Python, wait_for: WaitFor) -> None:
    process = python("import os\nwhile True: os.write(2, b'x' * 65536)")
    for _ in range(20):
        wait_for(process.stderr, select.POLLIN)
        before = process.errors.total
        assert process.read_stderr()
        assert process.errors.total - before <= 4 * 65536


def test_close_takes_what_is_left_on_stderr(python: Python, end: End) -> None:
    process = python("import sys; sys.stderr.write('why it died'); sys.exit(1)")
    end(process)
    process.close()
    assert process.errors.text() == "why it died"


def test_nonblock_set_by_the_program_stays_with_it(python: Python, line: Line) -> None:
    # Its ends of the pipes are its own: writing to a full stdin and reading go on as before, and so does our stderr.
    import os

    process = python(
        "import os\nfor f in 0, 1, 2: os.set_blocking(f, False)\nprint(1, flush=True)\nimport signal; signal.pause()"
    )
    before = [os.get_blocking(descriptor) for descriptor in (0, 1, 2)]
    line(process)
    assert [os.get_blocking(descriptor) for descriptor in (0, 1, 2)] == before
    assert process.read() is None


def test_blocking_set_by_the_program_stays_with_it(python: Python, line: Line) -> None:
    process = python(
        "import os\nfor f in 0, 1, 2: os.set_blocking(f, True)\nprint(1, flush=True)\nimport signal; signal.pause()"
    )
    line(process)
    assert process.read() is None
    assert process.read_stderr()


def test_a_closed_stdout_is_no_exit(python: Python, wait_for: WaitFor) -> None:
    process = python("import os, signal; os.close(1); signal.pause()")
    wait_for(process.stdout, select.POLLIN)
    assert process.read() == b""
    assert not process.exiting()
    assert process.ended() is None


def test_a_stdout_closed_by_threads_that_go_on_is_no_exit(python: Python, wait_for: WaitFor) -> None:
    process = python(
        "import os, threading, signal, ctypes\n"
        "def rest():\n os.close(1)\n threading.Event().wait()\n"
        "threading.Thread(target=rest).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)"
    )
    wait_for(process.stdout, select.POLLIN)
    assert process.read() == b""
    assert not process.exiting()


@pytest.mark.parametrize("threads", [0, 8])
def test_a_stdout_closed_by_the_end_comes_with_exiting(python: Python, wait_for: WaitFor, threads: int) -> None:
    for _ in range(10):
        process = python(
            "import threading, os\n"
            f"for _ in range({threads}): threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "os._exit(3)"
        )
        wait_for(process.stdout, select.POLLIN)
        assert process.read() == b""
        assert process.exiting()
        process.close()


def test_a_grandchild_that_holds_the_pipes_does_not_hide_the_end(python: Python, end: End) -> None:
    process = python("import os\nif os.fork() == 0:\n import signal; signal.pause()\nos._exit(5)")
    assert end(process) == 5
    assert process.read() is None
    assert process.close() == 5


def test_the_wait_for_a_core_is_known(python: Python, line: Line) -> None:
    process = python("print(1, flush=True); input()")
    line(process)
    waited = process.queued_us()
    assert waited is None or waited >= 0
    process.close()
    assert process.queued_us() is None


def test_a_closed_process_answers_all_questions(python: Python) -> None:
    process = python("import signal; signal.pause()")
    process.close()
    assert (process.stdin, process.stdout, process.stderr, process.exit_fd) == (-1, -1, -1, -1)
    assert process.read() == b""
    assert not process.read_stderr()
    assert process.write(b"x")
    assert process.flush()
    process.close_stdin()
    process.kill()
    assert process.ended() == -signal.SIGKILL
    assert process.exiting()
    assert process.cpu_us() == process.cpu_us(fresh=True) > 0


def test_usage_is_the_kernels_last_word(python: Python, end: End) -> None:
    process = python("x = bytearray(64 << 20)\nfor i in range(300000): pass")
    end(process)
    process.close()
    assert process.usage is not None
    assert process.usage.peak_kib > 64 << 10
    assert process.cpu_us() == process.usage.cpu_us
    assert sys.platform != "linux" or process.usage.cpu_us > 1000


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_a_process_is_told_from_a_later_one_by_its_start(python: Python) -> None:
    process = python("import signal; signal.pause()")
    started, ours = start_time(process.pid), start_time(os.getpid())
    assert started is not None
    assert ours is not None
    assert started >= ours
    process.close()
    assert start_time(process.pid) is None
