"""Kills the referee.

Known by: the referee is dead, or has stopped.
"""

from __future__ import annotations

import os
import signal
from functools import partial

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("pid-namespace", "landlock-scopes")


def main(target: Target) -> str:
    """Stop it first, in case only that is let through."""
    numbers = (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL)
    return open_any((f"signal {number}", partial(os.kill, target.referee, number)) for number in numbers)


if __name__ == "__main__":
    attack(main)
