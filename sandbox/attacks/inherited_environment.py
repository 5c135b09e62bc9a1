"""Looks for variables in its own environment that it was not meant to get.

Known by: there is one beyond PATH, HOME and TMPDIR, and what runtimes set themselves.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("seccomp",)

_KNOWN = {"PATH", "HOME", "TMPDIR", "LC_CTYPE", "HOSTNAME"}


def main(target: Target) -> str:
    """Look at what it was started with."""
    extra = [f"{name}={value}" for name, value in os.environ.items() if name not in _KNOWN]
    if not extra:
        raise Refused(f"nothing but {', '.join(os.environ)}")
    return " ".join(extra)


if __name__ == "__main__":
    attack(main)
