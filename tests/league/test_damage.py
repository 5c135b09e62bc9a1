"""A store that is damaged while a run goes on: nobody is told that all is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import HarnessFailure, StoreError
from harness.executors import StopSignal
from harness.league import Event, LadderMoved
from tests.league.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def overwriting(desk: Desk, then: Callable[[], object]) -> Callable[[Event], None]:
    """At the first ladder the file is overwritten from its second page on, as by a program that takes it for its own.

    What a run has to say after that ladder it can say without the store.
    """
    path = desk.folder / "league.db"

    def tell(event: Event) -> None:
        if isinstance(event, LadderMoved):
            with path.open("r+b") as file:
                file.seek(4096)
                file.write(b"\xa5" * (path.stat().st_size - 4096))
            then()

    return tell


def test_a_run_that_is_done_does_not_end_well(desk: Desk) -> None:
    desk.run()
    with pytest.raises(StoreError, match=r"was damaged while it was in use: .*go back to a copy"):
        desk.run(also=overwriting(desk, lambda: None))


def test_a_run_that_was_stopped_does_not_say_that_all_is_kept(desk: Desk) -> None:
    desk.run(rounds=1)
    stop = StopSignal()
    with pytest.raises(StoreError, match="was damaged while it was in use"):
        desk.run(also=overwriting(desk, stop.request), stop=stop)


def test_a_run_that_fails_says_why_and_not_what_came_of_it(desk: Desk) -> None:
    desk.run(rounds=1)

    def fail() -> None:
        raise HarnessFailure("disk full")

    with pytest.raises(HarnessFailure, match="disk full"):
        desk.run(also=overwriting(desk, fail))
