"""Computes in eight processes at once, half of them orphans, to use more than it is billed for.

Known by: the bill is more than a tenth below what its processes say they burnt.
"""

from __future__ import annotations

import os
import time

from sandbox.attacks.jailed import Target, answer, attack

STOPPED_BY = ("group-cpu",)

_PROCESSES = 8
_BURN_S = 0.08


def main(target: Target) -> str:
    """Each burns its share and tells it."""
    done, say = os.pipe()
    for number in range(_PROCESSES):
        if os.fork() == 0:
            if number % 2 and os.fork() != 0:
                os._exit(0)
            while time.process_time() < _BURN_S:
                pass
            os.write(say, b"%07d" % round(time.process_time() * 1e6))
            os._exit(0)
    os.close(say)
    burnt = 0
    while piece := os.read(done, 7):
        burnt += int(piece)
    answer({"burnt_us": burnt})
    return ""


if __name__ == "__main__":
    attack(main)
