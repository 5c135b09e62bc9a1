"""What this machine can enforce, and the backends by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from sandbox.bare import Bare
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.process import Process

__all__ = ["Backend", "Probe", "backend", "probe"]


class Backend(Protocol):
    """A way to run programs."""

    @property
    def name(self) -> str:
        """The word that chooses it."""

    @property
    def tier(self) -> str:
        """What it promises."""

    @property
    def layers(self) -> tuple[str, ...]:
        """What enforces that, here."""

    @property
    def clock(self) -> Literal["cpu", "wall"]:
        """What `Process.cpu_us` counts."""

    def start(self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits) -> Process:
        """Run `command` in `folder` with HOME and TMPDIR at `scratch`; StartFailed or SandboxError."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a backend holds on this machine; `missing` says in a sentence each what does not hold, and why."""

    backend: str
    tier: str
    layers: tuple[str, ...]
    clock: Literal["cpu", "wall"]
    missing: tuple[str, ...]


def backend(name: str) -> Backend:
    """The backend of that name; SandboxError names those there are."""
    if name == Bare.name:
        return Bare()
    raise SandboxError(f"there is no sandbox backend {name!r} here; known is: {Bare.name}")


def probe() -> tuple[Probe, ...]:
    """What each backend can enforce on this machine, the strongest first."""
    bare = Bare()
    missing = ["memory, processes, disk, network and files are not limited: bare runs a program as this user"]
    if bare.clock == "wall":
        missing.append("CPU time is not known: this system has no clock for the CPU time of another process")
        missing.append("a program's daemons can escape: this system does not tell a process' descendants")
    return (Probe(bare.name, bare.tier, bare.layers, bare.clock, tuple(missing)),)
