"""What a run has on this machine now, told from that of any other run: to be asked while it goes on and afterwards."""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from tests.soak.kill_at_write import children

__all__ = ["await_ends", "descendants", "groups_of", "left_objects", "mounts_below", "rounds", "watch"]

_OWNER = re.compile(r"tacora-([0-9]+)-[0-9]+.*")
_STEP_MS = 5


def descendants(pid: int) -> list[int]:
    """All processes below one, as far as they are there when they are looked for."""
    found = []
    stack = [pid]
    while stack:
        with suppress(OSError):
            below = children(stack.pop())
            found += below
            stack += below
    return found


def rounds(seconds: float) -> Iterator[None]:
    """Yield again and again, some milliseconds apart, until the time is over: for what no descriptor tells of."""
    end = time.monotonic() + seconds
    yield
    while time.monotonic() < end:
        select.poll().poll(_STEP_MS)
        yield


def watch(pids: Collection[int]) -> dict[int, int]:
    """Descriptors that tell of the ends of processes, with their ids."""
    found = {}
    for pid in pids:
        with suppress(OSError):
            found[os.pidfd_open(pid)] = pid
    return found


def await_ends(watched: dict[int, int], seconds: float) -> list[int]:
    """Wait for the ends of all; those that have not ended by then. Closes the descriptors."""
    left = dict(watched)
    poll = select.poll()
    for descriptor in left:
        poll.register(descriptor, select.POLLIN)
    end = time.monotonic() + seconds
    while left and (ms := (end - time.monotonic()) * 1000) > 0:
        for descriptor, _ in poll.poll(ms):
            poll.unregister(descriptor)
            left.pop(descriptor, None)
    for descriptor in watched:
        os.close(descriptor)
    return list(left.values())


def groups_of(owners: Collection[int]) -> list[str]:
    """Control groups of these processes and of their programs, in all hierarchies that are mounted."""
    found = []
    for place in _hierarchies():
        for path, folders, _ in os.walk(place):
            match = _OWNER.fullmatch(Path(path).name)
            if match and int(match[1]) in owners:
                found += [path, *(f"{path}/{name}" for name in folders)]
    return found


def _hierarchies() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line.split()[4] for line in lines if line.partition(" - ")[2].startswith("cgroup")]


def mounts_below(folder: Path, pids: Collection[int]) -> list[str]:
    """What is mounted below a folder as these processes see it; each mount namespace is looked at once."""
    seen: dict[str, str] = {}
    for pid in pids:
        with suppress(OSError):
            seen[os.readlink(f"/proc/{pid}/ns/mnt")] = Path(f"/proc/{pid}/mountinfo").read_text()  # noqa: PTH115
    return [line for text in seen.values() for line in text.splitlines() if f" {folder}/" in line]


def left_objects(mark: str) -> list[str]:
    """Objects in memory that are made under a name or key that comes of the mark, a number in base 16."""
    found = [f"/dev/shm/{name}" for name in os.listdir("/dev/shm") if mark in name]  # noqa: PTH208
    for kind in ("shm", "msg", "sem"):
        lines = Path("/proc/sysvipc", kind).read_text().splitlines()[1:]
        found += [f"{kind} {line.split()[1]}" for line in lines if int(line.split()[0]) == int(mark, 16)]
    return found
