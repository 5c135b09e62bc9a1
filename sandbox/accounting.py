"""CPU time of a program and of all that descends from it, from the kernel's clocks; never more than was used."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from time import clock_gettime_ns, monotonic_ns
from typing import Protocol

from sandbox.orphans import adopted, living
from sandbox.procfs import Stat, all_pids, children_of, clock_of, clock_us, environment_of, read_stat

__all__ = ["Account", "Tree", "WallAccount"]

_SCAN_US = 20_000
"""A descendant that nobody has seen goes unbilled for that long at most."""
_SCAN_BUSY_US = 2_000
"""The same with descendants about."""
_NO_CLOCK = 99
"""No clock has this id: to read it is an OSError."""
_MOST = 4096
"""Processes looked at in one scan."""


class Account(Protocol):
    """What accounts for one program."""

    def owns(self, stat: Stat) -> bool:
        """Whether that process descends from the program."""

    def sample(self, fresh: bool = False, now_us: int | None = None) -> int:
        """µs so far, never decreasing."""

    def descendants(self, everywhere: bool = False) -> list[Stat]:
        """Its descendants, dead ones too that wait to be reaped by this process."""

    def settle(self, used_us: int) -> None:
        """The program itself has been reaped; the kernel billed that much to it and the children it waited for.

        To be preceded by `descendants()` when it has ended, so that no living one still counts as its child.
        """


@dataclass(slots=True)
class _Member:
    """One process of the tree.

    `children_us` is what the kernel says of children that it waited for; `seen_us` what was last seen of children
    that are gone. They overlap, so the larger counts: children reaped unseen are in the first, those of a program that
    ignores SIGCHLD only in the second.
    """

    pid: int
    started: int
    parent: int
    own_us: int = 0
    children_us: int = 0
    seen_us: int = 0

    def total_us(self) -> int:
        return self.own_us + max(self.children_us, self.seen_us)


class Tree:
    """The processes that descend from one program, and what they used.

    One clock is read at each sample: the program's own (its id can't be reused before it is reaped), or where it is
    started inside a jail that of its first process, once `first` knows its id. All others are looked up when due.

    A process is known by its id and start time. Found are: children of known processes, known processes
    whose parents died, and orphans adopted by this process that are in the program's session or were started with its
    scratch folder `home`, None where that is everybody's name for theirs.
    """

    __slots__ = (
        "_clock",
        "_due_us",
        "_first",
        "_floor_us",
        "_gone_us",
        "_hot",
        "_idle_us",
        "_main",
        "_marks",
        "_members",
        "_others_us",
        "_settled",
    )

    def __init__(self, pid: int, home: str | None, first: Callable[[], int | None] | None = None) -> None:
        stat = read_stat(pid)
        self._clock = clock_of(pid)
        self._main = self._hot = _Member(pid, stat.started if stat else 0, os.getpid())
        self._first = first
        self._members: dict[int, _Member] = {}
        self._marks = home and {b"HOME=" + os.fsencode(home), b"TMPDIR=" + os.fsencode(home)}
        self._gone_us = 0
        self._floor_us = 0
        self._idle_us = -1
        self._due_us = 0
        self._others_us = 0  # all but the time on the clock that is read each time, as of the last scan
        self._settled = False

    def sample(self, fresh: bool = False, now_us: int | None = None) -> int:
        """µs so far, never decreasing; `fresh` looks up descendants now. `now_us` spares who knows it a look."""
        # Asked for at every answer of every bot, so what only a scan changes is added up there.
        try:
            own_us = clock_gettime_ns(self._clock) // 1000
        except OSError:  # reaped, by us or by something else
            if self._hot is self._main:
                return self._floor_us
            own_us, fresh = self._hot.own_us, True
        if fresh or (monotonic_ns() // 1000 if now_us is None else now_us) >= self._due_us:
            self._look_around(own_us, fresh)
            own_us = self._hot.own_us
        total = own_us + self._others_us
        if total > self._floor_us:
            self._floor_us = total
        return self._floor_us

    def _look_around(self, own_us: int, fresh: bool) -> None:
        """Look up the descendants, unless the program has not run since the last time: then it has not forked."""
        self._hot.own_us = max(self._hot.own_us, own_us)
        # In a jail there are always two of them: the jail's own process, and the program's first.
        few = 0 if self._hot is self._main else 2
        if fresh or len(self._members) > few or own_us != self._idle_us:
            self._idle_us = own_us
            self._scan(False)
            self._due_us = monotonic_ns() // 1000 + (_SCAN_BUSY_US if len(self._members) > few else _SCAN_US)

    def owns(self, stat: Stat) -> bool:
        """Whether that process descends from the program: known, in its session, or started with its scratch folder."""
        member = self._members.get(stat.pid)
        if member is not None and member.started == stat.started:
            return True
        if stat.started < self._main.started:
            return False
        if stat.session == self._main.pid:
            return True
        if stat.session in living or not self._marks:
            return False
        # HOME alone might be a user's; HOME and TMPDIR in one private folder are nobody else's.
        return not stat.dead and self._marks.issubset(environment_of(stat.pid))

    def descendants(self, everywhere: bool = False) -> list[Stat]:
        """Its descendants as they are now; `everywhere` also looks for orphans that another process has adopted."""
        return self._scan(everywhere)

    def settle(self, used_us: int) -> None:
        """The program itself has been reaped: `used_us` is its final account and that of children it waited for."""
        if not self._settled:
            main, hot = self._main, self._hot
            # A sample is later than the scan before it, which is when the figures were brought up to date.
            hot.own_us = max(hot.own_us, self._floor_us - self._others_us)
            self._clock = _NO_CLOCK  # the program's id may be another process' from now on
            main.own_us, main.children_us, main.seen_us = max(used_us, main.total_us()), 0, 0
            self._settled = True
            self._add_up()

    def _scan(self, everywhere: bool) -> list[Stat]:
        """Look at the whole tree; a parent is read before its children, so nothing is counted both here and there."""
        seen: dict[int, Stat] = {}
        stat = None if self._settled else read_stat(self._main.pid)
        if stat is not None:
            self._main.children_us = max(self._main.children_us, stat.children_us)
            self._walk(stat, seen)
        for member in list(self._members.values()):
            if member.pid not in seen and (stat := read_stat(member.pid)) and stat.started == member.started:
                self._take(stat, seen)
        for stat in adopted():
            if stat.pid not in seen and self.owns(stat):
                self._take(stat, seen)
        if everywhere:
            for pid in all_pids():
                if pid != self._main.pid and pid not in seen and (stat := read_stat(pid)) and self.owns(stat):
                    self._take(stat, seen)
        for member in reversed(list(self._members.values())):  # children before their parents
            if member.pid not in seen:
                self._leave(member)
        self._reap(seen)
        self._choose_clock()
        self._add_up()
        return list(seen.values())

    def _choose_clock(self) -> None:
        """Read the clock of the program's first process as long as it is there, else that of what was started."""
        if self._first is None or self._settled:
            return
        hot = self._hot
        if hot is not self._main and self._members.get(hot.pid) is not hot:
            self._hot, self._first = self._main, None
        elif hot is self._main:
            self._hot = self._members.get(self._first() or 0, self._main)
        self._clock = clock_of(self._hot.pid)

    def _add_up(self) -> None:
        all_us = self._gone_us + self._main.total_us() + sum(member.total_us() for member in self._members.values())
        self._others_us = all_us - self._hot.own_us
        if self._settled:
            self._floor_us = max(self._floor_us, all_us)

    def _walk(self, root: Stat, seen: dict[int, Stat]) -> None:
        stack = [root]
        while stack and len(seen) < _MOST:
            parent = stack.pop()
            for pid in children_of(parent.pid, parent.threads):
                if pid not in seen and pid != self._main.pid and (stat := self._sight(pid)):
                    seen[pid] = stat
                    stack.append(stat)

    def _take(self, stat: Stat, seen: dict[int, Stat]) -> None:
        if (again := self._sight(stat.pid)) and again.started == stat.started:
            seen[stat.pid] = again
            self._walk(again, seen)

    def _sight(self, pid: int) -> Stat | None:
        """Bring one process' figures up to date."""
        own_us = clock_us(clock_of(pid))
        stat = read_stat(pid)
        if stat is None:
            return None
        member = self._members.get(pid)
        if member is not None and member.started != stat.started:
            self._leave(member)
            member = None
        if member is None:
            # That reading may be of a process that had this id before.
            member = self._members[pid] = _Member(pid, stat.started, stat.parent, stat.own_us)
            own_us = clock_us(clock_of(pid))
            again = read_stat(pid)
            if again is None or again.started != stat.started:
                return stat
        if own_us is not None:
            # There before and after its clock was read, so the clock was its own.
            member.own_us = max(member.own_us, own_us)
        member.parent = stat.parent
        member.children_us = max(member.children_us, stat.children_us)
        return stat

    def _leave(self, member: _Member) -> None:
        """A process is gone; its last figures stay with the parent that has waited for it, or on the common account."""
        self._members.pop(member.pid, None)
        parent = self._main if member.parent == self._main.pid else self._members.get(member.parent)
        if parent is None:
            self._gone_us += member.total_us()
        else:
            parent.seen_us += member.total_us()

    def _reap(self, seen: dict[int, Stat]) -> None:
        """Reap orphans of the tree that came to this process and have ended; the kernel gives their exact account."""
        here = os.getpid()
        for stat in list(seen.values()):
            if stat.parent != here or not stat.dead:
                continue
            with contextlib.suppress(ChildProcessError):
                pid, _, usage = os.wait4(stat.pid, os.WNOHANG)
                if not pid:
                    continue
                member = self._members.pop(pid)
                used_us = round((usage.ru_utime + usage.ru_stime) * 1e6)
                self._gone_us += max(used_us, member.total_us())
                del seen[pid]


class WallAccount:
    """Where CPU time can't be had: the time since the start. Who bills it must say so, and must not bill idle waits."""

    __slots__ = ("_end_us", "_start_ns")

    def __init__(self) -> None:
        self._start_ns = monotonic_ns()
        self._end_us = -1

    def owns(self, stat: Stat) -> bool:  # noqa: ARG002
        """Unknown here."""
        return False

    def sample(self, fresh: bool = False, now_us: int | None = None) -> int:  # noqa: ARG002
        """µs since the start, or from the start to the end."""
        return self._end_us if self._end_us >= 0 else (monotonic_ns() - self._start_ns) // 1000

    def descendants(self, everywhere: bool = False) -> list[Stat]:  # noqa: ARG002
        """None can be found: the session is all that can be killed."""
        return []

    def settle(self, used_us: int) -> None:  # noqa: ARG002
        """The program has ended."""
        self._end_us = self.sample(False)
