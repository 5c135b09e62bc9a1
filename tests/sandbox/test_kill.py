"""The end of a program is the end of everything that it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Process, SandboxError, killing, orphans
from sandbox.procfs import Stat, read_stat, signal_exactly

Python = Callable[[str], Process]
Line = Callable[[Process], str]
Alive = Callable[[int], bool]

linux = pytest.mark.skipif(sys.platform != "linux", reason="descendants are known on Linux")

CHILD = "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
TREES = {
    "child": "tell() if os.fork() == 0 else signal.pause()",
    "child in a group of its own": "\nif os.fork() == 0: os.setpgid(0, 0); tell()\nsignal.pause()",
    "child in a session of its own": "\nif os.fork() == 0: os.setsid(); tell()\nsignal.pause()",
    "daemon": "\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: tell()\n os._exit(0)\nos.wait(); signal.pause()",
    "daemon without its environment": "\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n"
    "  os.execve(sys.executable, [sys.executable, '-I', '-S', '-c', tell_code], {})\n"
    " os._exit(0)\nos.wait(); signal.pause()",
    "orphan of an ended program": "\nif os.fork() == 0:\n os.setsid(); tell()\nos.read(r, 1); os._exit(0)",
    "child of a second thread": "\nimport threading\n"
    "threading.Thread(target=lambda: (os.fork() or (os.setsid(), tell()), signal.pause())).start()\nsignal.pause()",
    "child of a program whose first thread ended": "\nimport threading, ctypes\n"
    "threading.Thread(target=lambda: (os.fork() or (os.setsid(), tell()), threading.Event().wait())).start()\n"
    "ctypes.CDLL(None).pthread_exit(None)",
    "stopped child": "\nif os.fork() == 0: os.setsid(); say(); os.kill(os.getpid(), signal.SIGSTOP)\nsignal.pause()",
    "chain": "\nfor _ in range(30):\n if os.fork(): signal.pause()\n os.setsid()\ntell()",
}
PRELUDE = (
    "import os, signal, sys\n"
    "r, w = os.pipe()\n"
    "os.set_inheritable(w, True)\n"
    "tell_code = 'import os, signal; print(os.getpid(), flush=True); signal.pause()'\n"
    "def say(): print(os.getpid(), flush=True); os.write(w, b'x')\n"
    "def tell(): say(); signal.pause()\n" + CHILD
)


@linux
@pytest.mark.parametrize("tree", [name for name in TREES if "environment" not in name])
def test_a_tree_is_killed_whole(python: Python, line: Line, alive: Alive, tree: str) -> None:
    process = python(PRELUDE + TREES[tree])
    found = int(line(process))
    assert found != process.pid
    assert alive(found)
    process.close()
    assert not alive(found)
    assert not alive(process.pid)


@linux
@pytest.mark.parametrize("tree", list(TREES))
def test_a_subreaper_leaves_not_even_a_zombie(fresh_python: Callable[[str], str], tree: str) -> None:
    said = fresh_python(f"""
sandbox.become_subreaper()
p = start({PRELUDE + TREES[tree]!r}, Path("/tmp"))
found = int(line(p)); assert alive(found)
p.close(); sandbox.sweep()
print(alive(found), Path(f"/proc/{{found}}").exists(), children())
""")
    assert said.split() == ["False", "False", "[]"]


def test_a_program_that_ignores_sigterm_is_killed(python: Python, line: Line) -> None:
    process = python(f"import signal\n{CHILD}print(1, flush=True)\nwhile True: signal.pause()")
    line(process)
    assert process.close() == -signal.SIGKILL


def test_a_stopped_program_is_killed(python: Python) -> None:
    process = python("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    assert process.close() == -signal.SIGKILL


def test_kill_can_be_repeated_and_does_not_hide_the_status(python: Python, end: Callable[[Process], int]) -> None:
    process = python("import os; os._exit(4)")
    end(process)
    process.kill()
    process.kill()
    assert process.ended() == 4
    assert process.close() == 4


def test_kill_zero_by_the_program_does_not_reach_us(python: Python, end: Callable[[Process], int]) -> None:
    def on_signal(number: int, frame: object) -> None:
        raise AssertionError("the signal came here")

    before = signal.signal(signal.SIGUSR1, on_signal)
    try:
        assert end(python("import os, signal; os.kill(0, signal.SIGUSR1)")) == -signal.SIGUSR1
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_close_does_not_wait_for_a_grandchild_that_holds_the_pipes(python: Python, line: Line) -> None:
    process = python("import os\nif os.fork() == 0:\n import signal; print(1, flush=True); signal.pause()\nos._exit(5)")
    line(process)
    assert process.close() in (5, -signal.SIGKILL)


@linux
@pytest.mark.parametrize("subreaper", [True, False])
@pytest.mark.parametrize("new_session", [True, False])
def test_forking_does_not_win_against_the_kill(
    fresh_python: Callable[[str], str], subreaper: bool, new_session: bool
) -> None:
    # A tree of 2 x 150 processes that come and go; every living one can write to the pipe, so its end of file proves
    # that none is left.
    said = fresh_python(f"""
if {subreaper}: sandbox.become_subreaper()
fifo = Path.cwd() / "fifo"; os.mkfifo(fifo)
reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
p = start(f'''
import os, signal
held = os.open({{str(fifo)!r}}, os.O_WRONLY)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(1, flush=True)
def breed(n):
    for _ in range(n):
        if os.fork() == 0:
            if {new_session}: os.setsid()
            if n > 1: breed(n // 2)
            os.read(0, 1)
            os._exit(0)
breed(6); breed(6)
while True:
    if os.fork() == 0:
        os.fork(); os._exit(0)
''', Path.cwd())
line(p)
p.close()
assert os.read(reader, 1) == b"", "somebody lives"
print(sandbox.sweep(), children() if {subreaper} else [])
""")
    assert said.split() == ["0", "[]"]


RUNNER = r"""
#include <signal.h>
#include <unistd.h>
#include <fcntl.h>
#include <string.h>
int main(int argc, char **argv) {
    open(argv[1], O_WRONLY);
    signal(SIGCHLD, SIG_IGN);
    write(1, "1\n", 2);
    if (fork() == 0)
        for (;;) { if (strcmp(argv[2], "setsid") == 0) setsid(); if (fork() > 0) _exit(0); }
    for (;;) pause();
}
"""


@linux
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
@pytest.mark.parametrize("how", ["same", "setsid"])
def test_a_runner_that_is_never_the_same_process_is_caught(
    fresh_python: Callable[[str], str], tmp_path: Path, how: str
) -> None:
    (tmp_path / "runner.c").write_text(RUNNER)
    subprocess.run(["gcc", "-O1", "-w", "-o", tmp_path / "runner", tmp_path / "runner.c"], check=True)
    said = fresh_python(f"""
sandbox.become_subreaper()
fifo = Path.cwd() / "fifo"; os.mkfifo(fifo)
reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
p = bare.start(["./runner", str(fifo), {how!r}], folder=Path.cwd(), scratch=Path.cwd(), limits=sandbox.Limits(1, 1, 1))
line(p)
p.close()
assert os.read(reader, 1) == b"", "somebody lives"
sandbox.sweep()
print(children())
""")
    # Corpses of hops that were never seen alive are told from nothing, so they wait for the sweep.
    assert said.split() == ["[]"]


@linux
def test_a_signal_does_not_reach_a_later_process_with_the_same_id() -> None:
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE) as other:
        stat = read_stat(other.pid)
        assert stat is not None
        assert not signal_exactly(other.pid, stat.started - 1, signal.SIGKILL)
        assert not signal_exactly(other.pid, stat.started + 1, signal.SIGKILL)
        assert other.stdin is not None
        other.stdin.write(b"\n")
    assert other.returncode == 0
    assert not signal_exactly(other.pid, stat.started, signal.SIGKILL)


@linux
def test_the_callers_own_processes_are_left_alone(python: Python, line: Line, scratch: Path) -> None:
    # One of them even has its HOME where the program has it.
    quiet = [sys.executable, "-I", "-S", "-c", "input()"]
    others = [
        subprocess.Popen(quiet, stdin=subprocess.PIPE),
        subprocess.Popen(quiet, stdin=subprocess.PIPE, start_new_session=True),
        subprocess.Popen(
            quiet, stdin=subprocess.PIPE, start_new_session=True, env={**os.environ, "HOME": str(scratch)}
        ),
    ]
    process = python("print(1, flush=True); input()")
    line(process)
    process.close()
    for other in others:
        other.communicate(b"\n")
        assert other.returncode == 0


class Forking:
    """The account of a program that always has another descendant, which is gone before it can be signalled."""

    def __init__(self) -> None:
        self.looks = 0

    def owns(self, stat: Stat) -> bool:
        return stat.started < 0

    def sample(self, fresh: bool) -> int:
        return 0

    def descendants(self, everywhere: bool = False) -> list[Stat]:
        self.looks += 1
        # A start time that no process has: no signal can hit anybody.
        return [Stat(os.getpid(), "R", 1, 1, 0, 0, 0, 1, -self.looks)]

    def settle(self, used_us: int) -> None:
        raise AssertionError("it has not ended")


class Clock:
    """A second for each time that it is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("what", ["kill_tree", "bury"])
def test_forking_on_and_on_holds_nobody_up_who_adopts(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Forking()
    for file in (killing, orphans):
        monkeypatch.setattr(file, "adopts", lambda: True)
    monkeypatch.setattr(orphans, "monotonic", Clock())
    quiet = [sys.executable, "-I", "-S", "-c", "input()"]
    with subprocess.Popen(quiet, stdin=subprocess.PIPE, start_new_session=True) as other:
        getattr(killing, what)(other.pid, account)
        other.kill()
    assert account.looks == 1


def test_forking_on_and_on_is_told_where_no_sweep_would_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    account = Forking()
    for file in (killing, orphans):
        monkeypatch.setattr(file, "adopts", lambda: False)
    monkeypatch.setattr(orphans, "monotonic", Clock())
    with pytest.raises(SandboxError, match="leaves processes that can't be killed"):
        killing.bury(os.getpid(), account)
    assert account.looks > 100


def test_a_sweep_ends_though_orphans_come_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def another() -> list[Stat]:
        nonlocal looks
        looks += 1
        return Forking().descendants()

    monkeypatch.setattr(orphans, "adopts", lambda: True)
    monkeypatch.setattr(orphans, "adopted", another)
    monkeypatch.setattr(orphans, "monotonic", Clock())
    assert orphans.sweep() == 0
    assert 1 <= looks < 10
