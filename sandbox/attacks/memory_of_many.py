"""Takes ten times the memory that it may, over twenty processes of which none has more than half of it.

Known by: all of it is there at one time.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("group-memory",)
LIMITS = {"memory_mb": 48, "processes": 48}

_PROCESSES = 20


def main(target: Target) -> str:
    """Each takes its share, says so and waits."""
    ready, say = os.pipe()
    children: list[int] = []
    for _ in range(_PROCESSES):
        child = os.fork()
        if child == 0:
            held = [os.urandom(1 << 16) * 16 for _ in range(target.memory_mb // 2)]
            os.write(say, b"x" if held else b"")
            signal.pause()
            os._exit(0)
        children.append(child)
    os.close(say)
    count = 0
    while count < _PROCESSES and os.read(ready, 1):
        count += 1
        if any(os.waitpid(child, os.WNOHANG)[0] for child in children):
            break
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    if count < _PROCESSES:
        raise Refused(f"{count} of {_PROCESSES} processes got their share")
    return f"{_PROCESSES} x {target.memory_mb // 2} MiB"


if __name__ == "__main__":
    attack(main)
