"""What one program may use at most."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for a program and all its processes together. A backend enforces those that its `layers` name.

    How long it may compute, and how much it may say, is for whoever speaks to it to judge: `Process` tells both.
    """

    memory_mb: int
    """MiB of memory, without swap; what lies in the scratch folder does not count."""
    processes: int
    """Processes and threads."""
    disk_mb: int
    """MiB in the scratch folder."""
    files: int = 4096
    """Files and folders in the scratch folder."""
    open_files: int = 256
    """Open descriptors of each process."""
    stderr_kb: int = 32
    """KiB of stderr that are kept: a quarter from its beginning, the rest from its end."""
