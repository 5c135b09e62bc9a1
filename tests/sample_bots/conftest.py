from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from harness.bots import Home, Housing, build, load_bot, samples_root
from sandbox import backend, system_path

NEEDS = {"C": "cc", "JavaScript": "node", "Python": "python3"}


class Talk:
    """A bot that runs, spoken to a line at a time. A bot that does not answer is ended by the test's time limit."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def tell(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message, separators=(",", ":")).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> bytes:
        return self.process.stdout.readline().removesuffix(b"\n")

    def ask(self, question: dict[str, Any] | bytes) -> bytes:
        self.tell(question)
        return self.hear()


@pytest.fixture(scope="session")
def home_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Home]:
    """The home of a sample bot, built where it has to be."""
    scratch = tmp_path_factory.mktemp("scratch")
    housing = Housing(
        tmp_path_factory.mktemp("room") / "homes", lambda bot: build(bot, within=backend("bare"), scratch=scratch)
    )

    def home(name: str) -> Home:
        bot = load_bot(samples_root() / name)
        program = NEEDS[bot.manifest.language]
        if shutil.which(program, path=system_path()) is None:
            pytest.skip(f"{program} is not installed, which {name} needs")
        return housing.home(bot.version, bot.archive)

    return home


@pytest.fixture
def talk_to(home_of: Callable[[str], Home], tmp_path: Path) -> Callable[[str], AbstractContextManager[Talk]]:
    """Starts a sample bot as a match would, and sees to its end."""

    @contextlib.contextmanager
    def start(name: str) -> Iterator[Talk]:
        home = home_of(name)
        with subprocess.Popen(
            home.command,
            cwd=home.folder,
            env={"PATH": system_path(), "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            try:
                yield Talk(process)
            finally:
                process.kill()

    return start
