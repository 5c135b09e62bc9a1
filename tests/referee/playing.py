"""Plays a match of processes, and has its record verified, by the second implementation too."""

from __future__ import annotations

from pathlib import Path

from harness.bots import Home
from harness.referee import Played, play, verify_record
from sandbox import backend
from tests.referee.table import fixture
from tests.second.replay import check_record

__all__ = ["play_verified"]


def play_verified(scratch: Path, *homes: Home, stop_fd: int = -1, **how: object) -> Played:
    """A match of the given homes, one a seat, that leaves nothing in the empty folder `scratch`."""
    played = play(
        fixture(len(homes), **how),  # type: ignore[arg-type]
        homes,
        backend=backend("bare"),
        scratch=scratch,
        stop_fd=stop_fd,
    )
    assert verify_record(played.record) is None
    check_record(played.record)
    assert list(scratch.iterdir()) == []
    return played
