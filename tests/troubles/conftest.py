"""The scripted bot in C, compiled once, and the referee's own way to play a match of processes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.bots import Home
from tests.referee.conftest import play_with
from tests.referee.table import home

__all__ = ["in_c", "play_with", "trouble"]


@pytest.fixture(scope="session")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that `trouble.c` makes; it takes a behaviour as its argument."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt install gcc libc6-dev")
    program = tmp_path_factory.mktemp("trouble") / "trouble"
    source = Path(__file__).with_name("trouble.c")
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return program


@pytest.fixture
def in_c(trouble: Path) -> Callable[[str], Home]:
    """A seat for the bot in C with a behaviour."""
    return lambda behaviour: home(str(trouble), behaviour)
