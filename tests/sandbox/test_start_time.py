"""The time at which a process was started, by which owners of folders and groups are known to be alive."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sandbox import start_time

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_a_process_that_has_ended_and_is_not_reaped_is_not_taken_for_alive() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert start_time(process.pid) is not None
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert start_time(process.pid) is None
    with process:
        pass
