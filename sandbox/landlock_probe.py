"""Tries out what the landlock backend can enforce on this machine.

Run as `python -m sandbox.landlock_probe` it is a throwaway process that takes the candidate, a `Probe`, on stdin and
writes to stdout what held of it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from sandbox import seccomp
from sandbox.cgroups import Groups, find_groups
from sandbox.errors import SandboxError
from sandbox.jail_root import interpreter_prefix
from sandbox.limits import Limits
from sandbox.orphans import become_subreaper
from sandbox.probe import Probe, backend
from sandbox.process import Process
from sandbox.scratch import scratch_folder
from sandbox.tiers import tier_of

__all__ = ["probe_landlock"]

_LIMITS: Final = Limits(memory_mb=24, processes=16, disk_mb=1, files=32, open_files=48)
"""Small, so that to go beyond them costs nothing."""

_SECONDS: Final = 20.0

_TRIALS: Final = """\
while read -r key value more; do
    case "$key $value" in
    "NoNewPrivs: 1") echo no-new-privs ;;
    "Seccomp: 2") echo filter ;;
    "CapPrm: 0000000000000000") echo permitted ;;
    "CapEff: 0000000000000000") echo effective ;;
    "CapAmb: 0000000000000000") echo ambient ;;
    "Uid: $1") ;;
    "Uid: "*) echo uid ;;
    esac
done </proc/self/status
unshare --user true 2>/dev/null || echo no-unshare
[ "$(ulimit -n)" = 48 ] && [ "$(ulimit -c)" = 0 ] && echo rlimits
cd "$TMPDIR" && echo >written && echo runs
for half in 1 2; do head -c 700000 /dev/zero 2>/dev/null >large-$half || echo size; done
rm -f large-*
i=0
while [ $i -lt 40 ] && echo >$i; do i=$((i + 1)); done 2>/dev/null
[ $i -lt 40 ] && echo files
rm -f *
head -c 200000000 /dev/zero | tail >/dev/null 2>&1 || echo memory
(i=0; while [ $i -lt 40 ]; do sleep 10 & i=$((i + 1)); done) >/dev/null 2>&1 || echo processes
"""
"""Says what held against it. The argument is the user who starts it."""

_TRIED: Final = {
    "landlock-files": ("read", "write", "truncate", "runs"),
    "landlock-network": ("connect", "bind"),
    "landlock-scopes": ("abstract", "signal"),
    "seccomp": ("filter", "no-unshare"),
    "no-new-privileges": ("no-new-privs",),
    "capabilities-dropped": ("permitted", "effective", "ambient", "no-new-privs"),
    "own-uid": ("uid",),
    "rlimits": ("rlimits",),
    "scratch-size": ("size",),
    "scratch-files": ("files",),
    "group-memory": ("memory",),
    "group-processes": ("processes",),
}
"""The words by which a layer is known to hold."""

_WISHED: Final = ("own-uid", "seccomp", "scratch-size", "scratch-files", "group-memory", "group-processes", "group-cpu")
"""What may be left out; the rest is always set."""

_WITHOUT: Final = {
    "own-uid": "programs have no users of their own",
    "scratch-files": "the scratch folder is not limited",
    "scratch-size": "the scratch folder is not limited",
}
"""How it is told that what could be left out is left out."""

_MISSING: Final = {
    "landlock-files": "Landlock does not guard all files: truncation needs a kernel 6.2 or later",
    "landlock-network": "Landlock does not guard TCP: that needs a kernel 6.7 or later",
    "landlock-scopes": "Landlock does not keep programs from signalling others: that needs a kernel 6.12 or later",
}


def probe_landlock() -> Probe:
    """What the landlock backend holds here."""
    if (reason := _unavailable()) is not None:
        return _unusable(reason)
    missing: dict[str, str] = {}
    settings: dict[str, str] = {}
    layers = set(_WISHED)
    groups = find_groups()
    if isinstance(groups, Groups):
        settings |= groups.to_settings()
        short = {f"group-{word}" for word in ("memory", "processes", "cpu") if word not in groups.controllers}
        missing |= dict.fromkeys(sorted(short), "; ".join(groups.missing))
    else:
        missing |= dict.fromkeys(("group-cpu", "group-memory", "group-processes"), groups)
    if (reason := seccomp.unavailable()) is not None:
        missing["seccomp"] = reason
    if (reason := _no_own_user()) is not None:
        missing["own-uid"] = reason
    layers -= missing.keys()
    scratch = {"scratch-size", "scratch-files"}
    tried: set[frozenset[str]] = set()
    failures: list[str] = []
    for without in (set[str](), scratch, {"own-uid"}, {"own-uid", *scratch}):
        wanted = frozenset(layers - without)
        if wanted in tried:
            continue
        tried.add(wanted)
        candidate = Probe("landlock", "confined", tuple(sorted(wanted)), "cpu", (), settings)
        held = _tried(candidate)
        if "layers" in held:
            told = {layer: f"{_WITHOUT[layer]}: {failures[-1]}" for layer in sorted(without - missing.keys())} | missing
            return _found(candidate, set(held["layers"]), told)
        failures.append(held["failure"])
    return _unusable(failures[-1])


def _found(candidate: Probe, held: set[str], missing: dict[str, str]) -> Probe:
    """The candidate with what holds of it."""
    found = tuple(sorted(held))
    for layer in (*_TRIED, *_WISHED):
        missing.setdefault(layer, _MISSING.get(layer, f"{layer} was set and does not hold when tried"))
    reasons = (missing[layer] for layer in missing if layer not in held and missing[layer])
    sentences = (
        "there are no namespaces: a program sees that the machine's files and processes are there, without reaching "
        "them",
        *dict.fromkeys(reasons),
    )
    return replace(candidate, tier=tier_of(found), layers=found, missing=sentences)


def _unavailable() -> str | None:
    """Why there is no Landlock here and what to do about it."""
    try:
        from py_landlock import LandlockError, get_abi_version
    except ImportError:
        return "the package py-landlock is missing: pip install py-landlock"
    try:
        get_abi_version()
    except LandlockError:
        return "this kernel has no Landlock: use one of 5.13 or later, with landlock among its security modules (lsm=)"
    return None


def _no_own_user() -> str | None:
    """Why programs can't have users of their own; None if it can be tried."""
    if os.geteuid() != 0:
        return "programs run under this user's id: only root can give each one of its own"
    from sandbox.landlock_rules import unreachable

    prefix = interpreter_prefix()
    shut = None if prefix is None else unreachable(Path(prefix))
    if shut is not None:
        return f"programs run as root: the Python that they need can't be reached by other users; chmod o+x {shut}"
    return None


def _unusable(reason: str) -> Probe:
    return Probe("landlock", "", (), "cpu", (reason,))


def _tried(candidate: Probe) -> dict[str, Any]:
    """What a throwaway process says of it: its layers; or a failure."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "sandbox.landlock_probe"],
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
    become_subreaper()  # what is left of the trials is for us to reap
    try:
        within.enter()
        with tempfile.TemporaryDirectory(prefix="harness-probe-") as name:
            place = Path(name)
            place.chmod(0o711)
            folder = place / "program"
            folder.mkdir(mode=0o755)
            with scratch_folder(place, _LIMITS) as scratch:
                process = within.start(
                    ["sh", "-c", _TRIALS, "sh", str(os.getuid())], folder=folder, scratch=scratch, limits=_LIMITS
                )
                try:
                    said = _everything(process)
                    process.cpu_us(fresh=True)
                    if not said:
                        process.ended()
                finally:
                    process.close()
                said |= _by_landlock_alone(place, folder, scratch)
    except SandboxError as error:
        return {"failure": str(error)}
    held = {layer for layer, words in _TRIED.items() if said.issuperset(words)}
    held -= set(_WISHED) - set(candidate.layers)
    held |= {"group-cpu"} & set(candidate.layers)
    return {"layers": sorted(held), "said": sorted(said), "errors": process.errors.text()}


def _everything(process: Process) -> set[str]:
    """The words that the program says until it ends."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    process.close_stdin()
    said = b""
    while poll.poll(_SECONDS * 1000):
        chunk = process.read()
        if chunk == b"":
            break
        said += chunk or b""
    return set(said.decode("ascii", "replace").split())


def _by_landlock_alone(place: Path, folder: Path, scratch: Path) -> set[str]:
    """The words for what Landlock refuses without the filter's help and without another user's rights."""
    from sandbox.landlock_launcher import confine
    from sandbox.landlock_rules import ruleset

    canary = place / "canary"
    canary.write_text("sings")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("")
        abstract.listen()
        attempts = list(_attempts(canary, tcp.getsockname(), abstract.getsockname()))
        orders = dict.fromkeys(("join", "limits", "uid"), "")
        orders |= {"oom": "1000", "filter": "-1", "parent": str(os.getpid())}
        orders["ruleset"] = str(ruleset(folder, scratch, writable=False))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                confine(orders)
                os.write(writer, " ".join(word for word, attempt in attempts if _refused(attempt)).encode())
            finally:
                os._exit(0)
        os.close(int(orders["ruleset"]))
        os.close(writer)
        with open(reader) as file:  # noqa: PTH123 - a descriptor
            said = file.read()
        os.waitpid(child, 0)
    return set(said.split())


def _attempts(canary: Path, tcp: Any, abstract: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    us = os.getpid()
    yield "read", lambda: os.open(canary, os.O_RDONLY)
    yield "write", lambda: os.open(canary, os.O_WRONLY)
    yield "truncate", lambda: os.truncate(canary, 0)
    yield "connect", lambda: socket.socket().connect(tcp)
    yield "bind", lambda: socket.socket().bind(("127.0.0.1", 0))
    yield "abstract", lambda: socket.socket(socket.AF_UNIX).connect(abstract)
    yield "signal", lambda: os.kill(us, signal.SIGCONT)


def _refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


if __name__ == "__main__":
    print(json.dumps(_try(Probe.from_json(json.load(sys.stdin)))))  # noqa: T201
