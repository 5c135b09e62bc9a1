"""Orphans come to a subreaper, and a sweep takes them and nobody else."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="subreapers are Linux's")

Fresh = Callable[[str], str]

# A daemon that nothing ties to its program any more: two forks, a session of its own, another environment.
DAEMON = r"""
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        code = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", code], {})
    os._exit(0)
os.wait()
signal.pause()
"""


def test_without_a_subreaper_a_sweep_does_nothing(fresh_python: Fresh) -> None:
    said = fresh_python("""
other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)
print(sandbox.sweep(), other.poll()); other.communicate()
""")
    assert said.split() == ["0", "None"]


def test_a_sweep_takes_a_stranger_and_spares_the_living(fresh_python: Fresh) -> None:
    said = fresh_python(f"""
assert sandbox.become_subreaper()
host = start({DAEMON!r}, Path("/tmp")); daemon = int(line(host))
calm = start("print(1, flush=True); print(input(), flush=True)", Path("/tmp")); line(calm)
same = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
worker = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
swept = sandbox.sweep(spare=[worker.pid])
calm.write(b"well\\n")
print(swept, alive(daemon), line(calm), same.communicate(b"a")[0], worker.communicate(b"b")[0], same.returncode,
      worker.returncode, host.ended(), host.close(), calm.close(), sandbox.sweep(), children())
""")
    assert said.split() == ["1", "False", "well", "b'a'", "b'b'", "0", "0", "None", "-9", said.split()[9], "0", "[]"]


def test_an_orphan_of_a_living_program_is_left_to_it(fresh_python: Fresh) -> None:
    said = fresh_python("""
sandbox.become_subreaper()
p = start('''
import os, signal
if os.fork() == 0:
    if os.fork() == 0: print(os.getpid(), flush=True); signal.pause()
    os._exit(0)
os.wait(); signal.pause()
''', Path("/tmp"))
orphan = int(line(p))
print(sandbox.sweep(), alive(orphan)); p.close(); print(alive(orphan), children())
""")
    assert said.split() == ["0", "True", "False", "[]"]


def test_orphans_of_an_ended_worker_are_swept(fresh_python: Fresh) -> None:
    # What a worker leaves that is killed: its programs, in sessions that this process never heard of.
    said = fresh_python("""
sandbox.become_subreaper()
worker = subprocess.Popen([sys.executable, "-c", '''
import sandbox, signal
from pathlib import Path
b = sandbox.backend("bare")
ps = [b.start(["sh", "-c", "echo $$; read x"], folder=Path("/"), scratch=Path("/tmp"), limits=sandbox.Limits(1, 1, 1))
      for _ in range(3)]
print(*[p.pid for p in ps], flush=True); signal.pause()
'''], stdout=subprocess.PIPE, start_new_session=True)
pids = [int(word) for word in worker.stdout.readline().split()]
print(*[alive(pid) for pid in pids]); worker.kill(); worker.communicate()
sandbox.sweep(); print(*[alive(pid) for pid in pids], children())
""")
    assert said.split() == ["True"] * 3 + ["False"] * 3 + ["[]"]


def test_a_fork_of_a_subreaper_is_none(fresh_python: Fresh) -> None:
    said = fresh_python("""
sandbox.become_subreaper()
if os.fork() == 0:
    other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)
    print(sandbox.sweep(), other.poll(), flush=True); other.communicate(); os._exit(0)
os.wait()
""")
    assert said.split() == ["0", "None"]
