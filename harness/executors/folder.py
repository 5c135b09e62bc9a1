"""The private folder of one run, for bots' homes and scratch space; what killed runs left behind is removed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.executors.janitor import janitor
from sandbox import PASSABLE, Probe, SandboxError, end_strays, remove_leftovers, remove_tree, start_time

__all__ = ["clear_up", "remove_quietly", "run_folder"]

_NAME = re.compile(r"harness-(?:run|probe|trial)-([0-9]+)-([0-9]+)-.+")
"""The folder of a run, or of what tries the sandbox: the owner's pid and its start time, 0 where that is unknown."""

_LOCK = "owner.lock"
"""The file that the owner holds locked."""


_BACKEND = "backend.json"
"""Says what held the run's programs, for whoever has to clear up after it."""


@contextmanager
def run_folder(backend: Probe, parent: Path | None = None) -> Iterator[Path]:
    """A new folder of mode 0700 under `parent` (the system's temporary folder), removed at the end.

    `backend` holds the run's programs. Should this process be killed, a janitor removes the folder, and with it what
    the programs left elsewhere; should that be killed too, a later run does.

    Its name carries the owner's pid and start time, and a lock file in it is held as long as the owner lives: a later
    run removes a folder only if both say that the owner is dead, since a pid alone means nothing across containers
    that share a temporary folder.
    """
    place = Path(tempfile.gettempdir()) if parent is None else parent
    _remove_leftovers(place)
    pid = os.getpid()
    folder = Path(tempfile.mkdtemp(prefix=f"harness-run-{pid}-{start_time(pid) or 0}-", dir=place))
    with contextlib.ExitStack() as cleanup:
        cleanup.callback(remove_quietly, folder)
        if backend.backend == "landlock" and "own-uid" in backend.layers:
            # Programs have another uid and no root of their own: they have to pass through to what is theirs.
            folder.chmod(PASSABLE)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        cleanup.callback(os.close, lock)
        cleanup.callback(remove_quietly, folder)  # while it is locked
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / _BACKEND).write_text(json.dumps(backend.to_json()), encoding="ascii")
        with janitor(folder):
            try:
                yield folder
            finally:
                remove_quietly(folder)


def clear_up(folder: Path) -> None:
    """Remove the folder of a run that is dead, with all that its programs have left on this machine."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, SandboxError):
        remove_leftovers(Probe.from_json(json.loads((folder / _BACKEND).read_bytes())))
    with contextlib.suppress(SandboxError):  # one that the kernel holds
        end_strays(folder)
    remove_quietly(folder)


def remove_quietly(folder: Path) -> None:
    """Remove a folder and all in it; what can't be removed is left to a later run, since no match depends on it."""
    with contextlib.suppress(SandboxError):
        remove_tree(folder)


def _remove_leftovers(place: Path) -> None:
    with contextlib.suppress(OSError), os.scandir(place) as found:
        for entry in found:
            match = _NAME.fullmatch(entry.name)
            if match is not None and _mine(entry) and not _alive(int(match[1]), int(match[2])):
                _remove_unless_locked(Path(entry.path))


def _mine(entry: os.DirEntry[str]) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _alive(pid: int, started: int) -> bool:
    if started:
        return start_time(pid) == started
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _remove_unless_locked(folder: Path) -> None:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:  # its owner died before it could lock
        clear_up(folder)
        return
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        clear_up(folder)
    except OSError:
        pass
    finally:
        os.close(lock)
