"""Runs functions of the tests in a process that does nothing but run programs in jails, as root or as nobody special.

What such a process does to itself (mounts of its own, adopted orphans) must not happen to the process of the tests. It
is asked over a pipe, a line of JSON each way, and may run programs for many tests, as a worker of a run does.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import sandbox
from sandbox import (
    Backend,
    Limits,
    Probe,
    Process,
    SandboxError,
    backend,
    become_subreaper,
    probe,
    scratch_folder,
    sweep,
)

__all__ = [
    "LIMITS",
    "PATIENCE_S",
    "USERS",
    "Ended",
    "Ground",
    "Unavailable",
    "Worker",
    "begin",
    "hired",
    "needs",
    "probe_as",
    "serve",
    "status_of",
    "took",
]

PATIENCE_S: Final = 60.0
NOBODY: Final = 65533
USERS: Final = ("root", "an ordinary user")
LIMITS: Final = Limits(memory_mb=128, processes=32, disk_mb=4, files=64, open_files=64)

_ROOT = Path(sandbox.__file__).parent.parent


class Unavailable(Exception):
    """Why programs can't be run like that here."""


# ── in the process of the tests ──────────────────────────────────────────────────────────────────────────────────────


class Ended(NamedTuple):
    """What came of a program."""

    stdout: str
    stderr: str
    status: int
    cpu_us: int
    breach: tuple[str, str] | None

    @property
    def said(self) -> Any:
        """Its output as JSON."""
        assert self.stdout, f"status {self.status}: {self.stderr}"
        return json.loads(self.stdout)


@functools.cache
def _words(user: str, light: bool) -> tuple[tuple[str, ...], dict[str, str]]:
    """How a Python is run as that user, and its environment. Unavailable."""
    packages = [str(_ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    environment = {"PATH": os.environ["PATH"], "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = ":".join(packages)
    root = os.geteuid() == 0
    if root == (user == "root"):
        return (sys.executable, "-P"), environment
    if not root:
        raise Unavailable("needs root")
    if shutil.which("setpriv") is None:
        raise Unavailable("needs setpriv, to become an ordinary user")
    become = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all")
    # What becomes another user may execute what that user may not.
    test = f"import os, sys, {__name__}; assert os.access(sys.executable, os.X_OK); "
    # Another version will do for this room: what it needs of packages is Python alone.
    test += "assert sys.version_info >= (3, 11)" if light else "import harness.referee"
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        tried = subprocess.run(
            [*become, python, "-P", "-c", test], env=environment, cwd="/", capture_output=True, check=False
        )
        if tried.returncode == 0:
            return (*become, python, "-P"), environment
    # One that lies in a folder of root's own is shown elsewhere, to that process alone.
    shown = ("unshare", "--mount", "sh", "-c", 'mount --bind "$1" /mnt && shift && exec "$@"', "sh", sys.base_prefix)
    python = f"/mnt/bin/{Path(os.path.realpath(sys.executable)).name}"
    environment["LD_LIBRARY_PATH"] = "/mnt/lib"
    tried = subprocess.run(
        [*shown, *become, python, "-P", "-c", test], env=environment, cwd="/", capture_output=True, check=False
    )
    if tried.returncode == 0:
        return (*shown, *become, python, "-P"), environment
    raise Unavailable(f"an ordinary user can reach no Python {sys.version_info[0]}.{sys.version_info[1]} with packages")


def begin(user: str, code: str, *arguments: str, light: bool = False) -> subprocess.Popen[str]:
    """Run Python code as that user, in a process of its own; `light` code uses nothing but this room. Unavailable."""
    command, environment = _words(user, light)
    return subprocess.Popen(
        [*command, "-c", code, *arguments],
        env=environment,
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@functools.cache
def probe_as(user: str) -> Probe:
    """What bubblewrap holds for that user. Unavailable where that is nothing."""
    with begin(user, f"import json, {__name__} as j; print(json.dumps(j.probed()))") as process:
        said, _ = process.communicate(timeout=PATIENCE_S)
    found = Probe.from_json(json.loads(said))
    if not found.works:
        raise Unavailable("; ".join(found.missing))
    return found


class Worker:
    """A process that runs programs; `call` has it run a function of a module of tests."""

    def __init__(self, user: str, **settings: str) -> None:
        """Unavailable; `settings` are put in the place of what the probe found."""
        found = probe_as(user)
        self.user = user
        self.layers = found.layers
        self._process = begin(user, f"import {__name__}; {__name__}.serve()")
        self._send(found.to_json() | {"settings": {**found.settings, **settings}})

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, function: Callable[..., Any], **arguments: Any) -> None:
        """Have it run a function, which is given a `Ground` and `arguments`."""
        self._send([function.__module__, function.__name__, arguments])

    def answer(self) -> Any:
        """What the function says. AssertionError with the traceback if it raised."""
        assert self._process.stdout is not None
        poll = select.poll()
        poll.register(self._process.stdout, select.POLLIN)
        assert poll.poll(PATIENCE_S * 1000), "nothing came"
        line = self._process.stdout.readline()
        assert line, "the worker has ended"
        answer = json.loads(line)
        assert "failed" not in answer, answer["failed"]
        return answer["done"]

    def call(self, function: Callable[..., Any], **arguments: Any) -> Any:
        """`ask`, and `answer`."""
        self.ask(function, **arguments)
        return self.answer()

    def run(self, *command: str, **options: Any) -> Ended:
        """What comes of a program that is given nothing to read; `options` are those of `Ground.start`."""
        answer = self.call(_run, command=command, options=options)
        return Ended(**{**answer, "breach": answer["breach"] and tuple(answer["breach"])})

    def python(self, code: str, **options: Any) -> Ended:
        """The same of a Python program."""
        return self.run("python3", "-I", "-S", "-c", code, **options)

    def kill(self) -> None:
        """End it as the machine might, and wait for that."""
        self._process.kill()
        self.close()

    def close(self) -> None:
        """Let it end."""
        self._process.communicate(timeout=PATIENCE_S)

    def _send(self, data: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(data) + "\n")
        self._process.stdin.flush()


def hired(user: str) -> Iterator[Worker]:
    """What a fixture yields from: a worker that is closed at the end; a skip where there can be none."""
    import pytest

    try:
        worker = Worker(user)
    except Unavailable as error:
        pytest.skip(str(error))
    yield worker
    worker.close()


def needs(worker: Worker, *layers: str) -> None:
    """Skip what is about layers that do not hold here."""
    import pytest

    if lacking := set(layers) - set(worker.layers):
        pytest.skip(f"bubblewrap does not hold here: {', '.join(sorted(lacking))}")


# ── in the worker ────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ground:
    """What a function in a worker has to work with: a backend, and a folder of its own with that of a program in it."""

    backend: Backend
    place: Path
    folder: Path

    @contextlib.contextmanager
    def start(
        self, *command: str, writable: bool = False, files: dict[str, str] | None = None, **limits: int
    ) -> Iterator[Process]:
        """A program that runs, with `files` in its folder, all of them to be executed."""
        for name, text in (files or {}).items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        most = Limits(**{**{name: getattr(LIMITS, name) for name in LIMITS.__dataclass_fields__}, **limits})
        with scratch_folder(self.place, most) as scratch:
            process = self.backend.start(command, folder=self.folder, scratch=scratch, limits=most, writable=writable)
            try:
                yield process
            finally:
                process.close()


def took(process: Process, until: bytes | None = None) -> bytes:
    """What a program says until its stdout closes, or it has said that."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    said = b""
    while until is None or not said.endswith(until):
        assert poll.poll(PATIENCE_S * 1000), f"nothing came after {said!r}"
        piece = process.read()
        if not piece:
            assert piece is None or until is None, f"{said!r}; status {process.close()}: {process.errors.text()}"
            return said
        said += piece
    return said


def status_of(process: Process) -> int:
    """Wait for its end."""
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    assert poll.poll(PATIENCE_S * 1000), "it does not end"
    status = process.ended()
    assert status is not None
    return status


def _run(ground: Ground, command: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    with ground.start(*command, **options) as process:
        process.close_stdin()
        said = took(process)
        status = status_of(process)
        breach = process.breach()
        cpu_us = process.cpu_us(fresh=True)
    return {
        "stdout": said.decode(),
        "stderr": process.errors.text(),
        "status": status,
        "cpu_us": cpu_us,
        "breach": breach and (breach.kind, breach.evidence),
    }


def probed() -> dict[str, Any]:
    """The probe of this user, as JSON."""
    (found,) = probe("bubblewrap")
    return found.to_json()


def serve() -> None:
    """Be the worker."""
    become_subreaper()
    within = backend(Probe.from_json(json.loads(sys.stdin.readline())))
    within.enter()
    for line in sys.stdin:
        module, name, arguments = json.loads(line)
        function = _run if name == "_run" else getattr(importlib.import_module(module), name)
        try:
            with tempfile.TemporaryDirectory(prefix="jailed-") as place:
                Path(place, "program").mkdir()
                answer = {"done": function(Ground(within, Path(place), Path(place, "program")), **arguments)}
        except SandboxError as error:
            answer = {"done": {"raised": type(error).__name__, "sentence": str(error)}}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        sweep()
        print(json.dumps(answer), flush=True)
