"""A referee on its core: it is a batch job there, its bots are not, and afterwards all is as before."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.referee import pinned, usable_cores

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system can't pin a process")

# In a process of its own, since what is said once of one's children can't be taken back.
PROGRAM = """
import os, subprocess, sys
from harness.referee import pinned
show = [sys.executable, "-c", "import os; print(os.sched_getscheduler(0), sorted(os.sched_getaffinity(0)))"]
with pinned({core}):
    print(os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK, sorted(os.sched_getaffinity(0)), flush=True)
    subprocess.run(show, check=True)
print(os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK, sorted(os.sched_getaffinity(0)))
"""


@pytest.mark.parametrize("core", [None, 10_000, *usable_cores()])
def test_the_referee_is_a_batch_job_on_one_core_and_its_bots_are_ordinary_ones_there(core: int | None) -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM.format(core=core)], capture_output=True, text=True, check=True)
    chosen = core if core in usable_cores() else max(usable_cores())
    assert ran.stdout.splitlines() == [
        f"{os.SCHED_BATCH} [{chosen}]",
        f"{os.SCHED_OTHER} [{chosen}]",
        f"{os.SCHED_OTHER} {sorted(usable_cores())}",
    ]


def test_a_system_that_refuses_the_policy_pins_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    before = os.sched_getaffinity(0)
    with pinned():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
