"""Starts a program with as much environment and as many arguments as the kernel takes, many times over.

Known by: all of it is held at one time, beyond the memory that it may take.
"""

from __future__ import annotations

import os
import signal
import subprocess

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("group-memory", "group-processes", "user-namespace", "own-uid")
LIMITS = {"memory_mb": 32}


def main(target: Target) -> str:
    """A MiB and a half each, until it is eight times as much as may be."""
    children: list[subprocess.Popen[bytes]] = []
    environment = {f"v{number}": "x" * 100_000 for number in range(15)}
    try:
        while len(children) < 8 * target.memory_mb * 2 // 3:
            children += [subprocess.Popen(["/bin/sleep", "20"], env=environment)]
        return f"{len(children)} programs with 1.5 MiB each"
    finally:
        for child in children:
            os.kill(child.pid, signal.SIGKILL)


if __name__ == "__main__":
    attack(main)
