"""What can't be a store is refused in one sentence; what is one is private and brought up to date."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from harness.errors import HarnessFailure, StoreError
from harness.store import default_url, migrate, open_store
from harness.store.address import parse
from harness.store.database import Database
from harness.store.tables import METADATA
from tests.store.synthetic import BOTS, announce, play_season

LATER = {"entries.act", "record_files.tier", "records.ranks", "season_measures.platform"}
"""Columns that the first tables did not have."""

NEXT_REVISION = '''
"""A test's revision."""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "0005", "0004", None, None


def upgrade():
    with op.batch_alter_table("leagues") as leagues:
        leagues.add_column(sa.Column("note", sa.String(), nullable=False, server_default="new"))
        leagues.alter_column("league", existing_type=sa.String(), nullable=False)
'''


def run_sql(path: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        rows: list[tuple[object, ...]] = []
        for statement in statements:
            rows = connection.execute(statement).fetchall()
        connection.commit()
        return rows


def next_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, revision: str = NEXT_REVISION) -> None:
    """Go on as a later version of the harness that has one more revision."""
    later = tmp_path / "migrations of a later version, 100%"
    shutil.copytree(migrate.MIGRATIONS, later, ignore=shutil.ignore_patterns("__pycache__"))
    (later / "versions" / "r0005_note.py").write_text(revision)
    monkeypatch.setattr(migrate, "MIGRATIONS", later)
    monkeypatch.setattr(migrate, "HEAD", "0005")


def refusal(path: Path | str, *, create: bool = True, write: bool = True) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(path, create=create, write=write)
    assert "\n" not in caught.value.sentence
    assert str(path).partition("://")[0] in caught.value.sentence
    return caught.value.sentence


def test_the_tables_of_the_models_are_those_of_the_migrations(new_url: Callable[[], str]) -> None:
    url = new_url()
    open_store(url).close()
    database = Database(parse(url), writes=False)
    with database.reading() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), METADATA) == []
    database.close()


def test_the_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [migrate.HEAD]


def test_a_new_store_is_its_owner_s_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with open_store(tmp_path / "a.db") as store, store.run_lock():
            play_season(store, rounds=1)
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("a.db", "a.db-wal", "a.db-shm", "a.db.lock"), 0o600)


def test_a_store_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_store(path).close()
    path.chmod(0o644)
    open_store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_stored_is_there_when_opened_again(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.db") as store:
        season, _ = play_season(store, rounds=1)
        dump = store.reproducible_dump()
    with open_store(tmp_path / "a.db", create=False, write=False) as store:
        assert store.reproducible_dump() == dump
        with pytest.raises(StoreError, match="read only"):
            store.end_season(season.id)


def test_reading_goes_on_while_another_process_writes(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as writer, open_store(tmp_path / "a.db", write=False) as reader:
        season, _ = play_season(writer, rounds=1)
        assert len(list(reader.records(season.id))) == 6


def test_a_name_with_every_kind_of_sign(tmp_path: Path) -> None:
    path = tmp_path / "a b%20c?d#e'é.db"
    open_store(path).close()
    assert path.exists()
    open_store(f"sqlite:///{path}", create=False).close()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path)


def test_a_place_without_a_folder_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "nowhere") in refusal(tmp_path / "nowhere" / "a.db")


def test_a_store_that_is_not_there_is_not_made_to_be_read(tmp_path: Path) -> None:
    for write in (True, False):
        assert "no such store" in refusal(tmp_path / "a.db", create=False, write=write)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_refused() -> None:
    refusal(Path("/proc/a.db"))


def test_a_special_file_is_no_store() -> None:
    assert "no regular file" in refusal(Path("/dev/null"))


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_text("no database at all")
    assert "no SQLite database" in refusal(path)
    assert path.read_text() == "no database at all"


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    assert "damaged" in refusal(path)


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    run_sql(path, "CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('0001')")
    path.chmod(0o644)
    before = path.read_bytes()
    assert "another program" in refusal(path)
    assert "another program" in refusal(path, write=False)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [each.name for each in tmp_path.iterdir()] == ["a.db"]


def test_an_empty_file_becomes_a_store_but_is_none_to_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    assert "nothing has been stored" in refusal(path, write=False)
    open_store(path, create=False).close()
    assert run_sql(path, "SELECT version_num FROM alembic_version") == [("0004",)]


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://x", "http://a/b"])
def test_other_kinds_of_url_are_refused(url: str) -> None:
    refusal(url)


def test_a_password_is_not_shown() -> None:
    assert "hush" not in parse("postgresql://me:hush@127.0.0.1:1/x").shown


def test_the_default_lies_beside_the_league_file() -> None:
    assert parse(default_url(Path("leagues/starter.toml"))).path == Path("leagues/starter.db")
    assert parse(default_url(Path("/x/starter.toml"))).path == Path("/x/starter.db")


def test_an_older_store_is_copied_then_migrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "stores"
    folder.mkdir()
    path = folder / "a.db"
    with open_store(path) as store:
        play_season(store, rounds=1)
        dump = store.reproducible_dump()
    next_version(monkeypatch, tmp_path)
    assert "older version" in refusal(path, write=False)
    open_store(path).close()
    assert run_sql(path, "SELECT league, note FROM leagues") == [("test", "new")]
    copy = folder / "a.db.bak-0004"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    monkeypatch.undo()
    with open_store(copy, write=False) as store:
        assert store.reproducible_dump() == dump
    assert "newer version" in refusal(path)
    assert "newer version" in refusal(path, write=False)


def test_a_store_of_the_first_tables_comes_out_as_one_of_today(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    today, old = tmp_path / "today.db", tmp_path / "old.db"
    with open_store(today) as store:
        season, _ = play_season(store, rounds=1)
        store.bench(season.id, BOTS[0], 2)
        dump = store.reproducible_dump()
    first = tmp_path / "migrations of the first version"
    shutil.copytree(migrate.MIGRATIONS, first, ignore=shutil.ignore_patterns("__pycache__", "r000[2-9]*"))
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "MIGRATIONS", first)
        patched.setattr(migrate, "HEAD", "0001")
        open_store(old).close()
    copies = []
    for table in METADATA.sorted_tables:
        columns = [column.name for column in table.columns if str(column) not in LATER]
        names = ", ".join(f'"{name}"' for name in columns)
        if table.name == "official":
            continue
        copies.append(f"INSERT INTO {table.name} ({names}) SELECT {names} FROM today.{table.name}")
    run_sql(old, f"ATTACH '{today}' AS today", *copies)
    assert "older version" in refusal(old, write=False)
    with open_store(old) as store:
        # Official tables of seasons that were over by then are made when they are rated again.
        assert store.reproducible_dump() == {**dump, "official": []}
        store.rate_again(season.id)
        assert store.reproducible_dump() == dump
        assert [each.act for each in store.entry_changes(season.id)[BOTS[0]]] == ["entered", "benched"]
    assert (tmp_path / "old.db.bak-0001").exists()


def test_an_earlier_copy_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_store(path).close()
    (tmp_path / "a.db.bak-0004").write_text("earlier")
    next_version(monkeypatch, tmp_path)
    open_store(path).close()
    assert (tmp_path / "a.db.bak-0004").read_text() == "earlier"
    assert run_sql(tmp_path / "a.db.bak-0004.2", "SELECT version_num FROM alembic_version") == [("0004",)]


def test_a_migration_that_fails_leaves_the_store_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        play_season(store, rounds=1)
    before = run_sql(path, "SELECT sql FROM sqlite_master ORDER BY name")
    next_version(monkeypatch, tmp_path, NEXT_REVISION + "    raise RuntimeError('half way')\n")
    with pytest.raises(RuntimeError, match="half way"):
        open_store(path)
    assert run_sql(path, "SELECT version_num FROM alembic_version") == [("0004",)]
    assert run_sql(path, "SELECT sql FROM sqlite_master ORDER BY name") == before


def test_processes_that_open_a_new_store_at_once_all_get_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    command = [
        sys.executable,
        "-c",
        "import sys; from harness.store import open_store; open_store(sys.argv[1]).close()",
    ]
    running = [subprocess.Popen([*command, str(path)], stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(each.communicate()[1], each.returncode) for each in running] == [("", 0)] * 4
    assert run_sql(path, "PRAGMA journal_mode") == [("wal",)]


def test_only_the_store_imports_sqlmodel() -> None:
    program = "import sys, harness.referee, harness.executors.worker; sys.exit('sqlmodel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


@pytest.mark.parametrize("put", ["nothing", "another file"])
def test_a_file_that_is_taken_away_under_the_store_is_noticed(tmp_path: Path, put: str) -> None:
    path = tmp_path / "here.db"
    with open_store(path) as store:
        season = announce(store)
        path.rename(tmp_path / "elsewhere.db")
        if put == "another file":
            (tmp_path / "elsewhere.db-copy").write_bytes((tmp_path / "elsewhere.db").read_bytes())
            (tmp_path / "elsewhere.db-copy").rename(path)
        with pytest.raises(HarnessFailure, match="removed, moved or replaced"):
            store.enter(season.id, "late", "f" * 64, 1)
