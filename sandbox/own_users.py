"""User ids that nobody else has: for root, which may give each program one, in a user namespace that knows no other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sandbox.errors import SandboxError

__all__ = ["INSIDE_UID", "OwnUsers", "hand_over", "map_user"]

INSIDE_UID: Final = 1000
"""What a program in a jail takes its uid and gid for."""

_FIRST_UID = 2_000_000_000
"""Beyond what systems give to users, services and containers."""
_SLOTS = 32
"""Programs of one process at a time."""


_taken: set[int] = set()
"""Of this process, whichever of its backends took them."""


class OwnUsers:
    """Hands out uids to programs that run at the same time; no other process hands out the same.

    Process ids tell processes apart in one PID namespace only: harnesses in two containers of a machine, which share
    its uids, may hand out the same.
    """

    def take(self) -> int:
        """A uid, and gid, that nobody has. SandboxError if there is none left."""
        # Process ids end below 2^22, so all stay below 2^31.
        first = _FIRST_UID + os.getpid() * _SLOTS
        for uid in range(first, first + _SLOTS):
            if uid not in _taken:
                _taken.add(uid)
                return uid
        raise SandboxError(f"one process can't run more than {_SLOTS} programs at a time")

    def give_back(self, uid: int) -> None:
        """Nothing of that user runs any more."""
        _taken.discard(uid)


def hand_over(folder: Path, uid: int) -> None:
    """Make a folder with all in it that user's, and group's; no link is followed. SandboxError if it can't be."""
    try:
        for place, folders, files in os.walk(folder):
            for name in (*folders, *files):
                os.chown(os.path.join(place, name), uid, uid, follow_symlinks=False)  # noqa: PTH118
        os.chown(folder, uid, uid, follow_symlinks=False)
    except OSError as error:
        raise SandboxError(f"the folder {folder} can't be given to user {uid}: {error.strerror}") from error


def map_user(pid: int, uid: int) -> None:
    """Give the new user namespace of a process two users: root, to set up the jail, and the program's. OSError."""
    lines = f"0 0 1\n{INSIDE_UID} {uid} 1\n"
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/{pid}/{name}", "w") as file:  # noqa: PTH123
            file.write(lines)
