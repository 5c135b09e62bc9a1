"""bot.toml: any bytes are a Manifest that can set nothing outside its folder, or a BotError of one clear sentence."""

from __future__ import annotations

import posixpath
import re
import tomllib

from harness.bots import Manifest
from harness.bots.manifest import read_manifest
from harness.errors import BotError
from tests.fuzz.sentence import assert_sentence

RUNS = 80_000
LONGEST = 1_000
WORDS = (
    b'name = "a"\n',
    b'title = "',
    b'command = "python3 bot.py"\n',
    b'command = ["',
    b"build = ",
    b'language = "',
    b'author = "',
    b'release = "',
    b"exclude = [",
    b'"../',
    b'"/usr/bin/',
    b'"/home/',
    b"'''",
    b'"""',
    b"\\u0000",
    b"\\u001b",
    b"\\\\",
    b"\\'",
    b"[limits]\n",
    b"sandbox = ",
    b"image = ",
    b"0xffffffffffffffffffff",
    b"1e400",
    b"inf",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"*.o",
    b"**/",
)

WORD = re.compile("[a-z0-9][a-z0-9-]{0,31}")
SYSTEM = re.compile("/(bin|dev|lib|lib64|opt|sbin|usr)/.")


def check(data: bytes) -> bool:
    manifest = _read(data)
    if manifest is None:
        return False
    assert WORD.fullmatch(manifest.name)
    for words in (manifest.command, manifest.build or ("x",)):
        assert 0 < len(words) <= 64
        assert words[0]
        for word in words:
            assert "\0" not in word
            _assert_inside(word)
    for pattern in manifest.exclude:
        assert not pattern.startswith("/")
        assert ".." not in pattern.split("/")
    assert all(len(text) <= 100 for text in (manifest.title, manifest.language, manifest.author, manifest.release))
    bare = data.removeprefix(b"\xef\xbb\xbf")
    assert set(tomllib.loads(bare.decode("utf-8"))) <= {
        "name",
        "title",
        "command",
        "build",
        "language",
        "author",
        "release",
        "exclude",
    }
    assert _read(b"\xef\xbb\xbf" + bare) == manifest
    assert _read(bare + b"\n# a comment") == manifest
    return True


def _read(data: bytes) -> Manifest | None:
    try:
        return read_manifest(data, "bot.toml")
    except BotError as error:
        assert_sentence(error, "bot.toml: ")
        return None


def _assert_inside(word: str) -> None:
    """A word, read as a path from the bot's folder, is in it or a file of the system."""
    if word.startswith("/"):
        assert SYSTEM.match(posixpath.normpath(word).replace("//", "/", 1))
        return
    # At no step, since a folder on the way may be a link.
    parts = word.split("/")
    assert not any(posixpath.normpath("/".join(parts[:i])).startswith("../") for i in range(1, len(parts) + 1))
    assert not any(posixpath.normpath("/".join(parts[:i])) == ".." for i in range(1, len(parts) + 1))


def seeds() -> dict[str, bytes]:
    small = 'name = "nova"\ncommand = "python3 bot.py"\n'
    full = (
        'name = "nova-2"\ntitle = "Nova"\ncommand = ["./bot", "-x", "/usr/share/words", "a/../b"]\n'
        "build = \"cc -O2 -o 'bot' bot.c\"\n"
        'language = "C"\nauthor = "A & B"\nrelease = "1.2"\nexclude = ["*.o", "notes/", "a/**/b", "[a-c]?"]\n'
    )
    texts = {
        "good-small": small,
        "good-full": full,
        "good-marked": "\ufeff" + small.replace("\n", "\r\n"),
        "good-several-lines": 'name = "nova"\ncommand = """\\\n  python3 \\\n  bot.py"""\n',
        "outside": full.replace("a/../b", "a/../../b"),
        "outside-absolute": small.replace("bot.py", "/home/me/bot.py"),
        "outside-system": small.replace("bot.py", "/usr/../etc/passwd"),
        "outside-slashes": small.replace("bot.py", "//etc/passwd"),
        "outside-exclude": full.replace("notes/", "../notes"),
        "unknown": small + "[limits]\nmove_ms = 1\n",
        "hexadecimal": small.replace('"nova"', "0x" + "f" * 4000),
        "digits": small.replace('"nova"', "9" * 4301),
        "quote": small.replace("bot.py", "'bot.py"),
        "nul": small.replace("bot.py", "bot\\u0000.py"),
        "escapes": small.replace("nova", "\\u001b[31m\\u202e\\n"),
        "hostile-key": small + '"\\u001b[2J\\n" = 1\n',
        "dotted": "a" + ".a" * 400 + " = 1",
        "nested": "exclude = " + "[" * 900,
    }
    return {name: text.encode() for name, text in texts.items()}
