"""Reading a store where nothing can be written: a folder or a file system that is read-only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import harness
from harness.errors import StoreError
from harness.store import open_store
from harness.store.address import parse
from harness.store.database import Database
from tests.store.synthetic import announce, play_season

READER = """
import os, sys
from harness.errors import StoreError
from harness.store import open_store

def read(path):
    with open_store(path, create=False, write=False) as store:
        return len(store.standings("test/1")), len(list(store.season_lines("test/1")))

read(sys.argv[1])  # so that all is imported: what lies in root's home is closed to others
if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    print(*read(sys.argv[2]))
except StoreError as error:
    print(error.sentence)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """One that anybody can enter: root passes every mode, so an ordinary user has to try."""
    place = Path("/tmp") if os.getuid() == 0 else tmp_path
    made = place / f"read-only-{os.getpid()}"
    made.mkdir()
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def read(path: Path, other: Path) -> str:
    """What an ordinary user gets who may read the store and write nothing there; `other` is a place for one of ours."""
    with open_store(other) as store:
        announce(store, 1)
    for each in path.parent.iterdir():
        each.chmod(0o444)
    path.parent.chmod(0o555)
    root = str(Path(harness.__file__).parent.parent)
    command = [sys.executable, "-c", READER, str(other), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": root})
    assert done.stderr == ""
    return done.stdout.strip()


def test_a_store_that_nobody_writes_to_is_read(folder: Path, tmp_path: Path) -> None:
    path = folder / "a.db"
    with open_store(path) as store:
        play_season(store, rounds=1)
    assert [each.name for each in folder.iterdir()] == ["a.db"]
    # The header, the entries, six records, the footer.
    assert read(path, tmp_path / "other.db") == "6 9"
    assert [each.name for each in folder.iterdir()] == ["a.db"]


def test_a_store_that_is_being_written_to_is_read_as_far_as_it_is(folder: Path, tmp_path: Path) -> None:
    path = folder / "a.db"
    with open_store(path) as store:
        play_season(store, rounds=1)
        assert (folder / "a.db-wal").stat().st_size > 0
        assert read(path, tmp_path / "other.db") == "6 9"


def test_a_store_whose_last_part_can_not_be_read_says_so_and_what_to_do(folder: Path, tmp_path: Path) -> None:
    path = folder / "a.db"
    whole = folder / "whole.db"
    with open_store(whole) as store:
        play_season(store, rounds=1)
        for name in ("a.db", "a.db-wal"):
            shutil.copyfile(folder / name.replace("a.db", "whole.db"), folder / name)
    said = read(path, tmp_path / "other.db")
    assert said.startswith(f"store {path}: what was stored last lies in a.db-wal, which can't be read")
    assert said.endswith("copy both to a folder of yours, or mend the rights")


def test_a_store_written_to_while_it_was_read_as_a_still_one_is_not_answered_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as writer:
        season = announce(writer, 1)
    monkeypatch.setattr("os.access", lambda *_: False)
    with open_store(path, write=False) as store:
        assert [row.number for row in store.seasons("test")] == [1]
        monkeypatch.undo()
        with open_store(path) as writer:
            writer.end_season(season.id)
        with pytest.raises(StoreError, match="somebody wrote to it while it was read; try again"):
            store.seasons("test")


@pytest.mark.parametrize(
    ("error", "becomes"), [(ValueError("rubbish"), StoreError), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_what_goes_wrong_while_somebody_writes_to_a_still_store_may_come_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, becomes: type[BaseException]
) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as writer:
        season = announce(writer, 1)
    monkeypatch.setattr("os.access", lambda *_: False)
    database = Database(parse(path), writes=False)
    monkeypatch.undo()

    def write_and_fail() -> None:
        with open_store(path) as writer:
            writer.end_season(season.id)
        raise error

    with pytest.raises(becomes) as caught, database.reading():
        write_and_fail()
    database.close()
    if becomes is StoreError:
        assert "somebody wrote to it while it was read; try again" in str(caught.value)
        assert caught.value.__cause__ is error
