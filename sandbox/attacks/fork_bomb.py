"""Starts processes as fast as it can, each of which starts more.

Known by: four times as many as it may have are there at one time.
"""

from __future__ import annotations

import os
import signal
import time

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("group-processes", "user-namespace", "own-uid")
LIMITS = {"processes": 24}


def main(target: Target) -> str:
    """Grow as a tree, so that whoever kills one is late for the next; each tells the first that it is there."""
    first = os.getpid()
    ready, say = os.pipe()
    end = time.monotonic() + 3
    for _ in range(7):  # 2^7 processes
        try:
            if os.fork() == 0:
                os.write(say, b"x")
        except BlockingIOError:
            continue
    if os.getpid() != first:
        while time.monotonic() < end:
            signal.sigtimedwait([], 1)
        os._exit(0)
    os.set_blocking(ready, False)
    count, pause = 0, time.monotonic() + 0.7
    while time.monotonic() < pause and count < 4 * target.processes:
        try:
            count += len(os.read(ready, 256))
        except BlockingIOError:
            time.sleep(0.01)
    if count < 4 * target.processes:
        raise Refused(f"{count} processes came to be")
    return f"{count} processes"


if __name__ == "__main__":
    attack(main)
