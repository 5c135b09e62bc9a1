"""How a backend is tried out: what becomes of a process that fails at it, and of what it leaves."""

from __future__ import annotations

import os
import select
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Probe, SandboxError, probing

PATIENCE_S = 60.0
CANDIDATE = Probe("bubblewrap", "full", ("seccomp",), "cpu", (), {"bwrap": "/nowhere"})

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is tried is Linux's")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have a shell script run in Python's place."""

    def put(script: str) -> None:
        file = tmp_path / "python"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(file))

    return put


@pytest.fixture
def put_away(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is put away of a process that died."""
    said: list[object] = []

    def remove(candidate: Probe) -> int:
        said.append(candidate)
        raise SandboxError("there is no daemon")

    def end(place: Path) -> int:
        said.append(place.is_dir())
        return 0

    monkeypatch.setattr(probing, "remove_leftovers", remove)
    monkeypatch.setattr(probing, "end_strays", end)
    return said


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo Traceback >&2; echo 'MemoryError: no room' >&2; exit 1", "MemoryError: no room"),
        ("exit 3", "it ended with status 3 and no word"),
        ("echo '{'; echo 'OSError: full' >&2; exit 1", "OSError: full"),
    ],
)
def test_why_a_process_died_is_told_by_its_last_line(
    temporary: Path, python: Callable[[str], None], put_away: list[object], script: str, reason: str
) -> None:
    python(script)
    assert probing.tried(CANDIDATE) == {"failure": f"it could not be tried ({reason})"}
    assert put_away == [CANDIDATE, True] * 2
    assert list(temporary.iterdir()) == []


def test_a_process_that_does_not_answer_is_killed_with_what_it_started_and_its_leftovers_go(
    temporary: Path,
    tmp_path: Path,
    python: Callable[[str], None],
    put_away: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    os.mkfifo(tmp_path / "told")
    python(f"sleep 1000 & echo $! >{tmp_path}/told; wait")
    really_ends = probing._ends
    started: list[int] = []

    def ends(pid: int) -> bool:
        if len(started) < len(put_away) // 2 + 1:  # the first look at each
            started.append(os.pidfd_open(int((tmp_path / "told").read_text())))
            return False
        return really_ends(pid)

    monkeypatch.setattr(probing, "_ends", ends)
    assert "no answer within 20 s" in probing.tried(CANDIDATE)["failure"]
    for handle in started:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(PATIENCE_S * 1000)
        os.close(handle)
    assert len(started) == 2
    assert put_away == [CANDIDATE, True] * 2
    assert list(temporary.iterdir()) == []


def test_what_tries_a_backend_leaves_a_folder_by_the_name_of_its_owner_only_as_long_as_it_takes(
    temporary: Path, python: Callable[[str], None], put_away: list[object]
) -> None:
    python('echo "{\\"layers\\": [\\"seccomp\\"], \\"folder\\": \\"$4\\"}"')
    answer = probing.tried(CANDIDATE)
    assert Path(answer["folder"]).name.startswith(f"harness-probe-{os.getpid()}-")
    assert Path(answer["folder"]).parent == temporary
    assert list(temporary.iterdir()) == []
    assert put_away == []
