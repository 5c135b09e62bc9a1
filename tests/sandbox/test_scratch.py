"""A scratch folder is private while it is there, and goes whatever was left in it."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import SandboxError, remove_tree, scratch_folder


def test_it_is_private_absolute_and_gone_afterwards(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.is_absolute()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "a").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_two_at_once_are_two(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as one, scratch_folder(tmp_path) as two:
        assert one != two


def test_an_error_inside_comes_through_and_the_folder_goes(tmp_path: Path) -> None:
    with pytest.raises(KeyError), scratch_folder(tmp_path):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_a_missing_parent_is_the_machines_failure(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gone"), scratch_folder(tmp_path / "gone"):
        pass


def test_a_folder_that_can_not_be_held_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EMFILE, "no more descriptors")

    with monkeypatch.context() as patched:
        patched.setattr("sandbox.scratch.os.open", refuse)
        with pytest.raises(SandboxError, match="no more descriptors"), scratch_folder(tmp_path):
            pass
    assert list(tmp_path.iterdir()) == []


def test_links_are_removed_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o750)
    (outside / "kept").write_text("x")
    with scratch_folder(tmp_path) as folder:
        (folder / "to-folder").symlink_to(outside)
        (folder / "to-file").symlink_to(outside / "kept")
        (folder / "dangling").symlink_to("nowhere")
        (folder / "round").symlink_to(folder)
        (folder / "up").symlink_to("..")
        (folder / "in").mkdir()
        (folder / "in" / "to-folder").symlink_to(outside)
        os.link(outside / "kept", folder / "hard")
    assert [entry.name for entry in tmp_path.iterdir()] == ["outside"]
    assert (outside / "kept").read_text() == "x"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o750


def test_a_folder_replaced_by_a_link_does_not_lead_outside(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    with scratch_folder(tmp_path) as folder:
        (folder / "a").write_text("x")
        folder.rename(tmp_path / "moved")
        folder.symlink_to(outside)
    assert (outside / "kept").read_text() == "x"
    assert not folder.is_symlink()
    # What was moved away is emptied: its room is what counts.
    assert list((tmp_path / "moved").iterdir()) == []


def test_a_folder_replaced_by_another_goes_too(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        folder.rename(tmp_path / "moved")
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b" / "c").write_text("x")
    assert [entry.name for entry in tmp_path.iterdir()] == ["moved"]


def test_a_folder_replaced_by_a_file_goes_too(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        folder.rmdir()
        folder.write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_removed_meanwhile_is_no_failure(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        folder.rmdir()


def test_it_needs_no_depth(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        here = os.open(folder, os.O_RDONLY)
        for level in range(1500):
            os.mkdir("d" * 100, dir_fd=here)
            below = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
            os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
            if level % 100 == 0:
                os.mkdir(f"{level // 100 + 1}", dir_fd=here)
            os.close(here)
            here = below
        os.close(here)
    assert list(tmp_path.iterdir()) == []


_CLOSED_FOLDERS = """
import os, sys
from pathlib import Path
from sandbox import scratch_folder
if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)
with scratch_folder(Path(sys.argv[1])) as folder:
    for name in ("a", "a/b", "a/b/c", "d"): (folder / name).mkdir()
    for name in ("a/x", "a/b/x", "a/b/c/x", "d/x"): (folder / name).write_text("x"); (folder / name).chmod(0)
    for name in ("a/b/c", "a/b", "a", "d"): (folder / name).chmod(0)
    folder.chmod(0)
"""


def test_closed_folders_are_opened_without_privilege(tmp_path: Path) -> None:
    import sandbox

    # Root passes every mode, so an ordinary user has to try; tmp_path's parents are closed to that one.
    place = Path("/tmp") if os.getuid() == 0 else tmp_path
    parent = place / f"closed-{os.getpid()}"
    parent.mkdir()
    parent.chmod(0o777)
    root = str(Path(sandbox.__file__).parent.parent)
    try:
        subprocess.run(
            [sys.executable, "-c", _CLOSED_FOLDERS, str(parent)], check=True, env={**os.environ, "PYTHONPATH": root}
        )
        assert list(parent.iterdir()) == []
    finally:
        shutil.rmtree(parent)


def test_odd_names_and_kinds_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scratch_folder(tmp_path) as folder:
        for name in (b"\xff\xfe", b"new\nline", b"-rf", b" ", b"*", b"a" * 255, b"\x1b[31m"):
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("x")
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name[:250] + b"-dir")).mkdir()
        os.mkfifo(folder / "pipe")
        (folder / "d").mkdir()
        os.mkfifo(folder / "d" / "pipe")
        with socket.socket(socket.AF_UNIX) as listener:
            monkeypatch.chdir(folder)  # a socket's path is short
            listener.bind("socket")
            monkeypatch.undo()
        with (folder / "sparse").open("wb") as file:
            file.truncate(1 << 40)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("chattr") is None, reason="no chattr")
def test_immutable_files_go_where_the_system_lets_them(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        (folder / "d").mkdir()
        for name in ("file", "d/file"):
            (folder / name).write_text("x")
        marked = [folder / "file", folder / "d" / "file", folder / "d", folder]
        if subprocess.run(["chattr", "+i", *marked], check=False, capture_output=True).returncode:
            pytest.skip("this file system or user has no immutable mark")
    assert list(tmp_path.iterdir()) == []


def test_many_files_go(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        for i in range(50):
            (folder / f"{i}").mkdir()
            for j in range(50):
                (folder / f"{i}" / f"{j}").mkdir()
                (folder / f"{i}" / f"{j}" / "f").touch()
    assert list(tmp_path.iterdir()) == []


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    with scratch_folder(tmp_path) as folder:
        (folder / "d").mkdir()
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_tree_of_read_only_folders_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("x")
    for folder in (tmp_path / "a" / "b", tmp_path / "a"):
        folder.chmod(0o555)
    remove_tree(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_mode_000_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text("x")
    (tmp_path / "a").chmod(0)
    remove_tree(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_place_of_a_tree_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a").write_text("x")
    (tmp_path / "link").symlink_to("kept")
    remove_tree(tmp_path / "link")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept" / "a").read_text() == "x"


def test_removing_what_is_not_there_does_nothing(tmp_path: Path) -> None:
    remove_tree(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_tree_that_cannot_be_removed_is_the_machines_failure() -> None:
    with pytest.raises(SandboxError, match="can't be removed"):
        remove_tree(Path("/proc/self/fdinfo"))
