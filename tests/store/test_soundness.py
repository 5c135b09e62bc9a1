"""A store that was damaged says so, and where: while it is read, where it is asked, and before a season is over."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessFailure, StoreError
from harness.ratings import Rating
from harness.store import Store, VersionRow, open_store
from harness.store.address import parse
from harness.store.database import Database
from harness.store.official import save_official
from harness.store.tables import TABLES
from tests.store.synthetic import BOTS, announce, open_round, play_season, store_all, version_of

QUESTIONS: dict[str, Callable[[Store], Any]] = {
    "season": lambda store: store.season("test"),
    "seasons": lambda store: store.seasons("test"),
    "entries": lambda store: store.entries("test/1", 2),
    "entry changes": lambda store: store.entry_changes("test/1"),
    "versions": lambda store: store.newest_versions("test/1"),
    "rounds": lambda store: store.rounds("test/1"),
    "next round": lambda store: store.next_round("test/1"),
    "unplayed": lambda store: store.unplayed("test/1", 2),
    "voids": lambda store: store.voids("test/1"),
    "ratings": lambda store: store.ratings("test/1"),
    "standings": lambda store: store.standings("test/1"),
    "faults": lambda store: store.faults("test/1", None, False),
    "records": lambda store: list(store.records("test/1", False)),
    "record": lambda store: store.record("test/1", 1, 1, False),
    "season lines": lambda store: list(store.season_lines("test/1")),
    "history": lambda store: list(store.history("test/1")),
    "match ranks": lambda store: list(store.match_ranks("test/1")),
    "table sums": lambda store: list(store.table_sums("test/1")),
    "official": lambda store: store.official("test/1"),
    "apply": lambda store: store.apply_ready("test/1"),
    "void": lambda store: store.void("test/1", 1, 2, "for the test"),
    "end": lambda store: store.end_season("test/1"),
}


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season in its second round, with records applied, stored and missing, a void match and faults."""
    path = tmp_path_factory.mktemp("store") / "a.db"
    with open_store(path) as store:
        built = VersionRow("ada", version_of("ada"), "Ada", "", "c", b"archive", b"built", "f" * 64)
        store.add_version(built)
        season = announce(store, 3, ratings={"ada": Rating(26.0, 4.0)})
        for number in (1, 2):
            fixtures = open_round(store, season, number)
            store_all(store, season, fixtures[: 6 if number == 1 else 4 : 1 if number == 1 else 2])
            store.apply_ready(season.id)
        store.void(season.id, 1, 3, "for the test")
        assert store.faults(season.id, None, False)
        with store._database.writing() as connection:  # as if it were over, so that there is no table without a row
            save_official(connection, season)
    return path


@pytest.fixture
def path(pristine: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "a.db"
    copy.write_bytes(pristine.read_bytes())
    return copy


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def damage(path: Path) -> str | None:
    database = Database(parse(path), writes=False)
    try:
        return database.damage(deep=True)
    finally:
        database.close()


def ask_all(path: Path) -> list[str]:
    """What the store says where it refuses an answer; anything but a sentence of the contract goes through."""
    said = []
    with open_store(path) as store:
        for ask in QUESTIONS.values():
            try:
                ask(store)
            except (StoreError, HarnessFailure) as error:
                said.append(error.sentence)
    return said


def test_a_sound_store_is_found_sound(path: Path) -> None:
    assert damage(path) is None
    with open_store(path) as store:
        store.end_season("test/1")
    assert damage(path) is None


@pytest.mark.parametrize("table", list(TABLES))
def test_a_value_of_another_kind_is_found_and_leads_to_no_internal_error(
    pristine: Path, path: Path, table: str
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,)
    for column in TABLES[table].columns:
        path.write_bytes(pristine.read_bytes())
        value = "'rubbish'" if column.name in ("archive", "built", "data") else "x'00ff00'"
        first = f"rowid = (SELECT min(rowid) FROM {table})"
        spoil(path, "PRAGMA foreign_keys = OFF", f"UPDATE {table} SET {column.name} = {value} WHERE {first}")
        found = damage(path)
        assert found is not None
        assert found.startswith(f"{table}.{column.name} holds ")
        for sentence in ask_all(path):
            assert "damaged" in sentence or "no season" in sentence, (column.name, sentence)


@pytest.mark.parametrize("table", list(TABLES))
def test_a_table_that_is_missing_is_named(path: Path, table: str) -> None:
    spoil(path, "PRAGMA foreign_keys = OFF", f"DROP TABLE {table}")
    assert damage(path) == f"the table {table} is missing"
    for sentence in ask_all(path):
        assert f"it is damaged: the table {table} is missing" in sentence or "was damaged while" in sentence


def test_a_question_to_a_damaged_store_is_answered_by_what_is_wrong_and_what_to_do(path: Path) -> None:
    spoil(path, "UPDATE seasons SET header = 'no JSON'")
    with open_store(path, write=False) as store, pytest.raises(StoreError) as caught:
        store.season("test")
    assert caught.value.sentence == (
        f"store {path}: it is damaged: seasons test/1 can't be read: JSONDecodeError: Expecting value: line 1 column 1 "
        "(char 0); go back to a copy of it, or begin with a new one"
    )


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE record_files SET data = x'1f8b00' WHERE number = 2", "record_files test/1/1/2"),
        ("UPDATE record_files SET data = zeroblob(length(data)) WHERE number = 2", "record_files test/1/1/2"),
        ("UPDATE record_files SET digest = 'other' WHERE number = 2", "record_files test/1/1/2"),
        ("UPDATE fixtures SET fixture = '{}' WHERE number = 2", "fixtures test/1/1/2"),
        ("UPDATE seasons SET header = '{}'", "seasons test/1"),
        ("UPDATE lines SET text = '{' WHERE ordinal = 1", "lines test/1/1"),
        ("UPDATE stderr SET data = x'00' WHERE number = 2", "stderr test/1/1/2"),
        ("UPDATE history SET bot = CAST(x'ff' AS TEXT) WHERE seq = 1 AND seat = 0", "history"),
        ("DELETE FROM record_files WHERE number = 1", "record_files"),
        ("DELETE FROM season_measures", "season_measures"),
        ("DELETE FROM round_measures WHERE number = 1", "round_measures"),
        ("DELETE FROM fixtures WHERE number = 6", "fixtures"),
        ("DELETE FROM lines WHERE ordinal = 1", "lines"),
        ("DELETE FROM records WHERE number = 2 AND round = 1", "records"),
        ("UPDATE records SET seq = 99 WHERE seq = 2", "records"),
        ("UPDATE records SET ranks = '12 3' WHERE seq = 2", "records.ranks of test/1/1/2 is '12 3'"),
        ("UPDATE records SET ranks = '1234 123Z' WHERE seq = 2", "records.ranks of test/1/1/2 is '1234 123Z'"),
        ("UPDATE official SET strength = 9e999", "official test/1/"),
        ("UPDATE official SET rank = -5, rank_low = 1, rank_high = 2", "official test/1/"),
        ("DELETE FROM official WHERE place = 2", "lines of the table official of season test/1"),
        ("DELETE FROM history WHERE seq = 2 AND seat = 1", "rows of history of match 2 of season test/1"),
        ("UPDATE history SET mu = 9e999 WHERE seq = 2", "history test/1/2/"),
        ("UPDATE starts SET sigma = -1", "starts test/1/ada"),
        ("UPDATE lines SET text = '[]' WHERE ordinal = 1", "lines test/1/1"),
        ("DELETE FROM seasons", "missing"),
        ("ALTER TABLE rounds DROP COLUMN results", "the table rounds has no column results"),
    ],
)
def test_what_was_lost_or_spoilt_is_found_and_never_an_internal_error(path: Path, statement: str, where: str) -> None:
    spoil(path, "PRAGMA foreign_keys = OFF", statement)
    found = damage(path)
    assert found is not None
    assert where in found
    ask_all(path)


def test_a_record_of_which_a_byte_was_changed_is_found_without_reading_all(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        ((data,),) = connection.execute("SELECT data FROM record_files WHERE round = 1 AND number = 2")
    file = bytearray(path.read_bytes())
    # Small as it is, a record lies in its page in one piece, which no pointer of the page runs through.
    middle = file.index(data[:200]) + 100
    file[middle] ^= 1
    path.write_bytes(file)
    database = Database(parse(path), writes=False)
    found = database.damage()
    database.close()
    assert found is not None
    assert found.startswith("record_files test/1/1/2 can't be read: ")


def test_a_fault_of_ours_is_not_taken_for_damage(path: Path) -> None:
    with open_store(path) as store:
        fixtures = store.unplayed("test/1", 2)
        season = announce(store, 1, number=2)
        with pytest.raises(ValueError, match="numbered from 1"):
            store.open_round(season.id, 1, fixtures[1:], None, None)


@pytest.mark.parametrize("error", [KeyError("ada"), TypeError("no text"), RuntimeError("deep")])
def test_an_error_met_far_from_a_damaged_store_is_explained_by_it(path: Path, error: Exception) -> None:
    spoil(path, "UPDATE entries SET version = x'00' WHERE rowid = 1")
    says = r"it is damaged: entries.version holds bytes in row 1; "
    with pytest.raises(StoreError, match=says) as caught, open_store(path):
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [BrokenPipeError(), HarnessFailure("disk full"), KeyboardInterrupt()])
def test_an_error_that_no_damage_leads_to_is_told_as_it_is(path: Path, error: BaseException) -> None:
    spoil(path, "UPDATE entries SET version = x'00' WHERE rowid = 1")
    with pytest.raises(type(error)) as caught, open_store(path):
        raise error
    assert caught.value is error


def test_an_error_of_ours_leaves_a_sound_store_as_it_is(path: Path) -> None:
    with pytest.raises(KeyError, match="ada"), open_store(path):
        raise KeyError("ada")


def rubbish(path: Path) -> None:
    """Overwrite the file from its second page on, as a program does that takes it for its own."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))


def test_a_season_is_not_over_in_a_file_that_was_overwritten_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        play_season(store, rounds=1)
    with open_store(path) as store:
        season = announce(store, 1, number=2)
        store_all(store, season, open_round(store, season, 1))
        store.apply_ready(season.id)
        rubbish(path)
        with pytest.raises(StoreError, match=r"was damaged while it was in use: .*go back to a copy"):
            store.end_season(season.id)


def test_what_was_overwritten_is_not_said_to_be_kept(path: Path) -> None:
    with open_store(path) as store:
        store.check_kept()
        assert store.ratings("test/1").keys() == set(BOTS)
        rubbish(path)
        with pytest.raises(StoreError, match=r"was damaged while it was in use: .*go back to a copy"):
            store.check_kept()
