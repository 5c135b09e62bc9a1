"""What one program may use at most."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for a program and all its processes together. A backend enforces those that its `layers` name."""

    memory_mb: int  # MiB
    processes: int  # processes and threads
    disk_mb: int  # MiB in the scratch folder
