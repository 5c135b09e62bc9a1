"""The backend for machines without namespaces: each program is held by Landlock, a filter of system calls and limits.

Who starts whom: the harness makes the rules and hands them to a launcher, which joins the program's control groups,
sets its limits, becomes its user, shuts itself in and becomes the program. That files and processes of others are there
can be seen from inside; they can't be used.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from sandbox import seccomp
from sandbox.accounting import Account, Tree
from sandbox.cgroups import Groups
from sandbox.errors import SandboxError
from sandbox.group_account import GroupAccount
from sandbox.group_jail import GroupJail
from sandbox.inherited import bound_signals, check_descriptors
from sandbox.landlock_rules import ruleset, unreachable
from sandbox.local_process import spawn
from sandbox.memory_file import memory_file
from sandbox.mounts import take_private_mounts
from sandbox.own_users import OwnUsers, hand_over
from sandbox.process import Process
from sandbox.procfs import Stat, all_pids, read_stat
from sandbox.program_format import check_format
from sandbox.start import find_program
from sandbox.system_path import system_path

if TYPE_CHECKING:
    from sandbox.limits import Limits
    from sandbox.probe import Probe

__all__ = ["Landlock"]

_LAUNCH: Final = """\
import os, sys
sys.path.append(sys.argv.pop(1))
from landlock_launcher import main
os._exit(main(sys.argv[1:]))
"""
"""Imported, the launcher is compiled once; run by its path it would be compiled at each start, which takes 6 ms."""

_SHARED: Final = 16
"""Where programs share a user, each is refused a process when there are as many more as that number of programs may
have: fewer would fail those that are within their limit.
"""


class Landlock:
    """Runs programs as `probe` found that it can be done here; what does not come about as found is a SandboxError."""

    name: ClassVar[str] = "landlock"

    def __init__(self, probe: Probe) -> None:
        self.tier = probe.tier
        self.layers = probe.layers
        self.clock: Literal["cpu", "wall"] = probe.clock
        self._groups = Groups.from_settings(probe.settings) if "cgroups" in probe.settings else None
        self._filter = "seccomp" in probe.layers
        self._users = OwnUsers() if "own-uid" in probe.layers else None
        self._own_mounts = "scratch-size" in probe.layers

    def enter(self) -> None:
        """Prepare this process, which does nothing but run programs. SandboxError if what held does not any more."""
        bound_signals()
        if self._own_mounts and (reason := take_private_mounts()) is not None:
            raise SandboxError(f"scratch space can't be limited any more: {reason}")

    def start(
        self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits, writable: bool = False
    ) -> Process:
        """Run `command` in `folder`. StartFailed: the program's fault; SandboxError: the machine's or the sandbox's."""
        folder = folder.absolute()
        scratch = scratch.absolute()
        program = find_program(command, folder, system_path())
        check_format(command[0], program, folder)
        check_descriptors(limits)
        jail = _LandlockJail(scratch if self._own_mounts else None, limits, counted="group-cpu" in self.layers)
        try:
            return self._start(jail, command, program, folder, scratch, limits, writable)
        except OSError as error:
            jail.give_up()
            raise SandboxError(f"the program can't be confined: {error.strerror}") from error
        except BaseException:
            jail.give_up()
            raise

    def _start(
        self,
        jail: _LandlockJail,
        command: Sequence[str],
        program: str,
        folder: Path,
        scratch: Path,
        limits: Limits,
        writable: bool,
    ) -> Process:
        if self._users is not None:
            _hand_over(jail.take_user(self._users), folder, scratch, writable)
        if self._groups is not None:
            jail.group = self._groups.create(limits)
        with contextlib.ExitStack() as stack:
            rules = ruleset(folder, scratch, writable=writable)
            stack.callback(os.close, rules)
            status = jail.open_status()
            stack.callback(os.close, status)
            passed = [rules, status]
            if self._filter:
                # Times and modes of files are a channel that Landlock does not shut; compilers need them.
                changes = writable and self._users is not None
                passed.append(memory_file(seccomp.program(namespaces=False, own_user=changes)))
                stack.callback(os.close, passed[-1])
            orders = {
                "join": "\n".join(jail.group.join) if jail.group is not None else "",
                "oom": "1000",
                "limits": ",".join(f"{number}:{most}" for number, most in self._ceilings(limits).items()),
                "uid": str(jail.uid or ""),
                "ruleset": str(rules),
                "filter": str(passed[2]) if self._filter else "-1",
                "parent": str(os.getpid()),
                "status": str(status),
                # A relative name is taken in the folder, and is what a script sees as its own.
                "program": command[0] if "/" in command[0] else program,
            }
            words = [f"{name}={value}" for name, value in orders.items()]
            return spawn(
                [sys.executable, "-I", "-S", "-c", _LAUNCH, str(Path(__file__).parent), *words, "--", *command],
                folder=folder,
                environment={"PATH": system_path(), "HOME": str(scratch), "TMPDIR": str(scratch)},
                program=sys.executable,
                home=str(scratch),
                jail=jail,
                stderr_kb=limits.stderr_kb,
                pass_fds=passed,
            )

    def _ceilings(self, limits: Limits) -> dict[int, int]:
        """The most of each resource for one process, or for one user."""
        ceilings = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_NOFILE: limits.open_files,
            resource.RLIMIT_FSIZE: limits.disk_mb << 20,
        }
        if "group-memory" not in self.layers:
            # Runtimes reserve more than they use.
            ceilings[resource.RLIMIT_DATA] = limits.memory_mb << 21
        if self._users is not None:
            # Where the group counts, it is to be what stops it: the group can tell.
            ceilings[resource.RLIMIT_NPROC] = limits.processes + (1 if "group-processes" in self.layers else 0)
        elif "group-processes" not in self.layers:
            ceilings[resource.RLIMIT_NPROC] = self._threads_before + _SHARED * limits.processes
        for number, most in ceilings.items():
            hard = resource.getrlimit(number)[1]
            if hard != resource.RLIM_INFINITY:
                ceilings[number] = min(most, hard)
        return ceilings

    @cached_property
    def _threads_before(self) -> int:
        """Threads of this user before the first program."""
        uid = os.getuid()
        return sum(stat.threads for pid in all_pids() if _uid_of(pid) == uid and (stat := read_stat(pid)))


class _LandlockJail(GroupJail):
    """One program's groups and user, and the word of its launcher."""

    def __init__(self, scratch: Path | None, limits: Limits, *, counted: bool) -> None:
        super().__init__(scratch, limits)
        self._counted = counted
        self._reached = False

    def account(self, pid: int, home: str) -> Account:
        """By the group; else by the processes, those of its own user at least."""
        if self.group is not None and self._counted:
            return GroupAccount(self.group)
        return Tree(pid, home) if self.uid is None else _UserTree(pid, home, self.uid)

    def status(self, raw: int) -> int:
        """Its own, since the launcher has become the program; if it has."""
        if raw >= 0 and not self._has_reached():
            raise SandboxError("the program could not be confined")
        return raw

    def give_up(self) -> None:
        """It could not be started, which is what will be told."""
        with contextlib.suppress(SandboxError):
            self.close()

    def _has_reached(self) -> bool:
        if not self._reached and self._status >= 0:
            with contextlib.suppress(BlockingIOError):
                self._reached = os.read(self._status, 1) == b"."
        return self._reached


class _UserTree(Tree):
    """The processes of a program whose user has no others: none can hide by leaving session, parent and folder."""

    __slots__ = ("_uid",)

    def __init__(self, pid: int, home: str, uid: int) -> None:
        super().__init__(pid, home)
        self._uid = uid

    def owns(self, stat: Stat) -> bool:
        """Whether that process descends from the program."""
        return super().owns(stat) or (not stat.dead and _uid_of(stat.pid) == self._uid)


def _uid_of(pid: int) -> int | None:
    """The user of a process; None where it is gone. The owner of its folder in /proc may be root instead."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123
            return next((int(line.split()[1]) for line in file if line.startswith(b"Uid:")), None)
    except OSError:
        return None


def _hand_over(uid: int, folder: Path, scratch: Path, writable: bool) -> None:
    """Give a user its own folders. SandboxError if it can't get at them: Landlock opens nothing that modes shut."""
    hand_over(scratch, uid)
    if writable:
        hand_over(folder, uid)
    for path in (folder, scratch):
        shut = unreachable(path if path == folder and not writable else path.parent)
        if shut is not None:
            raise SandboxError(
                f"the folder {path} can't be reached by a user other than root, as which the program would run: let "
                f"others pass through {shut} (chmod o+x), or keep it elsewhere"
            )
