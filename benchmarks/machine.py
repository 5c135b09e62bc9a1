"""Which machine a figure comes from, and how busy it was."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path

__all__ = ["load", "machine"]


def machine() -> str:
    """Date, system, processor, cores and Python, on one line."""
    date = f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}"
    # Without what a distribution or a host adds to the kernel's number.
    system = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}, {platform.machine()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{date}, {system}, {_processor()}, {os.cpu_count()} cores, {python}"


def load() -> str:
    """How many processes wanted a core over the last minute; before a run, its own are not yet among them."""
    return f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()
