"""What jails share whose program runs here: its control groups, its user, the word of whoever starts it."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox.cgroups import Cgroup
from sandbox.jail import Breach, Jail, disk_breach, group_breach
from sandbox.limits import Limits
from sandbox.own_users import OwnUsers

__all__ = ["GroupJail"]


class GroupJail(Jail):
    """One program's groups and user, as far as it has them; `scratch` is its scratch folder if that is a mount."""

    def __init__(self, scratch: Path | None, limits: Limits) -> None:
        self.group: Cgroup | None = None
        self.uid: int | None = None
        self._users: OwnUsers | None = None
        self._scratch = scratch
        self._limits = limits
        self._status = -1

    def take_user(self, users: OwnUsers) -> int:
        """Have a user of its own."""
        self._users, self.uid = users, users.take()
        return self.uid

    def open_status(self) -> int:
        """The end to which is reported how far the program has come."""
        self._status, end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        return end

    def breach(self, status: int | None) -> Breach | None:
        """By the counters of the group, and by what is left of the scratch space."""
        return group_breach(self.group, self._limits) or disk_breach(status, self._scratch, self._limits)

    def kill(self) -> None:
        """By the group, at one stroke, where there is one."""
        if self.group is not None:
            self.group.kill()

    def close(self) -> None:
        """Nothing is left in it: remove the group, give back the user."""
        try:
            if self.group is not None:
                group, self.group = self.group, None
                group.remove()
        finally:
            if self._status >= 0:
                os.close(self._status)
                self._status = -1
            if self._users is not None and self.uid is not None:
                self._users.give_back(self.uid)
                self._users = None
