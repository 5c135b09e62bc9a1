"""What a user names as a file is read if it is one, and never waited for."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from harness.protocol import open_regular, read_regular


def test_a_file_and_a_link_to_it_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    for name in ("file", "link"):
        assert read_regular(tmp_path / name, 100) == b"content"
        assert read_regular(tmp_path / name, 3) == b"con"
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"content"


def test_a_link_is_refused_where_none_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(OSError):
        open_regular(tmp_path / "link", follow_links=False)
    with open_regular(os.fsencode(tmp_path / "file"), follow_links=False) as stream:
        assert stream.read() == b"content"


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "link", tmp_path / "socket", Path("/dev/zero")):
            with pytest.raises(OSError, match="no regular file"):
                read_regular(path, 100)


def test_a_folder_is_refused_as_one(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)


def test_nothing_stays_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "gone"):
        with pytest.raises(OSError):
            open_regular(path)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
