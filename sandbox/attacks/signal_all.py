"""Signals every process that it may.

Known by: the referee gets the signal; the call itself succeeds even if it reaches nobody.
"""

from __future__ import annotations

import os
import signal

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("pid-namespace", "landlock-scopes")


def main(target: Target) -> str:
    """The signal is one that does nothing to who does not ask for it: this must be safe to try on a desktop."""
    os.kill(-1, signal.SIGURG)
    return ""


if __name__ == "__main__":
    attack(main)
