"""The manifest: what `bot.toml` says about a bot, read strictly."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from harness.errors import BotError
from harness.protocol import ID_PATTERN, NotToml, read_toml, visible

__all__ = ["MANIFEST_FILE", "Manifest", "read_manifest"]

MANIFEST_FILE = "bot.toml"
KEYS = ("name", "title", "command", "build", "language", "author", "release", "exclude")
ID_RULE = "an id is 1 to 32 of a-z, 0-9 and -, and does not start with -"
MAX_BYTES = 1 << 16
MAX_TEXT = 100
MAX_WORDS = 64
MAX_WORD = 4096
SYSTEM = ("bin", "dev", "lib", "lib64", "opt", "sbin", "usr")
"""Where the programs and data of the system are; everything else that is absolute belongs to somebody."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bot says of itself. `name` is its id; texts that were not given are empty, `title` is then the id."""

    name: str
    title: str
    command: tuple[str, ...]
    build: tuple[str, ...] | None = None
    language: str = ""
    author: str = ""
    release: str = ""
    exclude: tuple[str, ...] = ()


def read_manifest(data: bytes, where: str) -> Manifest:
    """The manifest that `data`, the bytes of a bot.toml, holds; `where` names the file in a BotError."""
    table = _parsed(data, where)
    for key in table:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)
            raise BotError(f"{where}: unknown key {_quoted(key)}; the nearest known one is '{(near or KEYS)[0]}'")
    name = _required(table, "name", where, 'write name = "my-bot"')
    if not isinstance(name, str) or re.fullmatch(ID_PATTERN, name) is None:
        raise BotError(f"{where}: name: {_shown(name)} is no id; {ID_RULE}")
    command = _required(table, "command", where, 'write how to run the bot, as in command = "python3 bot.py"')
    return Manifest(
        name=name,
        title=_text(table, "title", where) or name,
        command=_words(command, f"{where}: command"),
        build=_words(table["build"], f"{where}: build") if "build" in table else None,
        language=_text(table, "language", where),
        author=_text(table, "author", where),
        release=_text(table, "release", where),
        exclude=_patterns(table.get("exclude", []), f"{where}: exclude"),
    )


def _parsed(data: bytes, where: str) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise BotError(f"{where}: larger than 64 KiB; a manifest is a few lines of TOML")
    try:
        return read_toml(data)
    except NotToml as error:
        raise BotError(f"{where}: {error.reason}") from error


def _required(table: Mapping[str, Any], key: str, where: str, advice: str) -> Any:
    if key not in table:
        raise BotError(f"{where}: {key}: missing; {advice}")
    return table[key]


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise BotError(f"{where}: {key}: {_shown(value)} is not a text; write it in quotes")
    if len(value) > MAX_TEXT or "\0" in value:
        raise BotError(f"{where}: {key}: too long or not plain text; write at most {MAX_TEXT} characters, no NUL")
    return value.strip()


def _words(value: object, place: str) -> tuple[str, ...]:
    """A command: a list of words, or one text that is split as a shell would, without being a shell."""
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise BotError(
                f"{place}: {_shown(value)} can't be split into words; close the quote or \\ that is left open"
            ) from error
    elif isinstance(value, list):
        words = value
    else:
        raise BotError(f"{place}: {_shown(value)} is no command; write a list of words or one text")
    if not words or len(words) > MAX_WORDS:
        raise BotError(f"{place}: {len(words)} words; write the program and its arguments, at most {MAX_WORDS} words")
    for i, word in enumerate(words):
        _check_word(word, f"{place}[{i}]")
    if not words[0]:
        raise BotError(f"{place}[0]: empty; write the program to run")
    return tuple(words)


def _check_word(word: object, place: str) -> None:
    if not isinstance(word, str):
        raise BotError(f"{place}: {_shown(word)} is not a text; write each word in quotes")
    if len(word) > MAX_WORD or "\0" in word:
        raise BotError(f"{place}: too long or not plain text; write at most {MAX_WORD} characters, no NUL")
    if _leads_out(word) and not _is_systems(word):
        raise BotError(f"{place}: {_shown(word)} lies outside the bot's folder; put the file into the folder")


def _patterns(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_WORDS:
        raise BotError(f'{place}: {_shown(value)} is no list of at most {MAX_WORDS} patterns; write ["*.o", "notes"]')
    for i, pattern in enumerate(value):
        if not isinstance(pattern, str):
            raise BotError(f"{place}[{i}]: {_shown(pattern)} is not a text; write each pattern in quotes")
        if not 0 < len(pattern) <= MAX_WORD or not pattern.strip("/") or "\0" in pattern:
            raise BotError(f"{place}[{i}]: {_shown(pattern)} matches nothing; write a name or a pattern like '*.o'")
        if pattern.startswith("/") or ".." in pattern.split("/"):
            raise BotError(
                f"{place}[{i}]: {_shown(pattern)} points outside the bot's folder; write it from there, without '..'"
            )
    return tuple(value)


def _leads_out(word: str) -> bool:
    """Whether a word, read as a path from the bot's folder, ends or passes outside of it."""
    if word.startswith("/"):
        return True
    depth = 0
    for part in word.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False


def _is_systems(word: str) -> bool:
    parts = PurePosixPath(word).parts
    return len(parts) > 2 and parts[0] == "/" and parts[1] in SYSTEM and ".." not in parts


def _shown(value: object) -> str:
    """A value as the writer of the TOML knows it, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return _quoted(value) if isinstance(value, str) else visible(str(value), 60)


def _quoted(text: str) -> str:
    return f"'{visible(text, 60)}'"
