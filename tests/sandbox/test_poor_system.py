"""A system without process handles, process clocks and waitid, as macOS is: less holds, and that works and is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# What such a system lacks is taken away before the sandbox is imported.
POOR = """
import os, signal, sys, time
real = time.clock_gettime_ns
def clock(number):
    if number < 0: raise OSError(22, "Invalid argument")
    return real(number)
time.clock_gettime_ns = clock
for module, name in ((os, "pidfd_open"), (os, "waitid"), (signal, "pidfd_send_signal")):
    if hasattr(module, name): delattr(module, name)
"""
WAIT = """
def finish(p):
    while p.read() != b"": ready(p.stdout)
    while p.ended() is None: pass
    return p.ended()
"""

Fresh = Callable[..., str]


def test_wall_time_is_billed_and_that_is_said(fresh_python: Fresh) -> None:
    said = fresh_python(
        """
p = start("print(1, flush=True); input()", Path("/tmp")); line(p)
a = p.cpu_us(); b = p.cpu_us(fresh=True); p.close(); c = p.cpu_us()
(found,) = sandbox.probe("bare")
print(bare.clock, found.clock, 0 < a <= b <= c == p.cpu_us(), len(found.missing), p.exit_fd)
""",
        before=POOR,
    )
    assert said.split() == ["wall", "wall", "True", "3", "-1"]


@pytest.mark.parametrize(
    ("code", "status"), [("import os; os._exit(3)", "3"), ("import os; os.kill(os.getpid(), 9)", "-9")]
)
def test_the_end_is_seen(fresh_python: Fresh, code: str, status: str) -> None:
    said = fresh_python(
        WAIT + f"p = start({code!r}, Path('/tmp')); print(finish(p), p.exiting(), p.close(), p.close())", before=POOR
    )
    assert said.split() == [status, "True", status, status]


@pytest.mark.parametrize("ended_first", [True, False])
def test_the_group_is_killed(fresh_python: Fresh, ended_first: bool) -> None:
    said = fresh_python(
        f"""
fifo = Path.cwd() / "fifo"; os.mkfifo(fifo)
reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
p = start(f'''
import os, signal
held = os.open({{str(fifo)!r}}, os.O_WRONLY)
r, w = os.pipe()
if os.fork() == 0: print(os.getpid(), flush=True); os.write(w, b"x"); signal.pause()
os.read(r, 1)
if {ended_first}: os._exit(0)
signal.pause()
''', Path("/tmp"))
line(p)
while {ended_first} and p.ended() is None: pass
status = p.close()
ready(reader, select.POLLHUP)
print(status, os.read(reader, 1))
""",
        before=POOR,
    )
    assert said.split() == ["0" if ended_first else "-9", "b''"]


def test_nothing_is_adopted(fresh_python: Fresh) -> None:
    said = fresh_python("sys.platform = 'darwin'; print(sandbox.become_subreaper(), sandbox.sweep())", before=POOR)
    assert said.split() == ["False", "0"]


def test_scratch_folders_work(fresh_python: Fresh) -> None:
    said = fresh_python(
        """
with sandbox.scratch_folder(Path.cwd()) as folder:
    (folder / "d").mkdir(); (folder / "d" / "f").touch(); (folder / "d").chmod(0)
print(list(Path.cwd().iterdir()))
""",
        before=POOR,
    )
    assert said.strip() == "[]"
