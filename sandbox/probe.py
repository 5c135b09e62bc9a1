"""What this machine can enforce, found out by trying it, and the backends that do it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from sandbox.bare import Bare
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.process import Process
from sandbox.procfs import own_number
from sandbox.tiers import TIERS

__all__ = ["BACKENDS", "BARE", "Backend", "Probe", "backend", "probe", "unusable"]


class Backend(Protocol):
    """A way to run programs."""

    @property
    def name(self) -> str:
        """The word that chooses it."""

    @property
    def tier(self) -> str:
        """What it promises: one of `TIERS`."""

    @property
    def layers(self) -> tuple[str, ...]:
        """What enforces that, here."""

    @property
    def clock(self) -> Literal["cpu", "wall"]:
        """What `Process.cpu_us` counts."""

    def enter(self) -> None:
        """Prepare this process, which does nothing but run programs; SandboxError if what held does not any more."""

    def start(
        self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits, writable: bool = False
    ) -> Process:
        """Run `command` in `folder`, its own to write in if `writable`, with HOME and TMPDIR in `scratch`.

        StartFailed: the program's fault; SandboxError: the machine's, or the sandbox's.
        """


@dataclass(frozen=True, slots=True)
class Probe:
    """What a backend holds on this machine; made in one process, it opens the backend in any other.

    `tier` is "" where the backend can't be used at all. `missing` says in a sentence each what does not hold, and what
    to do about it. `settings` are the backend's own.
    """

    backend: str
    tier: str
    layers: tuple[str, ...]
    clock: Literal["cpu", "wall"]
    missing: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def works(self) -> bool:
        """Whether programs can be run so at all."""
        return bool(self.tier)

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; `from_json` reads it back."""
        return asdict(self) | {"settings": dict(self.settings)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Probe:
        """The probe that `to_json` wrote."""
        lists = {name: tuple(data[name]) for name in ("layers", "missing")}
        return cls(**{**data, **lists})


def _bare() -> Probe:
    missing = ["memory, processes, disk, network and files are not limited: bare runs a program as this user"]
    if Bare.clock == "wall":
        missing.append("CPU time is not known: this system has no clock for the CPU time of another process")
        missing.append("a program's daemons can escape: this system does not tell a process' descendants")
    return Probe(Bare.name, Bare.tier, Bare.layers, Bare.clock, tuple(missing))


BARE = _bare()
"""What holds without a sandbox: always the same, so it need not be tried."""

BACKENDS = ("bubblewrap", "docker", "landlock", "bare")
"""Their names; of two with the same tier the first is preferred."""


def backend(found: Probe | str) -> Backend:
    """The backend that a probe has found to work; one that is named is tried first. SandboxError where it does not."""
    if isinstance(found, str):
        if found not in BACKENDS:
            raise SandboxError(f"there is no sandbox backend {found!r}; known are: {', '.join(BACKENDS)}")
        (found,) = probe(found)
    if not found.works:
        raise SandboxError(f"the sandbox backend {found.backend!r} does not work here: {'; '.join(found.missing)}")
    # Each brings what the others have no use for, so only the one that is used is loaded.
    if found.backend == "bubblewrap":
        from sandbox.bubblewrap import Bubblewrap

        return Bubblewrap(found)
    if found.backend == "docker":
        from sandbox.docker import Docker

        return Docker(found)
    if found.backend == "landlock":
        from sandbox.landlock import Landlock

        return Landlock(found)
    return Bare()


def probe(only: str | None = None) -> tuple[Probe, ...]:
    """What each backend can enforce on this machine, or that one alone; the strongest first, those last that can't be
    used.

    Tries every layer in throwaway processes: to be asked once by a process that then passes on what was found.
    """
    found = [_probed(name) for name in BACKENDS if only in (None, name)]
    rank = [*TIERS, ""]
    return tuple(sorted(found, key=lambda each: rank.index(each.tier)))


def unusable(name: str, reason: str) -> Probe:
    """That a backend can't be used here, and why."""
    return Probe(name, "", (), "cpu", (reason,))


def _probed(name: str) -> Probe:
    if name == "bare":
        return BARE
    if sys.platform != "linux":
        return unusable(name, f"{name} needs Linux; this is {sys.platform}")
    if own_number() != os.getpid():
        return unusable(name, "/proc is not that of this PID namespace: mount its own (unshare --mount-proc)")
    # Each brings what the others have no use for, so only the one that is asked for is loaded.
    if name == "bubblewrap":
        from sandbox.bubblewrap_probe import probe_bubblewrap

        return probe_bubblewrap()
    if name == "docker":
        from sandbox.docker_probe import probe_docker

        return probe_docker()
    from sandbox.landlock_probe import probe_landlock

    return probe_landlock()
