"""Plays matches for the referee's tests, and has every record verified, by the second implementation too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.bots import Home
from harness.referee import Played, play, verify_record
from sandbox import backend
from tests.referee.table import fixture
from tests.second.replay import check_record


@pytest.fixture
def play_with(tmp_path: Path) -> Callable[..., Played]:
    """Plays a match of the given homes, one a seat, and has the record verified."""

    def run(*homes: Home, stop_fd: int = -1, **how: object) -> Played:
        played = play(
            fixture(len(homes), **how),  # type: ignore[arg-type]
            homes,
            backend=backend("bare"),
            scratch=tmp_path,
            stop_fd=stop_fd,
        )
        assert verify_record(played.record) is None
        check_record(played.record)
        assert list(tmp_path.iterdir()) == []
        return played

    return run
