"""A run that dies at any moment leaves a store that goes on as if nothing had happened, and no lock."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.store import Store, open_store
from tests.store.synthetic import announce, open_round, play_season, store_all

HOLDER = """
import sys
from harness.store import open_store
store = open_store(sys.argv[1])
with store.run_lock():
    print("held", flush=True)
    sys.stdin.read()
"""

PLAYER = """
import os, signal, sys
import sqlalchemy
from harness.store import open_store
from tests.store.synthetic import play_season

left = int(sys.argv[2])

def reverse(fixtures):
    return fixtures[::-1]

@sqlalchemy.event.listens_for(sqlalchemy.Engine, "before_cursor_execute")
def count(connection, cursor, statement, parameters, context, executemany):
    global left
    if statement.split()[0] in ("INSERT", "UPDATE", "DELETE"):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

with open_store(sys.argv[1]) as store:
    play_season(store, rounds=2, order=reverse if left % 2 else list)
"""
"""Plays a season and kills itself at the n-th statement that writes: inside a transaction as often as between two."""


def holder(url: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_is_refused_with_the_pid_of_the_first(new_url: Callable[[], str]) -> None:
    url = new_url()
    with holder(url) as first, open_store(url) as store:
        with pytest.raises(StoreError, match=rf"another run \(pid {first.pid}\) holds the store"), store.run_lock():
            raise AssertionError("two runs")
        assert store.seasons("test") == []
        first.communicate("")
    with open_store(url) as store, store.run_lock():
        pass


def test_the_lock_dies_with_its_holder(new_url: Callable[[], str]) -> None:
    url = new_url()
    with holder(url) as first:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    assert first.returncode == -signal.SIGKILL
    with open_store(url) as store, store.run_lock():
        pass


def test_the_lock_can_be_taken_again_after_it_was_given_back(store: Store) -> None:
    for _ in range(3):
        with store.run_lock():
            pass


def go_on(store: Store) -> None:
    """What a run does that finds a season: plays what is left of the open round, then the rounds that are left."""
    season = store.season("test") or announce(store, 2)
    if season.state == "ended":
        return
    opened = store.rounds(season.id)
    numbers = [round_.number for round_ in opened if round_.state == "open"] + list(range(len(opened) + 1, 3))
    for number in numbers:
        if number > len(opened):
            open_round(store, season, number)
        store.apply_ready(season.id)
        for fixture in store.unplayed(season.id, number):
            store_all(store, season, [fixture])
            store.apply_ready(season.id)
    store.end_season(season.id)


@pytest.mark.parametrize("after", [0, 4, 9, 12, 15, 20, 21, 22, 23, 24, 26, 33, 42, 57, 75, 80])
def test_a_season_that_was_killed_goes_on_to_the_same_end(tmp_path: Path, after: int) -> None:
    with open_store(tmp_path / "whole.db") as whole:
        play_season(whole, rounds=2)
        expected = whole.reproducible_dump()
    path = tmp_path / "killed.db"
    open_store(path).close()
    root = Path(__file__).parents[2]
    died = subprocess.run([sys.executable, "-c", PLAYER, str(path), str(after)], cwd=root)
    assert died.returncode == -signal.SIGKILL
    with open_store(path) as store:
        seqs = [row[-1] for row in store.reproducible_dump()["records"]]
        applied = sorted(seq for seq in seqs if seq is not None)
        assert applied == list(range(1, len(applied) + 1))
        assert len({row.seq for row in store.history("test/1")}) == len(applied)
        go_on(store)
        assert store.reproducible_dump() == expected


def test_a_store_has_one_lock_by_whatever_link_it_is_reached(tmp_path: Path) -> None:
    with open_store(tmp_path / "real.db") as store, store.run_lock():
        (tmp_path / "link.db").symlink_to("real.db")
        with (
            open_store(tmp_path / "link.db") as other,
            pytest.raises(StoreError, match="another run"),
            other.run_lock(),
        ):
            pass
