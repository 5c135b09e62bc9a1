"""Times its neighbours by the load of the machine: its averages, its pressure, its counters in /proc.

Known by: one of the files has contents.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("read-only-root", "landlock-files")

_FILES = ("loadavg", "stat", "pressure/cpu", "pressure/io", "pressure/memory", "schedstat", "vmstat", "1/schedstat")


def _read(name: str) -> str:
    text = Path("/proc", name).read_text()
    if not text.strip():
        raise OSError(0, "is empty")
    return text[:60]


def main(target: Target) -> str:
    """Look at each but what tells of its own jail."""
    return open_any((name, partial(_read, name)) for name in _FILES if not name.startswith("1/"))


if __name__ == "__main__":
    attack(main)
