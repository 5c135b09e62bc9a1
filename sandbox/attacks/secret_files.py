"""Reads files of others: one that only the referee's user may read, one that everybody may, another bot's folder, the
league's store, the machine's passwords.

Known by: what a secret file holds comes back.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("read-only-root", "landlock-files")

_ADMIN = "/root"
_MACHINE = (
    "/etc/shadow",
    "/etc/ssh/ssh_host_ed25519_key",
    f"{_ADMIN}/.bashrc",
    f"{_ADMIN}/.ssh",
    "/etc/machine-id",
    "/boot",
)


def main(target: Target) -> str:
    """Try each path, as it stands and through what might lead out of the jail."""
    ways = ("", "/proc/1/root", f"/proc/{target.referee}/root", "/proc/self/root/..", "/bot/..", "/bot/../..")
    paths = [way + path for path in (*target.secrets, *_MACHINE) for way in ways]
    return open_any((path, partial(_read, path)) for path in paths)


def _read(path: str) -> str:
    if os.path.isdir(path):
        return " ".join(os.listdir(path))
    return Path(path).read_text(errors="replace")[:100]


if __name__ == "__main__":
    attack(main)
