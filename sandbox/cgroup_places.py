"""Where this process stands in the kernel's hierarchies of control groups, as paths; groups of its own go below."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Duty", "Place", "Standing", "read_standings", "standings"]

Duty = Literal["memory", "processes", "cpu", "kill"]
"""What a hierarchy can do for a program's group: bound memory, bound processes, count CPU time, kill it as one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The folder of this process' own group in one hierarchy; controllers are the kernel's words, empty for v2."""

    version: Literal[1, 2]
    folder: str
    controllers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A folder below which groups can be made, and what they are used for there."""

    version: Literal[1, 2]
    folder: str
    duties: tuple[Duty, ...]


def read_standings() -> tuple[Standing, ...]:
    """Those of this process; none where the system has no control groups."""
    try:
        groups, mounts = Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
    except OSError:
        return ()
    return tuple(each for each in standings(groups, mounts) if Path(each.folder).is_dir())


def standings(groups: str, mounts: str) -> tuple[Standing, ...]:
    """From the text of /proc/PID/cgroup and /proc/PID/mountinfo (man 7 cgroups, man 5 proc), in the order of mounts.

    A hierarchy is left out that is not mounted, or of which only a part is mounted that this process is not in.
    """
    paths: dict[frozenset[str], str] = {}
    for line in groups.splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        paths[frozenset(controllers.split(",")) if controllers else frozenset()] = path
    found: dict[frozenset[str], Standing] = {}
    for line in mounts.splitlines():
        head, _, tail = line.partition(" - ")
        fields, kind = head.split(), tail.split()
        if len(fields) < 5 or len(kind) < 3 or kind[0] not in ("cgroup", "cgroup2"):
            continue
        # The mount's own options stand among the controllers.
        options = frozenset(kind[2].split(","))
        key = next((each for each in paths if each and each <= options), None) if kind[0] == "cgroup" else frozenset()
        if key is None or key in found or key not in paths:
            continue
        folder = _below(_unescaped(fields[3]), _unescaped(fields[4]), paths[key])
        if folder is not None:
            found[key] = Standing(1 if key else 2, folder, key)
    return tuple(found.values())


def _below(root: str, mounted: str, path: str) -> str | None:
    """A group's path in its hierarchy as a path in the file system, where `root` of it is mounted at `mounted`."""
    root = root.rstrip("/")
    # Seen from a cgroup namespace, what lies outside of it begins with /.. in both.
    if ".." in path.split("/") or (path != root and not path.startswith(root + "/")):
        return None
    return (mounted + path[len(root) :]).rstrip("/") or "/"


def _unescaped(field: str) -> str:
    """A path in mountinfo has spaces and the like as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)
