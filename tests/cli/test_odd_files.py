"""What is named as a file and is none is refused at once, in one line, by whatever reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

TWO = ["sample:never", "sample:random"]


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "show", "pipe.json"],
        ["replay", "verify", "pipe.json"],
        ["replay", "show", "/dev/zero"],
        ["replay", "verify", "/dev/zero"],
        ["plan", "pipe.toml"],
        ["run-league", "pipe.toml"],
        ["plan", "/dev/zero"],
        ["play", "pipe.py", *TWO],
        ["play", "folder", *TWO],
        ["play", "sample:at-once", *TWO, "--record", "pipe.json"],
        ["play", "sample:at-once", *TWO, "--record", "link.json"],
    ],
    ids=" ".join,
)
def test_a_pipe_or_device_is_refused_at_once(
    harness: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("pipe.json", "pipe.toml", "pipe.py", "folder/bot.toml"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "link.json").symlink_to("pipe.json")
    done = harness(*words)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.count("\n") == 1
    assert any(told in done.stderr for told in ("no regular file", "only regular files", "named pipe"))


def test_a_record_goes_to_stdout_though_that_is_a_pipe(tmp_path: Path) -> None:
    words = ["play", "sample:at-once", *TWO, "--record", "/dev/stdout", "--json"]
    program = Path(sys.executable).with_name("harness")
    done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, check=True)
    assert json.loads(done.stdout.splitlines()[0])["format"] == "tacora-replay/1"
