"""Tries out a backend: each layer is tried by a program that runs where it should hold.

Run as `python -m sandbox.probing` it is a throwaway process that takes the candidate, a `Probe`, on stdin and writes to
stdout what held of it: to prepare a process for running programs can't be undone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.probe import Probe, backend
from sandbox.scratch import scratch_folder

__all__ = ["TRIED", "tried"]

_LIMITS: Final = Limits(memory_mb=24, processes=16, disk_mb=1, files=32, open_files=48)
"""Small, so that to go beyond them costs nothing."""

_SECONDS = 20.0

_NAMESPACES = ("user", "pid", "net", "ipc", "uts", "cgroup")

_TRIALS = """\
for name in user pid net ipc uts cgroup; do
    case $(readlink /proc/self/ns/$name) in "$1" | "$2" | "$3" | "$4" | "$5" | "$6") ;; ?*) echo "$name" ;; esac
done
touch /usr/x 2>/dev/null || touch /etc/x 2>/dev/null || touch /x 2>/dev/null || touch /dev/x 2>/dev/null ||
    touch /bot/x 2>/dev/null || echo root
while read -r key value; do
    case "$key $value" in
    "NoNewPrivs: 1") echo no-new-privs ;;
    "Seccomp: 2") echo filter ;;
    "CapPrm: 0000000000000000") echo permitted ;;
    "CapEff: 0000000000000000") echo effective ;;
    esac
done </proc/self/status
unshare --user true 2>/dev/null || echo no-unshare
[ "$(ulimit -n)" = 48 ] && [ "$(ulimit -c)" = 0 ] && echo rlimits
head -c 2000000 /dev/zero 2>/dev/null >/tmp/large || echo size
rm -f /tmp/large
i=0
while [ $i -lt 40 ] && echo >/tmp/$i; do i=$((i + 1)); done 2>/dev/null
[ $i -lt 40 ] && echo files
rm -f /tmp/*
head -c 200000000 /dev/zero | tail >/dev/null 2>&1 || echo memory
(i=0; while [ $i -lt 40 ]; do sleep 10 & i=$((i + 1)); done) >/dev/null 2>&1 || echo processes
"""
"""Says which layers held against it. The arguments are the namespaces of who starts it."""

TRIED: Final = {
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
"""The words by which a layer is known to hold."""


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
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "sandbox.probing"],
            input=json.dumps(candidate.to_json()),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return {"failure": f"it could not be tried ({error})"}
    return answer


def _try(candidate: Probe) -> dict[str, Any]:
    """To be called in a process that ends with it."""
    within = backend(candidate)
    try:
        within.enter()
        with (
            tempfile.TemporaryDirectory(prefix="harness-probe-") as place,
            scratch_folder(Path(place), _LIMITS) as scratch,
        ):
            folder = Path(place, "program")
            folder.mkdir()
            ours = [str(Path(f"/proc/self/ns/{name}").readlink()) for name in _NAMESPACES]
            process = within.start(["sh", "-c", _TRIALS, "sh", *ours], folder=folder, scratch=scratch, limits=_LIMITS)
            try:
                said = _everything(process)
                cpu_us = process.cpu_us(fresh=True)
            finally:
                process.close()
    except SandboxError as error:
        return {"failure": str(error)}
    held = {layer for layer, words in TRIED.items() if said.issuperset(words)}
    held |= {layer for layer in ("own-uid", "group-cpu") if layer in candidate.layers}
    held -= {layer for layer in ("group-memory", "group-processes") if layer not in candidate.layers}
    missing = {} if cpu_us > 0 else {"group-cpu": "the CPU time of a group is not told"}
    held -= missing.keys()
    missing |= {layer: f"{layer} was set and does not hold when tried" for layer in TRIED if layer not in held}
    return {"layers": sorted(held), "missing": missing, "said": process.errors.text()}


def _everything(process: Any) -> set[str]:
    """The words that the program says until it ends."""
    import select

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
    print(json.dumps(_try(Probe.from_json(json.load(sys.stdin)))))  # noqa: T201
