"""Control groups: where they can be had, one for each program, and those that dead owners left."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sandbox import cgroups_v1, cgroups_v2
from sandbox.cgroup import KINDS, Cgroup
from sandbox.cgroup_files import make, subgroups
from sandbox.cgroup_places import Duty, Place, Standing, read_standings
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.procfs import start_time

__all__ = ["Cgroup", "Controller", "Groups", "find_groups", "remove_leftovers", "this_owner"]

Controller = Literal["memory", "processes", "cpu"]
"""What is bounded or counted for a whole group."""

_CONTROLLERS: tuple[Controller, ...] = ("memory", "processes", "cpu")

_OWNER = re.compile(r"tacora-([0-9]+)-([0-9]+)(-trial)?")
"""An owner's group: its process id and its start time."""

_MIB = 1 << 20

_TRIES = 100
"""An owner's group goes with its last program, maybe just as one of its other processes makes the next."""

_AGAIN = {errno.ENOENT, errno.ENODEV, errno.EWOULDBLOCK, errno.EEXIST}
"""How that shows: before a file of it is opened, after that, and in its lock; or a process before had the same id."""

_JOIN = 'for file; do echo 0 >"$file" || exit 1; done'
_JOIN_S = 30

_SETTING, _MISSING = "cgroups", "cgroups-missing"

_numbers = itertools.count(1)


def this_owner() -> str:
    """The name of what this process owns; it tells a later process whether the owner is still alive."""
    pid = os.getpid()
    return f"tacora-{pid}-{start_time(pid) or 0}"


@dataclass(frozen=True, slots=True)
class Groups:
    """The places where groups can be made, found by making one. Strings in `to_settings`, for another process."""

    places: tuple[Place, ...]
    missing: tuple[str, ...]
    """A sentence for each of memory, processes and CPU time that can't be had here."""

    @property
    def controllers(self) -> frozenset[Controller]:
        """What works here."""
        return frozenset(word for word in _CONTROLLERS if any(word in place.duties for place in self.places))

    def to_settings(self) -> dict[str, str]:
        """All of it as strings, to be read by `from_settings`."""
        places = [[place.version, place.folder, place.duties] for place in self.places]
        return {_SETTING: json.dumps(places), _MISSING: json.dumps(self.missing)}

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Groups:
        """From strings that `to_settings` made; others among them do not matter."""
        places = json.loads(settings[_SETTING])
        return cls(
            tuple(Place(version, folder, tuple(duties)) for version, folder, duties in places),
            tuple(json.loads(settings[_MISSING])),
        )

    def create(self, limits: Limits, *, owner: str | None = None) -> Cgroup:
        """A new group for one program, below that of its owner: `this_owner` there, else this process. SandboxError.

        Memory is bounded for what the program holds and what lies in its scratch space together, without swap.
        """
        owner = owner or this_owner()
        memory_bytes = (limits.memory_mb + limits.disk_mb) * _MIB
        for left in reversed(range(_TRIES)):
            name = f"{owner}/{os.getpid()}-{next(_numbers)}"
            try:
                return self._create(name, memory_bytes, limits.processes)
            except OSError as error:
                if not left or error.errno not in _AGAIN:
                    where = f"{error.strerror} ({error.filename})" if error.filename else error.strerror
                    raise SandboxError(f"the control group {name} can't be made: {where}") from error
        raise AssertionError

    def _create(self, name: str, memory_bytes: int, processes: int) -> Cgroup:
        owner = name.partition("/")[0]
        lock = -1
        made: list[str] = []
        try:
            for place in self.places:
                kind, parent, folder = KINDS[place.version], f"{place.folder}/{owner}", f"{place.folder}/{name}"
                make(parent)
                made.append(parent)
                if lock < 0:
                    lock = _hold(parent)
                kind.share(parent, place.duties)
                os.mkdir(folder)  # noqa: PTH102
                made.append(folder)
                kind.limit(folder, place.duties, memory_bytes, processes)
            return Cgroup(self.places, name, memory_bytes=memory_bytes, processes=processes, lock=lock)
        except BaseException:
            for folder in reversed(made):
                with contextlib.suppress(OSError):
                    os.rmdir(folder)  # noqa: PTH106
            if lock >= 0:
                os.close(lock)
            raise


def _hold(parent: str) -> int:
    """A descriptor of an owner's group whose shared lock says that the owner lives; OSError."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def find_groups() -> Groups | str:
    """Where this process can make groups, tried by making, joining and removing one in each place.

    A string is the sentence why there are none, and what to do. In version 2 this process, and the others of its group,
    may be moved to a leaf beside the new groups (see `cgroups_v2`).
    """
    standings = read_standings()
    if not standings:
        return "there are no control groups here: mount them at /sys/fs/cgroup"
    places: list[Place] = []
    failed: dict[Controller, str] = {}
    reasons: list[str] = []
    taken: set[Duty] = set()
    for standing in sorted(standings, key=lambda each: each.version):
        offers = _offers(standing)
        if not set(offers) - taken:
            continue
        try:
            place = _settle(standing, taken)
            if place is not None:
                _try(place)
                places.append(place)
                taken.update(place.duties)
        except (OSError, SandboxError, subprocess.SubprocessError) as error:
            reason = _reason(standing.folder, error)
            reasons.append(reason)
            failed |= {word: reason for word in _CONTROLLERS if word in offers}
    if not any(word in taken for word in _CONTROLLERS):
        return (
            reasons[0] if reasons else "this machine's control groups have no controllers for memory, pids and cpuacct"
        )
    missing = tuple(f"{_WHAT[word]}: {failed.get(word, _NO_CONTROLLER)}" for word in _CONTROLLERS if word not in taken)
    return Groups(tuple(places), (*missing, *_swap(places)))


_WHAT: dict[Controller, str] = {
    "memory": "memory is not bounded for all processes of a program together",
    "processes": "processes are not bounded for each program on its own",
    "cpu": "CPU time is not counted by the kernel for all processes of a program together",
}

_NO_CONTROLLER = "the control groups of this process have no controller for it; start it in a unit with Delegate=yes"


def _offers(standing: Standing) -> tuple[Duty, ...]:
    return cgroups_v1.duties_of(standing) if standing.version == 1 else ("kill", *_CONTROLLERS)


def _settle(standing: Standing, taken: Iterable[Duty]) -> Place | None:
    """The place with what it can do that is not taken yet, None if that is nothing."""
    if standing.version == 1:
        place = Place(1, standing.folder, cgroups_v1.duties_of(standing))
    else:
        place = cgroups_v2.settle_at(standing, f"{this_owner()}-trial")
    duties = tuple(duty for duty in place.duties if duty not in taken)
    return Place(place.version, place.folder, duties) if duties else None


def _try(place: Place) -> None:
    """Make, join and remove a group there; OSError, SandboxError, SubprocessError."""
    group = Groups((place,), ()).create(Limits(memory_mb=64, processes=16, disk_mb=0), owner=this_owner())
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", _JOIN, "sh", *group.join],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_JOIN_S,
            env={},
            check=False,
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise SandboxError(f"a program can't join a control group below {place.folder}: {''.join(said[-1:])}")
        if "cpu" in place.duties and not group.cpu_us():
            raise SandboxError(f"CPU time is not counted in {place.folder}")
    finally:
        group.remove()


def _reason(folder: str, error: Exception) -> str:
    if not isinstance(error, OSError):
        cause = error.__cause__
        if not isinstance(cause, OSError) or cause.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            return str(error)
        error = cause
    if error.errno == errno.EROFS:
        return f"control groups can't be made in {folder}, which is read-only: start the container with them writable"
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"control groups can't be made in {folder} by this user: run as root, or in a unit of its own with "
            "Delegate=yes (systemd-run --user --scope --property=Delegate=yes …)"
        )
    return f"control groups can't be made in {folder}: {error.strerror}"


def _swap(places: Iterable[Place]) -> tuple[str, ...]:
    """A sentence if there is swap that groups can't be kept from."""
    for place in places:
        if "memory" in place.duties and place.version == 1:
            with contextlib.suppress(OSError):
                swaps = Path("/proc/swaps").read_text().splitlines()[1:]
                if swaps and not Path(f"{place.folder}/memory.memsw.limit_in_bytes").exists():
                    return ("swap is not bounded: boot the kernel with swapaccount=1, or without swap",)
    return ()


def remove_leftovers(groups: Groups) -> int:
    """Kill and remove what dead owners left in the same places; how many programs' groups there were.

    What is in use after all, as by another user or from a container that numbers processes otherwise, is left alone.
    """
    owners = {
        name
        for place in groups.places
        for name in subgroups(place.folder)
        if (match := _OWNER.fullmatch(name)) and start_time(int(match[1])) != int(match[2])
    }
    return sum(_remove_owner(groups.places, owner) for owner in sorted(owners))


def _remove_owner(places: Iterable[Place], owner: str) -> int:
    here = [place for place in places if Path(place.folder, owner).is_dir()]
    removed = 0
    with contextlib.ExitStack() as locks:
        try:
            for place in here:
                descriptor = os.open(f"{place.folder}/{owner}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                locks.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return 0
        names = {name for place in here for name in subgroups(f"{place.folder}/{owner}")}
        for name in sorted(names):
            held = [place for place in here if Path(place.folder, owner, name).is_dir()]
            with contextlib.suppress(OSError, SandboxError):
                Cgroup(held, f"{owner}/{name}").remove()
                removed += 1
        for place in here:
            with contextlib.suppress(OSError):
                Path(place.folder, owner).rmdir()
    return removed
