"""Reads where on the machine the folders lie that it sees.

Known by: the path of a folder of the harness comes back. No tier stops it: the kernel's table of mounts tells
it, and the paths alone open nothing.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ()
PATHS = True


def main(target: Target) -> str:
    """Say all that can be read; who started this knows what is a secret in it."""
    for name in ("mountinfo", "mounts", "cgroup", "maps"):
        with suppress(OSError):
            print(Path("/proc/self", name).read_text())
    return ""


if __name__ == "__main__":
    attack(main)
