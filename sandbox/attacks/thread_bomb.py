"""Starts threads as fast as it can.

Known by: four times as many as it may have processes are there at one time.
"""

from __future__ import annotations

import threading

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("group-processes", "user-namespace", "own-uid")
LIMITS = {"processes": 24}


def main(target: Target) -> str:
    """Each waits for ever."""
    threading.stack_size(1 << 16)
    wait = threading.Event()
    try:
        for _ in range(4 * target.processes):
            threading.Thread(target=wait.wait, daemon=True).start()
    except RuntimeError as error:
        raise OSError(0, str(error)) from error
    return f"{threading.active_count()} threads"


if __name__ == "__main__":
    attack(main)
