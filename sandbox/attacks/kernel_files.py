"""Reads what the kernel says of itself and the machine: its memory, its symbols, its modules, timers, locks and keys.

Known by: one of the files has contents.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("read-only-root", "landlock-files")

_FILES = (
    "kcore",
    "kallsyms",
    "kmsg",
    "modules",
    "timer_list",
    "sched_debug",
    "locks",
    "keys",
    "key-users",
    "slabinfo",
    "kpagemap",
    "kpagecount",
    "vmallocinfo",
    "sysrq-trigger",
    "interrupts",
    "softirqs",
    "diskstats",
    "buddyinfo",
    "pagetypeinfo",
    "zoneinfo",
    "1/pagemap",
    "bus/pci/devices",
)


def _read(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(60)
    if not data.strip(b"\0"):
        raise OSError(0, "is empty")
    # Symbols without their addresses are what everybody knows of this kernel.
    if path.name in ("kallsyms", "modules") and data.split(b" ")[0].strip(b"0") == b"":
        raise OSError(0, "hides addresses")
    return data.decode(errors="replace")


def main(target: Target) -> str:
    """Look at each."""
    return open_any((name, partial(_read, Path("/proc", name))) for name in _FILES)


if __name__ == "__main__":
    attack(main)
