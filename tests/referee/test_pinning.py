"""A referee and its bots on one core, as batch jobs; afterwards all is as before."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.referee import pinned, usable_cores

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system can't pin a process")

SHOW = "import os; print(os.sched_getscheduler(0), sorted(os.sched_getaffinity(0)))"


@pytest.mark.parametrize("core", [None, 10_000, *usable_cores()])
def test_a_referee_and_its_bots_are_batch_jobs_on_one_core(core: int | None) -> None:
    before = os.sched_getscheduler(0), os.sched_getaffinity(0)
    chosen = core if core in usable_cores() else max(usable_cores())
    with pinned(core):
        assert (os.sched_getscheduler(0), os.sched_getaffinity(0)) == (os.SCHED_BATCH, {chosen})
        bot = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, text=True, check=True)
    assert bot.stdout == f"{os.SCHED_BATCH} [{chosen}]\n"
    assert (os.sched_getscheduler(0), os.sched_getaffinity(0)) == before


def test_a_system_that_refuses_the_policy_pins_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    before = os.sched_getaffinity(0)
    with pinned():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
