"""The archive of a bot: the same files give the same bytes, and what comes out is checked like what went in."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from harness.bots.tar import NotOurTar, TarMember, read_tar
from harness.bots.version import BOT_LIMIT, MAX_NAME, MAX_PATH, BotFile, SizeLimit
from harness.errors import BotError
from harness.protocol import TooLarge, gunzip, visible

__all__ = ["pack", "unpack", "write_files"]

OVERHEAD = 4096
"""Of a tar, beside the content: a header and padding for each file, and twice as much again for a long name."""


def pack(files: Iterable[BotFile]) -> bytes:
    """A gzip'd tar that depends on paths, execute bits and content only."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT, encoding="utf-8") as archive:
        for file in sorted(files, key=lambda file: file.path.encode()):
            member = tarfile.TarInfo(file.path)
            member.size = len(file.data)
            member.mode = 0o755 if file.executable else 0o644
            archive.addfile(member, io.BytesIO(file.data))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0) as stream:
        stream.write(tar.getbuffer())
    return packed.getvalue()


def unpack(archive: bytes, where: str, limit: SizeLimit = BOT_LIMIT) -> tuple[BotFile, ...]:
    """The files of an archive, in order of their paths. Neither its names nor its sizes are trusted: BotError."""
    try:
        files = _members(read_tar(_inflated(archive, where, limit)), where, limit)
    except NotOurTar as error:
        raise BotError(f"{where}: not an archive of a bot ({error}); pack the bot again") from error
    for path in files:
        parts = path.split("/")
        if any("/".join(parts[:i]) in files for i in range(1, len(parts))):
            raise BotError(f"{where}: {visible(path, 200)} lies in what is a file itself; pack the bot again")
    return tuple(sorted(files.values(), key=lambda file: file.path.encode()))


def write_files(files: Iterable[BotFile], folder: Path, *, writable: bool) -> None:
    """Write files into `folder`, which exists and is empty. Modes do not depend on the umask.

    Without `writable` all is read-only afterwards, `folder` included, so that no match leaves a trace for the next.
    """
    folders = {folder}
    for file in files:
        target = folder.joinpath(*file.path.split("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        folders.update(parent for parent in target.parents if parent.is_relative_to(folder))
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(file.data)
            os.fchmod(descriptor, (0o644 if writable else 0o444) | (0o111 if file.executable else 0))
    for made in folders:
        made.chmod(0o755 if writable else 0o555)


def _inflated(archive: bytes, where: str, limit: SizeLimit) -> bytes:
    most = (limit.size << 20) + limit.files * OVERHEAD + (1 << 16)
    try:
        return gunzip(archive, most)
    except TooLarge as error:
        raise BotError(f"{where}: the archive is larger than a bot may be; pack the bot again") from error
    except ValueError as error:
        raise BotError(f"{where}: not a gzip file, or a broken one ({error}); pack the bot again") from error


def _members(tar: Iterable[TarMember], where: str, limit: SizeLimit) -> dict[str, BotFile]:
    files: dict[str, BotFile] = {}
    size = 0
    for member in tar:
        if not _is_plain(member.name) or member.name in files:
            raise BotError(f"{where}: {visible(member.name, 200)}: no name for a file of a bot; pack the bot again")
        size += len(member.data)
        if len(files) == limit.files or size > limit.size << 20:
            raise BotError(f"{where}: more than {limit.files} files or {limit.size} MiB; pack the bot again")
        files[member.name] = BotFile(member.name, bool(member.mode & stat.S_IXUSR), member.data)
    return files


def _is_plain(name: str) -> bool:
    """Whether a name stays in its folder, whatever the folder, and is the one form that versions are hashed with.

    It is no longer than that of a file that `read_folder` takes, so that it can be written.
    """
    parts = name.split("/")
    if "\0" in name or any(part in ("", ".", "..") for part in parts):
        return False
    if len(name.encode()) > MAX_PATH or any(len(part.encode()) > MAX_NAME for part in parts):
        return False
    return unicodedata.is_normalized("NFC", name)
