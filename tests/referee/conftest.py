"""What the referee's tests share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from harness.referee import Played
from tests.referee.playing import play_verified


@pytest.fixture
def play_with(tmp_path: Path) -> Callable[..., Played]:
    """Plays a match of the given homes, one a seat, and has the record verified."""
    return partial(play_verified, tmp_path)
