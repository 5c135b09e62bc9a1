"""The door that every command passes: help, version, start-up, exit statuses, signals, streams that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from harness import __version__
from harness.cli.command_line import COMMANDS, CommandLine
from harness.cli.lazy_group import Lazy
from harness.errors import AnswerIsNo, HarnessError, HarnessFailure, Interrupted

CALL = "from harness.cli import main; main()"
CASES: dict[str, BaseException] = {
    "error": HarnessError("two\nlines\x1b[2J"),
    "no": AnswerIsNo("no"),
    "failure": HarnessFailure("broken"),
    "interrupted": Interrupted("stopped"),
    "ctrl-c": KeyboardInterrupt(),
    "abort": click.Abort(),
    "bug": ZeroDivisionError("x\ny"),
    "pipe": BrokenPipeError(32, "Broken pipe"),
    "full": OSError(28, "No space left on device"),
    "usage": click.UsageError("This\nis wrong."),
}


def failing() -> CommandLine:
    """A command line with a command for each way to fail."""
    group = CommandLine("harness", lazy={})

    def add(name: str, failure: BaseException) -> None:
        @group.command(name)
        def fail() -> None:
            raise failure

        group.lazy[name] = Lazy("", "")

    for name, failure in CASES.items():
        add(name, failure)
    return group


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv("HARNESS_TRACEBACK", raising=False)

    def call(name: str) -> Result:
        return CliRunner().invoke(failing(), [name], prog_name="harness")

    return call


@pytest.mark.parametrize(
    ("name", "status", "line"),
    [
        ("error", 3, "harness: two lines⟨U+001B⟩[2J\n"),
        ("no", 1, "harness: no\n"),
        ("failure", 3, "harness: broken\n"),
        ("interrupted", 130, "harness: stopped\n"),
        ("ctrl-c", 130, "harness: interrupted\n"),
        ("abort", 130, "harness: interrupted\n"),
        ("pipe", 141, ""),
        ("full", 3, "harness: no space left on device; mend that on this machine and run it again\n"),
        ("usage", 2, "harness usage: this is wrong (see harness usage --help)\n"),
    ],
)
def test_each_way_to_end_has_its_status_and_line(
    fails: Callable[..., Result], name: str, status: int, line: str
) -> None:
    done = fails(name)
    assert (done.exit_code, done.stdout, done.stderr) == (status, "", line)


def test_a_bug_is_one_line_and_a_traceback_in_a_file(fails: Callable[..., Result], tmp_path: Path) -> None:
    done = fails("bug")
    assert done.exit_code == 3
    assert done.stderr.startswith("harness: internal error: ZeroDivisionError: x y; please report it with ")
    assert done.stderr.count("\n") == 1
    (file,) = tmp_path.iterdir()
    assert str(file) in done.stderr
    assert "Traceback (most recent call last)" in file.read_text()


def test_the_traceback_is_shown_when_asked_for(
    fails: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_TRACEBACK", "1")
    done = fails("bug")
    assert done.exit_code == 3
    assert "Traceback (most recent call last)" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("harness: internal error: ")
    assert list(tmp_path.iterdir()) == []


def test_every_command_has_help_that_says_what_it_does(harness: Callable[..., Result]) -> None:
    groups = {"replay": ["show", "verify", "export"]}
    words = [[name, *more] for name in COMMANDS for more in ([], *([sub] for sub in groups.get(name, ())))]
    for line in [[], *words]:
        done = harness(*line, "--help")
        assert done.exit_code == 0, line
        assert done.stderr == ""
        assert done.stdout.startswith("Usage: harness")
        assert max(map(len, done.stdout.splitlines())) <= 100


def test_the_lines_of_the_lazy_table_are_those_of_the_commands(harness: Callable[..., Result]) -> None:
    done = harness()
    assert done.exit_code == 0
    for name, lazy in COMMANDS.items():
        assert name in done.stdout
        assert lazy.load().name == name


def test_version(harness: Callable[..., Result]) -> None:
    done = harness("--version")
    assert (done.exit_code, done.output) == (0, f"harness {__version__}\n")


LEAGUE_COMMANDS = ["run-league", "plan", "standings", "faults", "submit"]
NONE_OF_A_LEAGUE = {"numpy", "sqlmodel", "sqlalchemy", "alembic", "docker"}
NONE_OF_A_ROOM = NONE_OF_A_LEAGUE | {"rich", "pydantic", "trueskill", "harness.game"}


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        *((words, NONE_OF_A_ROOM) for words in (["--version"], ["--help"], ["replay", "--help"], ["plya"])),
        *(([name, "--help"], NONE_OF_A_LEAGUE) for name in ["play", *LEAGUE_COMMANDS]),
        *((["replay", name, "--help"], NONE_OF_A_LEAGUE) for name in ("show", "verify", "export")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_start_up_imports_none_of_the_heavy_packages(words: list[str], heavy: set[str]) -> None:
    code = f"""
import sys
from harness.cli import main
try:
    main({words!r})
except SystemExit:
    pass
print("heavy:", sorted({heavy!r} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("heavy: []\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_variable_that_completes(shell: str) -> None:
    done = subprocess.run([sys.executable, "-c", CALL, "completion", shell], capture_output=True, text=True, check=True)
    assert "_HARNESS_COMPLETE" in done.stdout
    asked = {**os.environ, "_HARNESS_COMPLETE": f"{shell}_complete", "COMP_WORDS": "harness pl"}
    asked["COMP_CWORD"] = "pl" if shell == "fish" else "1"
    told = subprocess.run([sys.executable, "-c", CALL], capture_output=True, text=True, env=asked, check=True).stdout
    assert "play" in told
    assert "plan" in told
    assert "submit" not in told


def test_a_reader_that_goes_away_is_no_error(replay_file: Any) -> None:
    file = replay_file(games=40)
    with subprocess.Popen(
        [sys.executable, "-c", CALL, "replay", "show", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["--help"], ["schema"], ["replay", "show"]])
def test_a_full_disk_is_told_in_one_line(words: list[str], replay_file: Any) -> None:
    words = [*words, str(replay_file())] if words[0] == "replay" else words
    for unbuffered in ("", "1"):
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        with Path("/dev/full").open("w") as full:
            call = [sys.executable, "-c", CALL, *words]
            done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, env=env)
        assert done.returncode == 3
        assert done.stderr == "harness: stdout: no space left on device; mend that on this machine and run it again\n"


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_closed_streams_do_no_harm(closed: str, replay_file: Any) -> None:
    command = f'exec "$0" -c "$1" replay show "$2" {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable, CALL, str(replay_file())], capture_output=True)
    assert done.returncode == 0
    assert b"Error" not in done.stderr


def test_bytes_that_are_no_text_in_a_file_name(tmp_path: Path) -> None:
    for env in ({"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "ascii:strict"}):
        asked = {**os.environ, **env}
        name = os.fsencode(tmp_path) + b"/\xff\x1b.json"
        done = subprocess.run([sys.executable, "-c", CALL, "replay", "show", name], capture_output=True, env=asked)
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1
        assert b"\x1b" not in done.stderr


def test_schemas_are_json(harness: Callable[..., Result]) -> None:
    known = json.loads(harness("schema").stdout)
    for name in known:
        assert json.loads(harness("schema", name).stdout) == known[name]
