"""Writes outside the scratch folder: at the root, to the system's and the bot's folders, to temporary and shared ones.

Known by: a file with the attack's name can be made anywhere that is not in the scratch folder's file system.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any, scratch

STOPPED_BY = ("read-only-root", "landlock-files")

_PLACES = (
    "/",
    "/dev",
    "/dev/shm",
    "/dev/mqueue",
    "/dev/pts",
    "/etc",
    "/home",
    "/lib",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/run/lock",
    "/srv",
    "/sys",
    "/sys/fs/cgroup",
    "/usr",
    "/usr/lib",
    "/usr/local/bin",
    "/var",
    "/var/lib",
    "/var/tmp",
    ".",
)


def _write(place: str, word: str) -> None:
    file = Path(place, word)
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        own = os.fstat(handle).st_dev == scratch().stat().st_dev
    finally:
        os.close(handle)
    if own:
        file.unlink()
        raise OSError(0, "it is the scratch folder")


def main(target: Target) -> str:
    """Try each place, and the folder outside by its own name."""
    places = (*_PLACES, target.outside, *(str(Path(path).parent) for path in target.secrets))
    return open_any((place, partial(_write, place, target.word)) for place in places)


if __name__ == "__main__":
    attack(main)
