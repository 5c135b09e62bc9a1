"""Tries out a backend: each layer is tried by a program that runs where it should hold.

Run as `python -m sandbox.probing FOLDER` it is a throwaway process that takes the candidate, a `Probe`, on stdin and
writes to stdout what held of it: to prepare a process for running programs can't be undone.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sandbox.errors import SandboxError
from sandbox.leftovers import end_strays, remove_leftovers
from sandbox.limits import Limits
from sandbox.orphans import become_subreaper
from sandbox.probe import Probe, backend
from sandbox.process import Process
from sandbox.procfs import start_time
from sandbox.scratch import PASSABLE, remove_tree, scratch_folder

__all__ = ["TRIED", "tried"]

_LIMITS: Final = Limits(memory_mb=24, processes=16, disk_mb=1, files=32, open_files=48)
"""Small, so that to go beyond them costs nothing."""

_SECONDS: Final = 20.0

_NAMESPACES: Final = ("user", "pid", "net", "ipc", "uts", "cgroup")

_TRIALS: Final = """\
user=$1; shift
for name in user pid net ipc uts cgroup; do
    case $(readlink /proc/self/ns/$name) in "$1" | "$2" | "$3" | "$4" | "$5" | "$6") ;; ?*) echo "$name" ;; esac
done
if [ "$(pwd)" = /bot ]; then
    touch /usr/x 2>/dev/null || touch /etc/x 2>/dev/null || touch /x 2>/dev/null || touch /dev/x 2>/dev/null ||
        touch /bot/x 2>/dev/null || echo root
fi
while read -r key value more; do
    case "$key $value" in
    "NoNewPrivs: 1") echo no-new-privs ;;
    "Seccomp: 2") echo filter ;;
    "CapPrm: 0000000000000000") echo permitted ;;
    "CapEff: 0000000000000000") echo effective ;;
    "CapAmb: 0000000000000000") echo ambient ;;
    "Uid: $user") ;;
    "Uid: "*) echo uid ;;
    esac
done </proc/self/status
unshare --user true 2>/dev/null || echo no-unshare
[ "$(ulimit -n)" = 48 ] && [ "$(ulimit -c)" = 0 ] && echo rlimits
cd "$TMPDIR" || exit 1
echo >written && echo runs
for half in 1 2; do head -c 700000 /dev/zero 2>/dev/null >large-$half || echo size; done
rm -f large-*
i=0
while [ $i -lt 40 ] && echo >$i; do i=$((i + 1)); done 2>/dev/null
[ $i -lt 40 ] && echo files
rm -f *
head -c 200000000 /dev/zero | tail >/dev/null 2>&1 || echo memory
(i=0; while [ $i -lt 40 ]; do sleep 10 & i=$((i + 1)); done) >/dev/null 2>&1 || echo processes
"""
"""Says which layers held against it. The arguments are the user and the namespaces of who starts it."""

TRIED: Final[Mapping[str, tuple[str, ...]]] = {
    "user-namespace": ("user",),
    "pid-namespace": ("pid",),
    "network-namespace": ("net",),
    "ipc-namespace": ("ipc",),
    "uts-namespace": ("uts",),
    "cgroup-namespace": ("cgroup",),
    "read-only-root": ("root",),
    "seccomp": ("filter", "no-unshare"),
    "no-new-privileges": ("no-new-privs",),
    "capabilities-dropped": ("permitted", "effective"),
    "rlimits": ("rlimits",),
    "scratch-size": ("size",),
    "scratch-files": ("files",),
    "group-memory": ("memory",),
    "group-processes": ("processes",),
}
"""The words by which a layer is known to hold in a jail or container."""

_UNTRIED: Final = frozenset({"own-uid", "group-cpu"})
"""What is taken to hold where no word tells; CPU time is looked at besides."""

_CHOSEN: Final = _UNTRIED | {"group-memory", "group-processes", "scratch-files", "scratch-size", "seccomp"}
"""What holds only if the candidate has it: its words can come of another limit too, or of what holds this process."""


def tried(candidate: Probe) -> dict[str, Any]:
    """What a throwaway process says of it: its layers, and reasons for those that do not hold; or a failure.

    What seems not to hold is tried again: on a crowded machine a trial may come to nothing.
    """
    answer = _tried_once(candidate)
    if set(candidate.layers) <= set(answer.get("layers", ())):
        return answer
    again = _tried_once(candidate)
    return again if len(again.get("layers", ())) >= len(answer.get("layers", ())) else answer


def _tried_once(candidate: Probe) -> dict[str, Any]:
    pid = os.getpid()
    try:
        # The name is one by which a later run finds what a killed process left.
        place = Path(tempfile.mkdtemp(prefix=f"harness-probe-{pid}-{start_time(pid) or 0}-"))
        try:
            return _answer(candidate, place)
        finally:
            with contextlib.suppress(SandboxError):
                remove_tree(place)
    except (OSError, SandboxError) as error:
        return {"failure": f"it could not be tried ({error})"}


def _answer(candidate: Probe, place: Path) -> dict[str, Any]:
    """OSError, SandboxError."""
    said, errors = place / "stdout", place / "stderr"
    ended = False
    # To files: whoever else holds a pipe's end could keep us waiting for the end of it.
    (place / "stdin").write_text(json.dumps(candidate.to_json()), encoding="ascii")
    with (place / "stdin").open("rb") as stdin, said.open("wb") as stdout, errors.open("wb") as stderr:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "sandbox.probing", str(place)],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    try:
        ended = _ends(child.pid)
    finally:
        if not ended:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            if not _ends(child.pid):
                raise SandboxError(f"process {child.pid} was killed and does not end; the kernel holds it")
        child.wait()
        if child.returncode:
            _clear_up(candidate, place)
    if not ended:
        return {"failure": f"it could not be tried (no answer within {_SECONDS:.0f} s)"}
    try:
        answer: dict[str, Any] = json.loads(said.read_bytes())
    except ValueError:
        last = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        reason = last[0].strip() if last else f"it ended with status {child.returncode} and no word"
        return {"failure": f"it could not be tried ({reason})"}
    return answer


def _ends(pid: int) -> bool:
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(_SECONDS * 1000))
    finally:
        os.close(handle)


def _clear_up(candidate: Probe, place: Path) -> None:
    """Put away what the programs of a process that died have left; what can't be is left to a later run."""
    with contextlib.suppress(OSError, SandboxError):
        remove_leftovers(candidate)
    with contextlib.suppress(OSError, SandboxError):
        end_strays(place)


def _try(candidate: Probe, place: Path) -> dict[str, Any]:
    """To be called in a process that ends with it."""
    words, more = TRIED, _nothing_more
    if candidate.backend == "landlock":
        from sandbox import landlock_trials

        words, more = landlock_trials.TRIED, landlock_trials.refused
        place.chmod(PASSABLE)
    within = backend(candidate)
    become_subreaper()  # what is left of the trials is for us to reap
    folder = place / "program"
    folder.mkdir(mode=0o755)
    try:
        within.enter()
        with scratch_folder(place, _LIMITS) as scratch:
            ours = [str(Path(f"/proc/self/ns/{name}").readlink()) for name in _NAMESPACES]
            command = ["sh", "-c", _TRIALS, "sh", str(os.getuid()), *ours]
            process = within.start(command, folder=folder, scratch=scratch, limits=_LIMITS)
            try:
                said = _everything(process)
                cpu_us = process.cpu_us(fresh=True)
            finally:
                process.close()
            said |= more(place, folder, scratch)
    except SandboxError as error:
        return {"failure": str(error)}
    wished = set(candidate.layers)
    held = {layer for layer, needed in words.items() if said.issuperset(needed)}
    held |= wished & (_UNTRIED - words.keys())
    held -= _CHOSEN - wished
    missing = {} if cpu_us > 0 else {"group-cpu": "the CPU time of a group is not told"}
    held -= missing.keys()
    missing |= {layer: f"{layer} was set and does not hold when tried" for layer in words if layer not in held}
    return {"layers": sorted(held), "missing": missing, "said": sorted(said), "errors": process.errors.text()}


def _nothing_more(place: Path, folder: Path, scratch: Path) -> set[str]:  # noqa: ARG001
    return set()


def _everything(process: Process) -> set[str]:
    """The words that the program says until it ends. SandboxError if it was not reached."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    process.close_stdin()
    said = b""
    while poll.poll(_SECONDS * 1000):
        chunk = process.read()
        if chunk == b"":
            break
        said += chunk or b""
    if not said and process.exit_fd >= 0:
        poll.unregister(process.stdout)
        poll.register(process.exit_fd, select.POLLIN)
        poll.poll(_SECONDS * 1000)
        process.ended()  # says why the program was not reached
    return set(said.decode("ascii", "replace").split())


if __name__ == "__main__":
    print(json.dumps(_try(Probe.from_json(json.load(sys.stdin)), Path(sys.argv[1]))))  # noqa: T201
