from __future__ import annotations

import errno
import os
import shutil
import socket
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.bots import load_bot, version_of
from harness.bots.version import SizeLimit, read_folder
from harness.errors import BotError

MANIFEST = 'name = "nova"\ncommand = "python3 bot.py"\n'


def paths(folder: Path, *exclude: str) -> list[str]:
    return [file.path for file in read_folder(folder, "nova", exclude)]


def test_a_version_is_the_hash_of_the_contract(bot_folder, expected_version) -> None:
    folder = bot_folder(files={"lib/ä.py": "x = 1\n", "lib.py": "", "run": "#!/bin/sh\n"})
    (folder / "run").chmod(0o755)
    assert load_bot(folder).version == expected_version(
        ("bot.toml", False, MANIFEST.encode()),
        ("bot.py", False, b"print()\n"),
        ("lib/ä.py", False, b"x = 1\n"),
        ("lib.py", False, b""),
        ("run", True, b"#!/bin/sh\n"),
    )


def test_a_version_of_record() -> None:
    # printf '{"files":[]}' | sha256sum
    assert version_of(()) == "602e35a92eec4bc0a2ec6ae113f07bfc6933322fb69fe8dee416e5a67217e2a2"


def test_paths_are_sorted_by_their_bytes(bot_folder) -> None:
    # As text U+FF5E comes before U+1F600, in UTF-16 code units after it; "a-b" comes before "a/b".
    folder = bot_folder(files={"～": "1", "😀": "2", "a-b": "3", "a/b": "4", "B": "5"})
    assert paths(folder) == ["B", "a-b", "a/b", "bot.py", "bot.toml", "～", "😀"]


def test_names_are_composed(bot_folder, expected_version) -> None:
    composed = "caf\u00e9.txt"
    folder = bot_folder(files={unicodedata.normalize("NFD", composed): "x"})
    assert composed in paths(folder)
    other = bot_folder(files={composed: "x"}, name="other")
    assert load_bot(folder).version == load_bot(other).version


def test_names_that_collide_when_composed_are_refused(bot_folder) -> None:
    folder = bot_folder(files={"caf\u00e9": "x", "cafe\u0301": "y"})
    with pytest.raises(BotError, match="same letters; rename"):
        load_bot(folder)


def test_a_file_and_a_folder_that_collide_are_refused(bot_folder) -> None:
    folder = bot_folder(files={"caf\u00e9": "x", "cafe\u0301/y": "y"})
    with pytest.raises(BotError, match="a file and a folder"):
        load_bot(folder)


def test_a_name_that_is_not_utf8_is_refused(bot_folder) -> None:
    folder = bot_folder()
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9")).write_text("x")
    with pytest.raises(BotError, match="is not UTF-8; rename it"):
        load_bot(folder)


def test_hidden_files_caches_and_empty_folders_do_not_count(bot_folder) -> None:
    folder = bot_folder()
    before = load_bot(folder)
    for path in (".git/config", ".env", "__pycache__/bot.pyc", "lib/__pycache__/x.pyc", "lib/.hidden/x"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")
    (folder / ".venv").symlink_to("/nowhere")
    (folder / "empty").mkdir()
    assert load_bot(folder) == before


def test_a_version_depends_on_neither_time_nor_umask_nor_place(bot_folder, tmp_path: Path) -> None:
    folder = bot_folder(files={"run": "#!/bin/sh\n"})
    (folder / "run").chmod(0o755)
    before = load_bot(folder)
    os.utime(folder / "bot.py", (1, 1))
    (folder / "bot.py").chmod(0o600)
    (folder / "run").chmod(0o700)
    moved = shutil.move(folder, tmp_path / "elsewhere")
    assert load_bot(Path(moved)) == before


@pytest.mark.parametrize("change", ["content", "path", "execute bit", "manifest"])
def test_a_version_depends_on_every_file(bot_folder, change: str) -> None:
    folder = bot_folder(files={"data": "x"})
    before = load_bot(folder).version
    if change == "content":
        (folder / "data").write_text("y")
    elif change == "path":
        (folder / "data").rename(folder / "date")
    elif change == "execute bit":
        (folder / "data").chmod(0o755)
    else:
        (folder / "bot.toml").write_text(MANIFEST + 'title = "x"\n')
    assert load_bot(folder).version != before


EXCLUDED = [
    (["*.log"], ["a", "sub/c", "sub/deep/d"]),
    (["sub"], ["a", "b.log"]),
    (["sub/"], ["a", "b.log"]),
    (["./sub"], ["a", "b.log"]),
    (["sub/deep"], ["a", "b.log", "sub/c", "sub/e.log"]),
    (["sub/*.log"], ["a", "b.log", "sub/c", "sub/deep/d", "sub/deep/f.log"]),
    (["sub/**/*.log"], ["a", "b.log", "sub/c", "sub/deep/d"]),
    (["deep"], ["a", "b.log", "sub/c", "sub/e.log"]),
    (["?"], ["b.log", "sub/deep/f.log", "sub/e.log"]),
    (["[ab]*"], ["sub/c", "sub/deep/d", "sub/deep/f.log", "sub/e.log"]),
    (["**"], []),
    (["nothing"], ["a", "b.log", "sub/c", "sub/deep/d", "sub/deep/f.log", "sub/e.log"]),
]


@pytest.mark.parametrize(("exclude", "kept"), EXCLUDED)
def test_exclude_leaves_out_what_it_matches(tmp_path: Path, exclude: list[str], kept: list[str]) -> None:
    for path in ("a", "b.log", "sub/c", "sub/e.log", "sub/deep/d", "sub/deep/f.log"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    assert paths(tmp_path, *exclude) == kept


def test_a_pattern_of_many_stars_takes_no_time(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["a"] * 100)
    folder.mkdir(parents=True)
    (folder / "b").write_text("x")
    assert len(paths(tmp_path, "/".join(["**", "a"] * 60) + "/c")) == 1


def test_what_is_excluded_may_be_anything(bot_folder) -> None:
    folder = bot_folder(MANIFEST + 'exclude = ["link", "pipe"]\n')
    (folder / "link").symlink_to("/etc")
    os.mkfifo(folder / "pipe")
    assert load_bot(folder).id == "nova"


def test_exclude_can_not_leave_out_the_manifest(bot_folder) -> None:
    with pytest.raises(BotError, match=r"bot\.toml: exclude: leaves out bot\.toml itself"):
        load_bot(bot_folder(MANIFEST + 'exclude = ["*.toml"]\n'))


@pytest.mark.parametrize("target", ["bot.py", "/etc/passwd", "nowhere", "."])
def test_a_symbolic_link_is_refused(bot_folder, target: str) -> None:
    folder = bot_folder()
    (folder / "link").symlink_to(target)
    with pytest.raises(BotError, match="nova: link: a symbolic link; put the file itself"):
        load_bot(folder)


def test_a_manifest_that_is_a_link_is_refused(bot_folder, tmp_path: Path) -> None:
    folder = bot_folder()
    shutil.move(folder / "bot.toml", tmp_path / "other.toml")
    (folder / "bot.toml").symlink_to(tmp_path / "other.toml")
    with pytest.raises(BotError, match=r"nova/bot\.toml: a symbolic link"):
        load_bot(folder)


def test_a_fifo_is_refused_and_not_waited_for(bot_folder) -> None:
    folder = bot_folder()
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match="pipe: a fifo; only regular files"):
        load_bot(folder)


def test_a_socket_is_refused(bot_folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder()
    monkeypatch.chdir(folder)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("ear")
        with pytest.raises(BotError, match="ear: a socket; only regular files"):
            load_bot(folder)


def test_an_unreadable_file_is_refused(bot_folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder(files={"data": "x"})
    refuse(monkeypatch, "open", b"data")
    with pytest.raises(BotError, match=r"data: can't be read .*permissions"):
        load_bot(folder)


def test_an_unreadable_folder_is_refused(bot_folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder(files={"sub/data": "x"})
    refuse(monkeypatch, "scandir", b"sub")
    with pytest.raises(BotError, match=r"sub: can't be listed .*permissions"):
        load_bot(folder)


def refuse(monkeypatch: pytest.MonkeyPatch, call: str, name: bytes) -> None:
    """Denies a system call for paths with this last part, as the kernel does to all but root."""
    real = getattr(os, call)

    def denied(path, *rest, **named):
        if isinstance(path, bytes) and path.endswith(b"/" + name):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *rest, **named)

    monkeypatch.setattr(os, call, denied)


def test_too_many_files_are_refused(bot_folder) -> None:
    folder = bot_folder(files={f"many/{i}": "" for i in range(1_998)})
    assert load_bot(folder).id == "nova"
    (folder / "one-more").write_text("")
    with pytest.raises(BotError, match="more than 2000 files; leave out"):
        load_bot(folder)


def test_too_much_is_refused(bot_folder) -> None:
    folder = bot_folder()
    with (folder / "big").open("wb") as file:
        file.truncate(20 << 20)
    with pytest.raises(BotError, match="larger than 20 MiB; leave out"):
        load_bot(folder)


def test_a_size_is_counted_to_the_byte(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(1 << 19))
    (tmp_path / "b").write_bytes(bytes(1 << 19))
    assert len(read_folder(tmp_path, "x", limit=SizeLimit(files=2, size=1))) == 2
    (tmp_path / "b").write_bytes(bytes((1 << 19) + 1))
    with pytest.raises(BotError, match="larger than 1 MiB"):
        read_folder(tmp_path, "x", limit=SizeLimit(files=2, size=1))


def test_a_path_that_is_too_long_is_refused(bot_folder) -> None:
    folder = bot_folder(files={"/".join(["d" * 200] * 6): "x"})
    with pytest.raises(BotError, match="too long; at most 1024"):
        load_bot(folder)


def test_a_name_that_grows_too_long_by_composing_is_refused(bot_folder) -> None:
    # U+0958 has a canonical decomposition and is never composed again: 3 bytes become 6.
    folder = bot_folder(files={"\u0958" * 80: "x"})
    with pytest.raises(BotError, match="too long; at most 1024 and 255"):
        load_bot(folder)


def test_hostile_names_are_shown_harmlessly(bot_folder: Callable[..., Path]) -> None:
    folder = bot_folder()
    (folder / "a\n\x1b[31m").symlink_to("x")
    with pytest.raises(BotError) as refused:
        load_bot(folder)
    assert "a⟨U+000A⟩⟨U+001B⟩[31m" in refused.value.sentence
