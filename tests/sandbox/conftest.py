"""Programs to try the sandbox on, and ways to wait for them without sleeping."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from sandbox import Backend, Limits, Process, backend, scratch_folder
from tests.sandbox.jailed import USERS, Worker, hired

PATIENCE_S = 60.0
LIMITS = Limits(memory_mb=512, processes=64, disk_mb=64)


@pytest.fixture
def bare() -> Backend:
    return backend("bare")


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    with scratch_folder(tmp_path) as folder:
        yield folder


@pytest.fixture
def limits() -> Limits:
    return LIMITS


@pytest.fixture
def start(bare: Backend, scratch: Path, tmp_path: Path) -> Iterator[Callable[[Sequence[str]], Process]]:
    """Start a command in a folder of its own; closed at the end."""
    started: list[Process] = []

    def begin(command: Sequence[str], folder: Path = tmp_path) -> Process:
        started.append(bare.start(command, folder=folder, scratch=scratch, limits=LIMITS))
        return started[-1]

    yield begin
    for process in started:
        process.close()


@pytest.fixture
def python(start: Callable[[Sequence[str]], Process]) -> Callable[[str], Process]:
    """Start a Python program without site and environment."""
    return lambda code: start([sys.executable, "-I", "-S", "-c", code])


def _ready(descriptor: int, event: int) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    assert poll.poll(PATIENCE_S * 1000), "nothing came"


@pytest.fixture
def line() -> Callable[[Process], str]:
    """Wait for one line of stdout; programs here never write ahead of being asked."""

    def read(process: Process) -> str:
        got = b""
        while not got.endswith(b"\n"):
            _ready(process.stdout, select.POLLIN)
            piece = process.read()
            assert piece, f"stdout closed after {got!r}: {process.close()} {process.errors.text()}"
            got += piece
        return got.decode().rstrip("\n")

    return read


@pytest.fixture
def end() -> Callable[[Process], int]:
    """Wait for the end of a program; its status."""

    def wait(process: Process) -> int:
        _ready(process.exit_fd, select.POLLIN)
        status = process.ended()
        assert status is not None
        return status

    return wait


@pytest.fixture
def wait_for() -> Callable[[int, int], None]:
    """Wait for poll events on a descriptor."""
    return _ready


@pytest.fixture
def alive() -> Callable[[int], bool]:
    """Whether a process id is of something that still runs."""

    def look(pid: int) -> bool:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        return state not in "ZX"

    return look


@pytest.fixture
def fresh_python(tmp_path: Path) -> Callable[..., str]:
    """Run a script in a Python of its own, with the sandbox importable: what it does to its process stays there."""
    import subprocess

    import sandbox

    root = str(Path(sandbox.__file__).parent.parent)

    def run(code: str, before: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", before + _PRELUDE + code],
            env={**os.environ, "PYTHONPATH": root},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


_PRELUDE = """
import os, select, subprocess, sys, signal
from pathlib import Path
import sandbox
bare = sandbox.backend("bare")
def start(code, scratch):
    return bare.start([sys.executable, "-I", "-S", "-c", code], folder=Path("/"), scratch=scratch,
                      limits=sandbox.Limits(512, 64, 64))
def ready(fd, event=select.POLLIN):
    poll = select.poll(); poll.register(fd, event); assert poll.poll(60000), "nothing came"
def line(p):
    got = b""
    while not got.endswith(b"\\n"):
        ready(p.stdout); piece = p.read(); assert piece, (got, p.close(), p.errors.text()); got += piece
    return got.decode().strip()
def alive(pid):
    try: return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError: return False
def children():
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
"""


@pytest.fixture(scope="module")
def root() -> Iterator[Worker]:
    yield from hired("root")


@pytest.fixture(scope="module")
def ordinary() -> Iterator[Worker]:
    yield from hired("an ordinary user")


@pytest.fixture(params=USERS)
def worker(request: pytest.FixtureRequest) -> Worker:
    found: Worker = request.getfixturevalue("root" if request.param == "root" else "ordinary")
    return found
