"""Seasons in which every third bot means harm, with the default backend: what `make soak` does with many, with few."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import probe

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and control groups are Linux'")


@pytest.fixture(scope="module", autouse=True)
def _full() -> None:
    (found,) = probe("bubblewrap")
    if found.tier != "full":
        pytest.skip(f"bots can't be held whole here: {'; '.join(found.missing)}")


def studied(name: str) -> str:
    """What a study prints, in which there is no problem."""
    # In a process of its own: whatever a killed run leaves falls to it.
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_hostile_bots_harm_no_match_and_leave_nothing_and_the_runs_memory_stays_flat() -> None:
    assert "60 matches, 48 faults" in studied("few-hostile")


def test_of_a_run_that_is_killed_five_times_with_hostile_bots_at_work_nothing_is_left_and_it_goes_on_to_its_end() -> (
    None
):
    told = studied("few-hostile-kills")
    assert told.count("killed: ") == 5
    assert "30 matches, 24 faults" in told
