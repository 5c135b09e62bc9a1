"""A bot of one source file: its ending tells how to build and run it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from harness.bots.manifest import Manifest
from harness.errors import BotError
from harness.protocol import ID_PATTERN, visible

__all__ = ["ENDINGS", "source_manifest"]


@dataclass(frozen=True, slots=True)
class Language:
    """How sources of one language are run: `run` and `build` make commands of the file's name and its stem."""

    name: str
    run: Callable[[str, str], Sequence[str]]
    build: Callable[[str, str], Sequence[str]] | None = None


def _interpreted(name: str, program: str) -> Language:
    return Language(name, lambda file, _stem: (program, file))


def _compiled(name: str, *compiler: str, after: Sequence[str] = ()) -> Language:
    return Language(
        name,
        run=lambda _file, stem: (f"./{stem}",),
        build=lambda file, stem: (*compiler, "-o", stem, file, *after),
    )


_CPP = _compiled("C++", "c++", "-O2")
_JAVASCRIPT = _interpreted("JavaScript", "node")

ENDINGS = {
    ".py": _interpreted("Python", "python3"),
    ".js": _JAVASCRIPT,
    ".mjs": _JAVASCRIPT,
    ".cjs": _JAVASCRIPT,
    ".rb": _interpreted("Ruby", "ruby"),
    ".pl": _interpreted("Perl", "perl"),
    ".lua": _interpreted("Lua", "lua"),
    ".php": _interpreted("PHP", "php"),
    ".sh": _interpreted("Shell", "sh"),
    # The launcher compiles in memory; a class file could not be named after an id.
    ".java": _interpreted("Java", "java"),
    ".c": _compiled("C", "cc", "-O2", after=("-lm",)),
    ".cc": _CPP,
    ".cpp": _CPP,
    ".cxx": _CPP,
    ".rs": _compiled("Rust", "rustc", "-O"),
    ".go": _compiled("Go", "go", "build"),
}


def source_manifest(name: str, where: str) -> Manifest:
    """The manifest of a single source file called `name`; BotError if its name tells no id or no language."""
    path = PurePosixPath(name)
    language = ENDINGS.get(path.suffix)
    if language is None:
        ending = f"the ending '{visible(path.suffix, 20)}'" if path.suffix else "a name without an ending"
        raise BotError(
            f"{where}: {ending} tells no language ({' '.join(ENDINGS)} do);"
            " put the file into a folder with a bot.toml that says how to run it"
        )
    if re.fullmatch(ID_PATTERN, path.stem) is None:
        raise BotError(
            f"{where}: the name of a single file is the bot's id, and an id is 1 to 32 of a-z, 0-9 and -;"
            f" rename the file to {_proposal(path.stem)}{path.suffix}"
        )
    return Manifest(
        name=path.stem,
        title=path.stem,
        command=tuple(language.run(name, path.stem)),
        build=tuple(language.build(name, path.stem)) if language.build else None,
        language=language.name,
    )


def _proposal(stem: str) -> str:
    words = re.findall(r"[a-z]+|[0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", stem).lower(), re.ASCII)
    return "-".join(words)[:32].strip("-") or "my-bot"
