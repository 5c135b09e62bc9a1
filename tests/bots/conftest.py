from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

MANIFEST = 'name = "nova"\ncommand = "python3 bot.py"\n'


@pytest.fixture
def bot_folder(tmp_path: Path) -> Callable[..., Path]:
    """Makes a bot's folder of a manifest and further files, by their paths."""

    def make(manifest: str | bytes = MANIFEST, files: dict[str, str | bytes] | None = None, name: str = "nova") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for path, content in {"bot.toml": manifest, "bot.py": "print()\n", **(files or {})}.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
            target.chmod(0o644)
        return folder

    return make


@pytest.fixture
def expected_version() -> Callable[..., str]:
    """The contract's hash of (path, executable, content), computed without the package under test."""

    def compute(*files: tuple[str, bool, bytes]) -> str:
        rows = [[path, executable, hashlib.sha256(data).hexdigest()] for path, executable, data in files]
        rows.sort(key=lambda row: str(row[0]).encode())
        # RFC 8785 of ASCII names is what json.dumps gives without spaces.
        text = json.dumps({"files": rows}, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    return compute
