r"""The archive of a bot: any bytes are files that stay in their folder, within bounds, or a BotError of one sentence.

The input is a tar, with `\xfe n b` for long runs, which is packed as gzip here, or gzip itself. What comes out is a
bot's: plain composed names, regular files; it is written into a folder and read from there the same, nothing lies
beside it, nothing in it is a link, and packed again it comes out again.
"""

from __future__ import annotations

import gzip
import io
import shutil
import stat
import tarfile
import tempfile
import unicodedata
from pathlib import Path

from harness.bots import version_of
from harness.bots.archive import pack, unpack, write_files
from harness.bots.version import BotFile, SizeLimit
from harness.errors import BotError
from tests.fuzz.sentence import assert_sentence
from tests.fuzz.stretches import expanded

RUNS = 80_000
LONGEST = 6_000
WORDS = (
    b"../",
    b"/etc/passwd",
    b"./",
    b"//",
    b"bot.toml\x00",
    b"ustar\x0000",
    b"ustar  \x00",
    b"0000644\x00",
    b"0000755\x00",
    b"00000000000\x00",
    b"00000000005\x00",
    b"77777777777\x00",
    b"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05",
    b"11 path=",
    b"30 mtime=1\n",
    b"20 size=9999999999\n",
    b"GNU.sparse.",
    b"linkpath=",
    b"e\xcc\x81",
    b"\xfe\x01\x00",
    b"\xfe\xff\x00",
    b"././@LongLink\x00",
    b"././@PaxHeader\x00",
)

LIMIT = SizeLimit(files=6, size=1)


def check(data: bytes) -> bool:
    if data.startswith(b"\x1f\x8b"):
        packed = data
    else:
        tar = bytearray(expanded(data))
        put_checksums_right(tar)
        packed = gzip.compress(bytes(tar), 1, mtime=0)
    try:
        files = unpack(packed, "nova", LIMIT)
    except BotError as error:
        assert_sentence(error, "nova: ")
        return False
    assert len(files) <= LIMIT.files
    assert sum(len(file.data) for file in files) <= LIMIT.size << 20
    names = [file.path for file in files]
    assert names == sorted(set(names), key=str.encode)
    for name in names:
        assert unicodedata.is_normalized("NFC", name)
        assert not {"", ".", ".."} & set(name.split("/"))
    assert unpack(pack(files), "nova", LIMIT) == files
    _assert_written(files)
    return bool(files)


def put_checksums_right(tar: bytearray) -> None:
    """In each block that may be a header, since a fuzzer can't guess them (POSIX: the sum with blanks in its place)."""
    for at in range(0, len(tar) - 511, 512):
        block = tar[at : at + 512]
        if block[257:262] == b"ustar":
            total = sum(block) - sum(block[148:156]) + 8 * 32
            tar[at + 148 : at + 156] = b"%06o\0 " % total


def _assert_written(files: tuple[BotFile, ...]) -> None:
    above = Path(tempfile.mkdtemp(prefix="archive-"))
    try:
        folder = above / "home"
        folder.mkdir()
        write_files(files, folder, writable=True)
        found = {}
        for path in sorted(above.rglob("*")):
            mode = path.lstat().st_mode
            assert path == folder or path.is_relative_to(folder)
            assert stat.S_ISREG(mode) or stat.S_ISDIR(mode)
            if stat.S_ISREG(mode):
                found[str(path.relative_to(folder))] = (bool(mode & 0o100), path.read_bytes())
        assert found == {file.path: (file.executable, file.data) for file in files}
        again = tuple(BotFile(name, executable, content) for name, (executable, content) in found.items())
        assert version_of(again) == version_of(files)
    finally:
        shutil.rmtree(above)


def tar_of(*members: tuple[str, bytes, dict[str, object]], form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar as anybody may write one: names, contents and further fields of the headers."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as tar:
        for name, content, fields in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for field, value in fields.items():
                setattr(info, field, value)
            tar.addfile(info, io.BytesIO(content))
    # The blocks of zeros at the end are many, and the reader needs two.
    return raw.getvalue().rstrip(b"\0") + bytes(1024)


def seeds() -> dict[str, bytes]:
    toml, source = b'name = "nova"\ncommand = "python3 bot.py"\n', b"print()\n"
    plain = tar_of(("bot.toml", toml, {}), ("src/bot.py", source, {"mode": 0o755}))
    one = ("x", b"abc", {})
    tars = {
        "good-plain": plain,
        "good-ustar": tar_of(("bot.toml", toml, {}), form=tarfile.USTAR_FORMAT),
        "gnu": tar_of(("n" * 150 + "/é.py", source, {}), form=tarfile.GNU_FORMAT),
        "good-pax": tar_of(("n" * 150 + "/é.py", source, {})),
        "pax-of-more": tar_of(("n" * 150 + "/é.py", source, {"pax_headers": {"mtime": "1.5"}})),
        "good-big": tar_of(("x", b"\xfe\x10a", {"size": 3})).replace(b"00000000003", b"00000020000"),
        "outside": tar_of(("../x", b"", {})),
        "absolute": tar_of(("/etc/x", b"", {})),
        "dots": tar_of(("a/./x", b"", {})),
        "twice": tar_of(one, one),
        "in-a-file": tar_of(("a", b"", {}), ("a/b", b"", {})),
        "link": tar_of(("x", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}), ("x/y", b"", {})),
        "hard-link": tar_of(one, ("y", b"", {"type": tarfile.LNKTYPE, "linkname": "x"})),
        "folder": tar_of(("d", b"", {"type": tarfile.DIRTYPE}), ("d/x", b"", {})),
        "fifo": tar_of(("x", b"", {"type": tarfile.FIFOTYPE})),
        "sparse": tar_of(("x", b"", {"pax_headers": {"GNU.sparse.size": "99999999999", "GNU.sparse.map": "0,1"}})),
        "old-sparse": tar_of(("x", b"", {"type": tarfile.GNUTYPE_SPARSE}), form=tarfile.GNU_FORMAT),
        "decomposed": tar_of(("cafe\u0301", b"", {})),
        "long-name": tar_of(("n" * 300, b"", {})),
        "not-utf-8": tar_of(("caf\udce9", b"", {})),
        "many": tar_of(*((str(number), b"", {}) for number in range(7))),
        "huge": tar_of(one).replace(b"00000000003", b"77777777777"),
        "cut": plain[:700],
        "nothing": b"",
    }
    return tars | {"good-packed": gzip.compress(plain, mtime=0), "packed-cut": gzip.compress(plain, mtime=0)[:-9]}
