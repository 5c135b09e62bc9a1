"""What a program in a jail is billed, against what it reports of itself."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests.sandbox.jailed import Ground, Worker, needs, status_of, took

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is Linux's")

_REPORTS = """
import json, os, resource, sys, threading, time
def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
def used():
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in each)
print(f"{used():.6f}", flush=True)
sys.stdin.readline()
{work}
print(f"{used():.6f}", flush=True)
sys.stdin.readline()
"""

WORKS = {
    "one thread": "spin(0.4)",
    "threads": """
threads = [threading.Thread(target=spin, args=(0.1,)) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
""",
    "children that it waits for": """
for _ in range(4):
    if os.fork() == 0:
        spin(0.1); os._exit(0)
for _ in range(4): os.wait()
""",
    "children of children with threads": """
if os.fork() == 0:
    for _ in range(2):
        if os.fork() == 0:
            threads = [threading.Thread(target=spin, args=(0.1,)) for _ in range(2)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            os._exit(0)
    os.wait(); os.wait(); os._exit(0)
os.wait()
""",
    "many short children": """
for _ in range(20):
    if os.fork() == 0:
        spin(0.02); os._exit(0)
    os.wait()
""",
}


def _billed(ground: Ground, work: str) -> list[float]:
    """Seconds billed between two lines of a program, and those that it reports of itself; both by its own marks."""
    code = _REPORTS.replace("{work}", work)
    with ground.start("python3", "-I", "-S", "-c", code) as process:
        before = took(process, until=b"\n")
        billed_before = process.cpu_us(fresh=True)
        process.write(b"go\n")
        after = took(process, until=b"\n")
        billed_after = process.cpu_us(fresh=True)
        process.write(b"end\n")
        status_of(process)
    return [(billed_after - billed_before) / 1e6, float(after) - float(before)]


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS.keys())
def test_a_program_is_billed_what_it_and_its_descendants_used(worker: Worker, work: str) -> None:
    billed, reported = worker.call(_billed, work=work)
    assert reported >= 0.35
    assert billed == pytest.approx(reported, rel=0.05)


_ORPHANS = """
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        ours, theirs = os.pipe()
        if os.fork() == 0:
            os.close(ours); spin(0.1); os.write(theirs, b"x"); time.sleep(1000)
        os._exit(0) if os.read(ours, 1) else None
for _ in range(4): os.wait()
"""


def test_daemons_are_billed_though_the_program_does_not_know_of_their_time(worker: Worker) -> None:
    billed, reported = worker.call(_billed, work=_ORPHANS)
    assert reported < 0.1
    assert billed == pytest.approx(0.4, rel=0.1)


_HIDDEN = """
ours, theirs = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            spin(0.1); os._exit(0)
        os._exit(0)
    os.wait()
os.close(theirs)
os.read(ours, 1)
"""


def test_a_group_bills_daemons_that_have_come_and_gone(root: Worker) -> None:
    needs(root, "group-cpu")
    billed, reported = root.call(_billed, work=_HIDDEN)
    assert reported < 0.1
    assert billed == pytest.approx(0.4, rel=0.1)


def test_without_a_group_daemons_that_come_and_go_between_two_looks_are_billed_to_nobody(ordinary: Worker) -> None:
    # What holds there: not more than was used. It is the reason why CPU time asks for groups.
    if "group-cpu" in ordinary.layers:
        pytest.skip("this user has control groups too")
    billed, _ = ordinary.call(_billed, work=_HIDDEN)
    assert billed <= 0.5


def _sleeps(ground: Ground) -> list[Any]:
    code = (
        "import select, sys\nprint('on', flush=True)\nselect.select([], [], [], 0.3)\nprint('off', flush=True)\ninput()"
    )
    with ground.start("python3", "-I", "-S", "-c", code) as process:
        took(process, until=b"on\n")
        before = process.cpu_us(fresh=True)
        took(process, until=b"off\n")
        return [before, process.cpu_us(fresh=True)]


def test_a_program_that_sleeps_is_billed_next_to_nothing(worker: Worker) -> None:
    before, after = worker.call(_sleeps)
    assert 0 <= after - before < 1000


def _after_the_end(ground: Ground) -> dict[str, Any]:
    code = _REPORTS.replace("{work}", "spin(0.1)")
    samples = []
    with ground.start("python3", "-I", "-S", "-c", code) as process:
        took(process, until=b"\n")
        process.write(b"go\n")
        samples.append(process.cpu_us())
        took(process, until=b"\n")
        samples += [process.cpu_us(), process.cpu_us(fresh=True)]
        process.close_stdin()
        status_of(process)
        samples.append(process.cpu_us(fresh=True))
    return {"samples": [*samples, process.cpu_us()]}


def test_the_bill_never_shrinks_and_can_be_asked_for_when_all_is_over(worker: Worker) -> None:
    samples = worker.call(_after_the_end)["samples"]
    assert samples == sorted(samples), json.dumps(samples)
    assert samples[-1] >= 100_000
