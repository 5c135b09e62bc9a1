"""What `make soak` does with twenty runs, with one: killed three times, it ends as the undisturbed one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_run_with_faulty_bots_killed_while_it_opens_applies_and_ends_leaves_no_trace() -> None:
    # In a process of its own: whatever a killed run leaves falls to it.
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "few-kills"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "opening 1, applying 1, ending 1, all workers 1" in done.stdout
