"""CPU billed against what the programs themselves measure of it, never against wall time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no CPU clock of other processes")

Python = Callable[[str], Process]
Line = Callable[[Process], str]

TICK_US = 10_000  # what the kernel tells of children that were waited for is cut to a tick, for each parent

BURN = """
import os, sys, time, threading, resource, signal
def burn(seconds, clock=time.thread_time):
    end = clock() + seconds
    while clock() < end: pass
def used():
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(sum(r.ru_utime + r.ru_stime for r in both) * 1e6)
def tell(*what): print(*what, flush=True)
"""


def close_to(billed: int, used: int, slack: int = 3_000) -> bool:
    """Within 5 % of what the program measured; ``slack`` is what it uses to say so."""
    return used * 0.95 - slack <= billed <= used * 1.05 + slack


def test_a_busy_loop(python: Python, line: Line) -> None:
    process = python(BURN + "burn(0.3); tell(used()); input()")
    used = int(line(process))
    assert close_to(process.cpu_us(), used)


def test_sleep_costs_nothing(python: Python, line: Line) -> None:
    process = python(BURN + "tell(used()); time.sleep(0.05); tell('x'); input()")
    used = int(line(process))
    line(process)
    assert process.cpu_us(fresh=True) <= used + 20_000


def test_threads_that_have_ended(python: Python, line: Line) -> None:
    process = python(
        BURN
        + "for _ in range(3):\n t = threading.Thread(target=burn, args=(0.1,)); t.start(); t.join()\n"
        + "burn(0.05); tell(used()); input()"
    )
    used = int(line(process))
    assert used >= 350_000
    assert close_to(process.cpu_us(), used)


PARALLEL = r"""
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
static void *burn(void *n) {
    struct timespec t;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 100);
    return n;
}
int main(void) {
    pthread_t t[4];
    struct rusage r;
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, burn, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    getrusage(RUSAGE_SELF, &r);
    printf("%ld\n", (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000L + r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    fflush(stdout);
    return getchar();
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_threads_side_by_side(start: Callable[[list[str]], Process], line: Line, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PARALLEL)
    subprocess.run(["gcc", "-O1", "-pthread", "-o", tmp_path / "p", tmp_path / "p.c"], check=True)
    process = start(["./p"])
    used = int(line(process))
    assert used >= 400_000
    assert close_to(process.cpu_us(), used)


def test_children_that_were_waited_for(python: Python, line: Line) -> None:
    process = python(
        BURN + "for _ in range(3):\n if os.fork() == 0: burn(0.1); os._exit(0)\n os.wait()\n" + "tell(used()); input()"
    )
    used = int(line(process))
    assert used >= 300_000
    assert close_to(process.cpu_us(fresh=True), used, TICK_US)


def test_grandchildren_that_were_waited_for(python: Python, line: Line) -> None:
    process = python(
        BURN
        + "if os.fork() == 0:\n if os.fork() == 0: burn(0.2); os._exit(0)\n os.wait(); burn(0.1); os._exit(0)\n"
        + "os.wait(); tell(used()); input()"
    )
    used = int(line(process))
    assert used >= 300_000
    assert close_to(process.cpu_us(fresh=True), used, TICK_US)


def test_children_that_live(python: Python, line: Line) -> None:
    process = python(
        BURN
        + "r, w = os.pipe()\n"
        + "for _ in range(3):\n if os.fork() == 0: burn(0.1); os.write(w, b'%d\\n' % used()); signal.pause()\n"
        + "got = b''\nwhile got.count(b'\\n') < 3: got += os.read(r, 100)\n"
        + "tell(used() + sum(map(int, got.split()))); input()"
    )
    used = int(line(process))
    assert used >= 300_000
    assert close_to(process.cpu_us(fresh=True), used)


def test_a_command_behind_a_shell(start: Callable[[list[str]], Process], line: Line) -> None:
    code = BURN + "burn(0.2); tell(used()); input()"
    process = start(["sh", "-c", 'true; "$0" -I -S -c "$1"; true', sys.executable, code])
    used = int(line(process))
    assert close_to(process.cpu_us(fresh=True), used, TICK_US)


def test_without_being_asked_descendants_are_found_when_due(python: Python, line: Line) -> None:
    process = python(BURN + "if os.fork() == 0: burn(0.2); tell(used()); signal.pause()\nos.wait()")
    process.cpu_us()
    used = int(line(process))
    # The parent does nothing by now, but it has run since the last look.
    while process.cpu_us() < used * 0.95:
        pass


def test_a_child_nobody_waits_for_stays_billed(python: Python, line: Line) -> None:
    process = python(
        BURN
        + "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        + "if os.fork() == 0: burn(0.2); tell(used()); input(); os._exit(0)\n"
        + "try: os.wait()\nexcept ChildProcessError: pass\n"
        + "tell('gone'); sys.stdin.close(); signal.pause()"
    )
    used = int(line(process))
    before = process.cpu_us(fresh=True)
    assert before >= used * 0.95
    process.write(b"\n")
    assert line(process) == "gone"
    assert process.cpu_us(fresh=True) >= before
    process.close()
    assert process.cpu_us() >= before


def test_it_never_decreases_and_never_exceeds_the_truth(python: Python, line: Line) -> None:
    process = python(
        BURN
        + "def tree(depth):\n"
        + " for _ in range(2):\n"
        + "  if os.fork() == 0:\n   burn(0.005)\n   if depth: tree(depth - 1)\n   os._exit(0)\n"
        + " while True:\n  try: os.wait()\n  except ChildProcessError: return\n"
        + "for _ in range(4): tree(3); tell('turn'); input()\n"
        + "tell(used()); input()"
    )
    last = 0
    for _ in range(4):
        process.cpu_us()
        assert line(process) == "turn"
        for fresh in (True, False, True):
            now = process.cpu_us(fresh)
            assert now >= last
            last = now
        process.write(b"\n")
    used = int(line(process))
    assert close_to(process.cpu_us(fresh=True), used, 3 * TICK_US)


def test_an_orphan_is_billed_and_its_end_settled(fresh_python: Callable[[str], str]) -> None:
    said = fresh_python(
        "sandbox.become_subreaper()\nBURN = '''"
        + BURN
        + "'''\n"
        + r"""
p = start(BURN + '''
r, w = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid(); os.read(r, 1); burn(0.2); tell(used()); input(); os._exit(0)
    os._exit(0)
os.wait(); os.write(w, b"x"); sys.stdin.close(); os.close(0); signal.pause()
''', Path("/tmp"))
used = int(line(p))
p.cpu_us(True)
living = p.cpu_us(True)
(orphan,) = [c for c in children() if int(c) != p.pid]
handle = os.pidfd_open(int(orphan))
p.write(b"\n"); ready(handle)
dead = p.cpu_us(True)
print(used, living, dead, orphan in children(), p.close(), p.cpu_us())
"""
    )
    used, living, dead, still, _, last = said.split()
    assert int(used) * 0.95 <= int(living) <= int(dead) <= int(last)
    assert int(last) <= int(used) * 1.05 + 200_000
    assert still == "False"
