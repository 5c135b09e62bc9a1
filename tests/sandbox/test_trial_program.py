"""What the trial of attacks says of a program's end."""

from __future__ import annotations

from collections.abc import Callable

from sandbox import Limits, Process
from sandbox.trial_program import Played, closed

LIMITS = Limits(memory_mb=64, processes=16, disk_mb=8)


def test_an_end_a_moment_after_the_last_stream_was_closed_is_noticed(python: Callable[[str], Process]) -> None:
    # The kernel closes what a program had open before it tells of the end; on a busy machine a while before.
    process = python("import os, time; os.close(1); os.close(2); time.sleep(.2); os._exit(0)")
    while process.read_stderr():
        continue
    assert closed(process, Played(answer={"through": False, "what": ""}), LIMITS) == []
