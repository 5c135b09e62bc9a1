"""The scripted bot in C, compiled once, and how a match of processes is played."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from harness.bots import Home
from harness.referee import Played
from tests.referee.playing import play_verified
from tests.referee.table import home


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


@pytest.fixture
def play_with(tmp_path: Path) -> Callable[..., Played]:
    """Plays a match of the given homes, one a seat, and has the record verified."""
    return partial(play_verified, tmp_path)
