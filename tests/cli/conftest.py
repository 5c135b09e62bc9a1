"""Records to show, verify and export; and the command line called in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from tests.records import random_record


@pytest.fixture
def make_record() -> Callable[..., dict[str, Any]]:
    return random_record


@pytest.fixture
def replay_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a record, as `make_record` makes it or as given, to a file."""

    def write(record: dict[str, Any] | None = None, name: str = "match.json", **made: Any) -> Path:
        file = tmp_path / name
        file.write_text(json.dumps(record if record is not None else random_record(**made)), encoding="utf-8")
        return file

    return write


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Result]:
    """Calls the command line in this process; words may be paths."""
    for name in ("LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "HARNESS_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))

    def call(*words: object, env: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], env=env, prog_name="harness")

    return call
