from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import tarfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bots import load_bot, version_of
from harness.bots.archive import pack, unpack, write_files
from harness.bots.version import BotFile, SizeLimit, read_folder
from harness.errors import BotError

NAMES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=40).filter(
        lambda name: name not in (".", "..")
    ),
    min_size=1,
    max_size=4,
).map("/".join)


def tar_bytes(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as tar:
        for member, data in members:
            tar.addfile(member, io.BytesIO(data))
    return raw.getvalue()


def tar_of(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    return gzip.compress(tar_bytes(*members, form=form))


def member(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def composed(name: str) -> bool:
    return unicodedata.is_normalized("NFC", name)


@given(st.dictionaries(NAMES.filter(composed), st.tuples(st.booleans(), st.binary(max_size=2000)), max_size=6))
def test_what_is_packed_comes_out_again(content: dict[str, tuple[bool, bytes]]) -> None:
    # No name may be a folder of another one.
    files = [
        BotFile(path, executable, data)
        for path, (executable, data) in content.items()
        if not any(other.startswith(path + "/") for other in content)
    ]
    found = unpack(pack(files), "x")
    assert sorted(found, key=lambda file: file.path) == sorted(files, key=lambda file: file.path)
    assert version_of(found) == version_of(files)
    assert pack(reversed(files)) == pack(files)


def test_an_archive_tells_nothing_of_when_and_by_whom(bot_folder) -> None:
    folder = bot_folder()
    archive = load_bot(folder).archive
    os.utime(folder / "bot.py", (1, 1))
    (folder / "bot.py").chmod(0o604)
    assert load_bot(folder).archive == archive
    assert archive[4:8] == bytes(4)  # RFC 1952: time of the file, 0 for none
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for info in tar:
            assert (info.mtime, info.uid, info.gid, info.uname, info.gname, info.mode) == (0, 0, 0, "", "", 0o644)


HOSTILE = {
    "a path out of the folder": tar_of(member("../x")),
    "a path out of a folder in it": tar_of(member("a/../../x")),
    "an absolute path": tar_of(member("/etc/x")),
    "a dot": tar_of(member("./x")),
    "an empty part": tar_of(member("a//x")),
    "a name that is not composed": tar_of(member("cafe\u0301")),
    "a name that no file can have": tar_of(member("n" * 256)),
    "a path that is too long": tar_of(member("/".join(["n" * 200] * 6))),
    "a name that is not UTF-8": tar_of(member("caf\udce9")),
    "a name twice": tar_of(member("x"), member("x")),
    "a file in a file": tar_of(member("a"), member("a/b")),
    "a symbolic link": tar_of(member("x", type=tarfile.SYMTYPE, linkname="/etc/passwd")),
    "a hard link": tar_of(member("a"), member("x", type=tarfile.LNKTYPE, linkname="a")),
    "a folder": tar_of(member("x", type=tarfile.DIRTYPE)),
    "a fifo": tar_of(member("x", type=tarfile.FIFOTYPE)),
    "a device": tar_of(member("x", type=tarfile.CHRTYPE)),
    "a size that is not there": tar_of(member("x", b"abc"))[:60],
    "a sparse file": tar_of(member("x", b"", pax_headers={"GNU.sparse.size": "99999999999", "GNU.sparse.map": "0,1"})),
    "an old sparse file": tar_of(member("x", type=tarfile.GNUTYPE_SPARSE), form=tarfile.GNU_FORMAT),
    "a sparse header that is cut off": gzip.compress(
        tar_bytes(member("x", type=tarfile.GNUTYPE_SPARSE), form=tarfile.GNU_FORMAT)[:500]
    ),
    "headers for headers": gzip.compress(b"".join([tar_bytes(member("x", type=tarfile.XHDTYPE))[:512]] * 3000)),
    "a header of another use": tar_of(member("n" * 101, pax_headers={"mtime": "1.5"})),
    "bytes behind the end": gzip.compress(tar_bytes(member("x")) + b"x"),
    "no end": gzip.compress(tar_bytes(member("x"))[:512]),
    "a checksum that is wrong": gzip.compress(tar_bytes(member("x")).replace(b"x", b"y", 1)),
    "a size in base 256": gzip.compress(
        tar_bytes(member("x")).replace(b"00000000000\x00", bytes([128]) + bytes(11), 1)
    ),
    "no gzip": b"hello",
    "nothing": b"",
    "no tar": gzip.compress(b"hello" * 1000),
    "a bomb": gzip.compress(bytes(64 << 20)),
    "too large": tar_of(member("x", bytes((20 << 20) + 1))),
    "too many": tar_of(*(member(str(i)) for i in range(2001))),
}


@pytest.mark.parametrize("archive", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_refused(archive: bytes) -> None:
    with pytest.raises(BotError) as refused:
        unpack(archive, "nova")
    assert refused.value.sentence.startswith("nova: ")
    assert refused.value.sentence.isprintable()


def test_the_limit_is_exact() -> None:
    archive = tar_of(member("a", bytes(1 << 20)), member("b"))
    assert len(unpack(archive, "x", SizeLimit(files=2, size=1))) == 2
    with pytest.raises(BotError, match="more than 1 files"):
        unpack(archive, "x", SizeLimit(files=1, size=1))


@given(st.binary(max_size=600), st.integers(0, 599))
def test_a_damaged_archive_is_refused_or_read_and_nothing_else(noise: bytes, place: int) -> None:
    raw = bytearray(gzip.decompress(tar_of(member("a", b"x" * 100), member("b" * 200, b"y"))))
    raw[place : place + len(noise)] = noise
    with contextlib.suppress(BotError):
        unpack(gzip.compress(bytes(raw)), "x")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_are_written_with_the_same_modes_under_any_umask(tmp_path: Path, umask: int) -> None:
    files = (BotFile("bot.py", False, b"x"), BotFile("bin/run", True, b"y"))
    before = os.umask(umask)
    try:
        (tmp_path / "home").mkdir()
        write_files(files, tmp_path / "home", writable=False)
        (tmp_path / "work").mkdir()
        write_files(files, tmp_path / "work", writable=True)
    finally:
        os.umask(before)

    def modes(folder: Path) -> dict[str, str]:
        found = {".": folder, **{str(path.relative_to(folder)): path for path in folder.rglob("*")}}
        return {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in found.items()}

    assert modes(tmp_path / "home") == {".": "0o555", "bot.py": "0o444", "bin": "0o555", "bin/run": "0o555"}
    assert modes(tmp_path / "work") == {".": "0o755", "bot.py": "0o644", "bin": "0o755", "bin/run": "0o755"}
    assert version_of(read_folder(tmp_path / "home", "x")) == version_of(files)


def test_files_are_never_written_through_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to(tmp_path / "outside")
    with pytest.raises(FileExistsError):
        write_files((BotFile("x", False, b"evil"),), tmp_path, writable=True)
    assert not (tmp_path / "outside").exists()
