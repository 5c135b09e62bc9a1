"""A bot as it enters a league: read from a folder or a file once, and from then on a value."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from harness.bots.archive import pack, unpack
from harness.bots.manifest import MANIFEST_FILE, Manifest, read_manifest
from harness.bots.samples import sample_folder
from harness.bots.source import source_manifest
from harness.bots.version import BotFile, read_file, read_folder, version_of
from harness.errors import BotError
from harness.protocol import visible

__all__ = ["SAMPLE_PREFIX", "Bot", "bot_from_archive", "bot_from_word", "is_sample", "load_bot", "manifest_of"]

SAMPLE_PREFIX = "sample:"
"""What the word for a sample bot begins with; its name follows."""


@dataclass(frozen=True, slots=True)
class Bot:
    """One version of a bot. `archive` is a gzip'd tar of its files, `version` their content hash (hex SHA-256)."""

    id: str
    version: str
    manifest: Manifest
    archive: bytes


def load_bot(path: Path) -> Bot:
    """Read a bot: a folder with bot.toml, or one source file. Nothing of it is run.

    BotError says in one sentence what is wrong with which file, and what to do.
    """
    where = visible(str(path), 200)
    try:
        is_folder = path.is_dir()
        is_there = is_folder or os.path.lexists(path)
    except OSError as error:
        raise BotError(f"{where}: can't be looked at ({error.strerror}); check the path") from error
    if not is_there:
        raise BotError(f"{where}: there is no such bot; give a folder with bot.toml, a source file, or sample:NAME")
    if is_folder:
        manifest, files = _folder(path, where)
    elif path.name == MANIFEST_FILE:
        raise BotError(f"{where}: this is a bot's manifest; give the folder that it lies in")
    else:
        manifest = source_manifest(unicodedata.normalize("NFC", path.name), where)
        files = (read_file(path, where),)
    return Bot(manifest.name, version_of(files), manifest, pack(files))


def bot_from_archive(archive: bytes, where: str) -> Bot:
    """Read a bot from its archive, as `load_bot` packed it; BotError, which begins with `where`, if that can't be."""
    files = unpack(archive, where)
    manifest = manifest_of(files, where)
    return Bot(manifest.name, version_of(files), manifest, archive)


def is_sample(word: str) -> bool:
    """Whether a word of a command line or league file names a sample bot, there or not, and no path."""
    return word.startswith(SAMPLE_PREFIX)


def bot_from_word(word: str, base: Path) -> Bot:
    """The bot that a word of a command line or league file names: `sample:NAME`, or a path from `base`."""
    if is_sample(word):
        return load_bot(sample_folder(word.removeprefix(SAMPLE_PREFIX)))
    return load_bot(base / word)


def manifest_of(files: tuple[BotFile, ...], where: str) -> Manifest:
    """The manifest of the files of an archive, be it of a folder or of a single source file."""
    for file in files:
        if file.path == MANIFEST_FILE:
            return read_manifest(file.data, f"{where}: {MANIFEST_FILE}")
    if len(files) == 1:
        return source_manifest(files[0].path, where)
    raise BotError(f"{where}: holds no {MANIFEST_FILE}; pack the bot again")


def _folder(folder: Path, where: str) -> tuple[Manifest, tuple[BotFile, ...]]:
    manifest_file = folder / MANIFEST_FILE
    place = f"{where}/{MANIFEST_FILE}"
    if not os.path.lexists(manifest_file):
        raise BotError(f'{where}: has no {MANIFEST_FILE}; write one, as in name = "my-bot", command = "python3 bot.py"')
    data = read_file(manifest_file, place).data
    manifest = read_manifest(data, place)
    files = read_folder(folder, where, manifest.exclude)
    kept = [file.data for file in files if file.path == MANIFEST_FILE]
    if not kept:
        raise BotError(f"{place}: exclude: leaves out {MANIFEST_FILE} itself, which the bot needs; narrow the pattern")
    if kept != [data]:
        raise BotError(f"{place}: was changed while it was read; try again")
    return manifest, files
