from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from harness.bots import Built, Home, Housing, build, load_bot, version_of
from harness.bots.archive import pack
from harness.bots.version import BotFile, read_folder
from harness.errors import BotError, HarnessFailure
from sandbox import backend

MAKER = 'name = "nova"\ncommand = "./made"\nbuild = ["sh", "-c", "touch made; chmod 755 made"]\n'


def test_a_home_holds_the_files_of_the_version(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder(files={"lib/x": "y"}))
    home = Housing(tmp_path / "homes").home(bot.version, bot.archive)
    assert home.command == ("python3", "bot.py")
    assert home.build_hash is None
    assert home.interpreter.startswith("python3: Python 3.")
    assert version_of(read_folder(Path(home.folder), "x")) == bot.version
    assert (tmp_path / "homes").stat().st_mode & 0o777 == 0o711


def test_a_home_is_read_only(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder(files={"lib/x": "y"}))
    housing = Housing(tmp_path / "homes")
    folder = Path(housing.home(bot.version, bot.archive).folder)
    assert not any(path.stat().st_mode & 0o222 for path in [folder, *folder.rglob("*")])


def test_a_version_is_unpacked_once(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder())
    first = Housing(tmp_path / "homes").home(bot.version, bot.archive)
    inode = Path(first.folder).stat().st_ino
    assert Housing(tmp_path / "homes").home(bot.version, bot.archive) == first
    assert Path(first.folder).stat().st_ino == inode
    assert [path.name for path in (tmp_path / "homes").iterdir()] == [bot.version]


def test_a_single_source_file_is_housed_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "nova.py").write_text("print('hello')\n")
    bot = load_bot(tmp_path / "nova.py")
    home = Housing(tmp_path / "homes").home(bot.version, bot.archive)
    assert home.command == ("python3", "nova.py")
    assert subprocess.run(home.command, cwd=home.folder, capture_output=True, check=True).stdout == b"hello\n"


def test_a_bot_with_a_build_is_built_once(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder(MAKER))
    asked = []

    def run_build(which) -> Built:
        asked.append(which)
        return build(which, within=backend("bare"), scratch=tmp_path)

    housing = Housing(tmp_path / "homes", run_build)
    home = housing.home(bot.version, bot.archive)
    assert (Path(home.folder) / "made").stat().st_mode & 0o111
    assert home.build_hash == version_of(read_folder(Path(home.folder), "x"))
    assert home.interpreter == ""
    assert housing.home(bot.version, bot.archive) == home
    assert asked == [bot]


def test_a_build_that_is_there_is_used(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder(MAKER))
    built = build(bot, within=backend("bare"), scratch=tmp_path)
    home = Housing(tmp_path / "homes").home(bot.version, bot.archive, built.archive)
    assert home.build_hash == built.hash
    assert (Path(home.folder) / "made").exists()


def test_a_bot_that_is_not_built_can_not_be_housed(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder(MAKER))
    with pytest.raises(BotError, match="nova: has to be built"):
        Housing(tmp_path / "homes").home(bot.version, bot.archive)


def test_an_archive_of_other_files_is_not_housed(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder())
    other = pack((BotFile("nova.py", False, b"evil"),))
    with pytest.raises(HarnessFailure, match="holds other files"):
        Housing(tmp_path / "homes").home(bot.version, other)
    assert not (tmp_path / "homes").exists()


def test_a_home_that_cannot_be_written_is_our_failure(bot_folder, tmp_path: Path, monkeypatch) -> None:
    bot = load_bot(bot_folder())

    def full(*_args: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("harness.bots.home.write_files", full)
    with pytest.raises(HarnessFailure, match="No space left"):
        Housing(tmp_path / "homes").home(bot.version, bot.archive)
    assert list((tmp_path / "homes").iterdir()) == []


def test_a_home_travels_as_json() -> None:
    for home in (
        Home(("./x", "y z"), "/a", "b" * 64, ""),
        Home(("python3", "x.py"), "/a", None, "python3: Python 3.11"),
    ):
        assert Home.from_json(json.loads(json.dumps(home.to_json()))) == home


def test_an_interpreter_that_is_missing_is_found_out_later(bot_folder, tmp_path: Path) -> None:
    bot = load_bot(bot_folder('name = "nova"\ncommand = "no-such-interpreter bot.py"\n'))
    assert Housing(tmp_path / "homes").home(bot.version, bot.archive).interpreter == ""
