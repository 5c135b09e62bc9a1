"""Signals the process group of the harness.

Known by: the referee, which is in that group, gets the signal.
"""

from __future__ import annotations

import os
import signal

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("pid-namespace", "landlock-scopes")


def main(target: Target) -> str:
    """By its number, and as a part of it. The signal is one that does nothing to who does not ask for it."""
    os.kill(0, signal.SIGURG)
    return open_any([("group", lambda: os.killpg(target.group, signal.SIGURG))])


if __name__ == "__main__":
    attack(main)
