"""Reads the command lines and names of other processes, and where they run.

Known by: the secret in the referee's command line comes back, or the path of a folder of the harness.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, others

STOPPED_BY = ("pid-namespace", "landlock-files")
PATHS = True


def main(target: Target) -> str:
    """Say all that can be read; who started this knows what is a secret in it."""
    for pid in others(target):
        with suppress(OSError):
            print(pid, Path(f"/proc/{pid}/cmdline").read_text(errors="replace"))
        for link in ("cwd", "exe", "root"):
            with suppress(OSError):
                print(pid, os.readlink(f"/proc/{pid}/{link}"))
    return ""


if __name__ == "__main__":
    attack(main)
