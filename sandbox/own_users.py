"""User ids that nobody else has: for root, which may give each program one, in a user namespace that knows no other."""

from __future__ import annotations

import os
from typing import Final

from sandbox.errors import SandboxError

__all__ = ["INSIDE_UID", "OwnUsers", "map_user"]

INSIDE_UID: Final = 1000
"""What a program in a jail takes its uid and gid for."""

_FIRST_UID = 2_000_000_000
"""Beyond what systems give to users, services and containers."""
_SLOTS = 32
"""Programs of one process at a time."""


class OwnUsers:
    """Hands out uids to programs that run at the same time; no other process hands out the same."""

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def take(self) -> int:
        """A uid, and gid, that nobody has. SandboxError if there is none left."""
        # Process ids end below 2^22, so all stay below 2^31.
        first = _FIRST_UID + os.getpid() * _SLOTS
        for uid in range(first, first + _SLOTS):
            if uid not in self._taken:
                self._taken.add(uid)
                return uid
        raise SandboxError(f"one process can't run more than {_SLOTS} programs at a time")

    def give_back(self, uid: int) -> None:
        """Nothing of that user runs any more."""
        self._taken.discard(uid)


def map_user(pid: int, uid: int) -> None:
    """Give the new user namespace of a process two users: root, to set up the jail, and the program's. OSError."""
    lines = f"0 0 1\n{INSIDE_UID} {uid} 1\n"
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/{pid}/{name}", "w") as file:  # noqa: PTH123
            file.write(lines)
