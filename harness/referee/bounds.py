"""What a sandbox bounds beyond the eight limits of the protocol: for the organiser to set, of no interest to a bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from harness.protocol import Limits
from sandbox import Limits as SandboxLimits

__all__ = ["BOUND_RANGES", "DEFAULT_BOUNDS", "Bounds", "sandbox_limits"]

BOUND_RANGES: Final = {"files": (1, 1 << 20), "open_files": (16, 1 << 20), "stderr_kb": (1, 1024)}
"""The least and the most that may be asked for."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Files in a bot's scratch folder, descriptors that each of its processes may have open, KiB of stderr kept."""

    files: int = 4096
    open_files: int = 256
    stderr_kb: int = 32

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Bounds:
        """The bounds that `to_json` wrote."""
        return cls(**data)


DEFAULT_BOUNDS: Final = Bounds()
"""What is bounded where nothing is stated."""


def sandbox_limits(limits: Limits, bounds: Bounds) -> SandboxLimits:
    """What the sandbox is told to enforce."""
    return SandboxLimits(
        memory_mb=limits.memory_mb,
        processes=limits.processes,
        disk_mb=limits.disk_mb,
        files=bounds.files,
        open_files=bounds.open_files,
        stderr_kb=bounds.stderr_kb,
    )
