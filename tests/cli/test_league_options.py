"""What the commands on a league share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.harness_command import league_text

LEAGUE = league_text("test", [f'sample = "{name}"' for name in ("never", "at-once", "random")], seats="[3]")

PROGRAM = """
import sys
from pathlib import Path
from harness.cli.league_options import loaded
loaded(Path(sys.argv[1]))
import numpy
print(len(list(Path("/proc/self/task").iterdir())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_numpy_starts_no_thread_in_a_command_on_a_league(tmp_path: Path) -> None:
    # Where there are no processes left, its library would raise SIGINT for one that it can't start.
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "OMP"))}
    said = subprocess.check_output([sys.executable, "-c", PROGRAM, str(file)], env=environment, text=True)
    assert said.split() == ["1"]
