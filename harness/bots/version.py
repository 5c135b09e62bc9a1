"""The version: which files make a bot, and the hash of their content."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from harness.errors import BotError
from harness.protocol import digest_of, open_regular, visible

__all__ = [
    "BOT_LIMIT",
    "BUILT_LIMIT",
    "MAX_NAME",
    "MAX_PATH",
    "BotFile",
    "SizeLimit",
    "read_file",
    "read_folder",
    "version_of",
]

MAX_PATH = 1024
"""Bytes of a file's path in the folder at most."""
MAX_NAME = 255
"""Bytes of one name in it at most, as most file systems have it."""
MAX_FOLDERS = 10_000


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """How much a bot may be: `files` in number, `size` in MiB together."""

    files: int
    size: int


BOT_LIMIT = SizeLimit(files=2_000, size=20)
BUILT_LIMIT = SizeLimit(files=10_000, size=200)
"""What a compiler leaves behind is larger than what was written by hand."""


@dataclass(frozen=True, slots=True)
class BotFile:
    """One file of a bot: its path in the folder (NFC, with `/`), whether its owner may execute it, its content."""

    path: str
    executable: bool
    data: bytes


def version_of(files: Iterable[BotFile]) -> str:
    """The content hash of the contract ("A bot on disk"), 64 lower-case hex digits."""
    return digest_of(
        {
            "files": [
                [file.path, file.executable, hashlib.sha256(file.data).hexdigest()]
                for file in sorted(files, key=lambda file: file.path.encode())
            ]
        }
    )


def read_folder(
    folder: Path, where: str, exclude: Sequence[str] = (), limit: SizeLimit = BOT_LIMIT
) -> tuple[BotFile, ...]:
    """All files of a folder but hidden ones, `__pycache__` and what `exclude` matches, in order of their paths.

    A pattern is matched part by part (`*`, `?`, `[…]`; `**` stands for any number of parts); one without `/`
    holds in every folder, and a folder that matches is left out with all it holds. BotError for links, special files,
    names that are not UTF-8 or that collide, too many files or too large ones; `where` names the folder in it.
    """
    patterns = [_split(pattern) for pattern in exclude]
    files: dict[str, BotFile] = {}
    size = 0
    for parts, full in _walk(folder, where, patterns):
        path = "/".join(parts)
        place = f"{where}: {visible(path, 200)}"
        if path in files:
            raise BotError(f"{place}: two names here are the same letters; rename one of them")
        if len(files) == limit.files:
            raise BotError(
                f"{where}: more than {limit.files} files; leave out what the bot does not need with `exclude`"
            )
        files[path] = _read(full, path, place, (limit.size << 20) - size)
        size += len(files[path].data)
        if size > limit.size << 20:
            raise BotError(
                f"{where}: larger than {limit.size} MiB; leave out what the bot does not need with `exclude`"
            )
    for path in files:
        for i, letter in enumerate(path):
            if letter == "/" and path[:i] in files:
                raise BotError(
                    f"{where}: {visible(path[:i], 200)}: a file and a folder have this name; rename one of them"
                )
    return tuple(sorted(files.values(), key=lambda file: file.path.encode()))


def read_file(file: Path, where: str) -> BotFile:
    """A bot of one source file. BotError if it is no regular file, can't be read or is too large."""
    found = _read(os.fsencode(file), file.name, where, BOT_LIMIT.size << 20)
    if len(found.data) > BOT_LIMIT.size << 20:
        raise BotError(f"{where}: larger than {BOT_LIMIT.size} MiB; a bot is at most that")
    return found


def _walk(folder: Path, where: str, patterns: Sequence[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The parts and the full path of every file that is not left out. Folders are not followed through links."""
    waiting: list[tuple[tuple[str, ...], bytes]] = [((), os.fsencode(folder))]
    seen = 0
    while waiting:
        above, full = waiting.pop()
        seen += 1
        if seen > MAX_FOLDERS:
            raise BotError(f"{where}: more than {MAX_FOLDERS} folders; leave out what the bot does not need")
        try:
            with os.scandir(full) as found:
                entries = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in found)
        except OSError as error:
            raise BotError(
                f"{where}: {_at(above)}can't be listed ({error.strerror}); see to its permissions"
            ) from error
        for name, is_folder in entries:
            # What is left out is judged first: a hidden or excluded entry may be anything.
            if name.startswith(b".") or name == b"__pycache__":
                continue
            parts = (*above, _named(name, above, where))
            if any(_matches(parts, pattern) for pattern in patterns):
                continue
            path = "/".join(parts)
            # Composing may lengthen a name; every name must still be one that a folder can hold.
            if len(path.encode()) > MAX_PATH or len(parts[-1].encode()) > MAX_NAME:
                raise BotError(
                    f"{where}: {visible(path, 60)}: path or name is too long; at most {MAX_PATH} and {MAX_NAME} bytes"
                )
            inner = full + b"/" + name
            if is_folder:
                waiting.append((parts, inner))
            else:
                yield parts, inner


def _at(parts: Sequence[str]) -> str:
    return f"{visible('/'.join(parts), 200)}: " if parts else ""


def _named(name: bytes, above: Sequence[str], where: str) -> str:
    try:
        return unicodedata.normalize("NFC", name.decode("utf-8"))
    except UnicodeDecodeError as error:
        shown = visible(name.decode("utf-8", "replace"), 60)
        raise BotError(f"{where}: {_at(above)}the name {shown} is not UTF-8; rename it") from error


def _read(full: bytes, path: str, place: str, most: int) -> BotFile:
    """One regular file; reads at most one byte more than `most`, so that what is too large shows."""
    try:
        file = open_regular(full, follow_links=False)
    except OSError as error:
        raise _unopened(full, place, error) from error
    with file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise BotError(f"{place}: can't be read ({error.strerror}); see to the file") from error
        return BotFile(path, bool(os.fstat(file.fileno()).st_mode & stat.S_IXUSR), data)


def _unopened(full: bytes, place: str, error: OSError) -> BotError:
    """Why a file could not be opened: what is no regular file fails there, with errors that do not say what it is."""
    try:
        mode = os.lstat(full).st_mode
    except OSError:
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        return _not_regular(mode, place)
    return BotError(f"{place}: can't be read ({error.strerror}); see to its permissions")


def _not_regular(mode: int, place: str) -> BotError:
    if stat.S_ISLNK(mode):
        return BotError(f"{place}: a symbolic link; put the file itself in its place")
    kinds = {stat.S_IFIFO: "a fifo", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
    kind = kinds.get(stat.S_IFMT(mode), "a device")
    return BotError(f"{place}: {kind}; only regular files make a bot, so leave it out")


def _split(pattern: str) -> tuple[str, ...]:
    parts = tuple(part for part in unicodedata.normalize("NFC", pattern).split("/") if part not in ("", "."))
    return parts if "/" in pattern.rstrip("/") else ("**", *parts)


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Follows all ways through the pattern at once, so that no pattern takes long."""
    ways = _with_skips({0}, pattern)
    for part in parts:
        ways = _with_skips(
            {
                way if pattern[way] == "**" else way + 1
                for way in ways
                if way < len(pattern) and (pattern[way] == "**" or fnmatchcase(part, pattern[way]))
            },
            pattern,
        )
    return len(pattern) in ways


def _with_skips(ways: set[int], pattern: Sequence[str]) -> set[int]:
    """The same ways and those past every `**` that they stand at, which may stand for nothing."""
    found = set(ways)
    for way in ways:
        while way < len(pattern) and pattern[way] == "**":
            way += 1
            found.add(way)
    return found
