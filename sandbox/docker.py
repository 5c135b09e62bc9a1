"""The backend that runs each program in a container of its own, made by the machine's Docker daemon through its SDK."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from sandbox import seccomp
from sandbox.docker_daemon import OWNER, PLACE, Daemon, this_owner, this_place
from sandbox.docker_process import WAITING, DockerProcess
from sandbox.errors import MACHINE_ERRNOS, SandboxError, StartFailed
from sandbox.inherited import MOST_SIGNALS
from sandbox.jail_root import HIDDEN_FILES, HIDDEN_FOLDERS
from sandbox.own_users import OwnUsers
from sandbox.process import Process
from sandbox.program_format import check_format
from sandbox.start import find_program

if TYPE_CHECKING:
    from sandbox.limits import Limits
    from sandbox.probe import Probe

__all__ = ["Docker"]

_FOLDER: Final = "/bot"
_HOME: Final = "/tmp"  # noqa: S108 - its own

_TIOCSPGRP: Final = 0x5410  # include/uapi/asm-generic/ioctls.h

_SYS_HIDDEN: Final = tuple(
    f"/sys/{name}"
    for name in ("block", "bus", "class", "dev", "devices", "firmware", "hypervisor", "kernel", "module", "power")
) + tuple(f"/sys/fs/{name}" for name in ("btrfs", "ext4", "f2fs", "fuse", "pstore", "selinux", "xfs"))
"""What tells of the machine's disks, network and load; of /sys only the container's own groups are left, by which a
JVM knows how much memory it has.
"""
_PROC_HIDDEN: Final = tuple(
    f"/proc/{name}"
    for name in (
        *("acpi", "asound", "buddyinfo", "bus", "fs", "irq", "kallsyms", "kcore", "key-users", "keys", "kmsg"),
        *("latency_stats", "modules", "pagetypeinfo", "sched_debug", "scsi", "slabinfo", "sysrq-trigger"),
        *("timer_list", "timer_stats", "vmallocinfo", "zoneinfo"),
    )
)
"""What tells of the kernel: without user namespaces more of it can be read than in other jails."""
_DEV_HIDDEN: Final = ("/dev/mqueue",)
"""What can be written to beside the scratch folder."""


class Docker:
    """Runs programs as `probe_docker` found that it can be done here."""

    name: ClassVar[str] = "docker"

    def __init__(self, probe: Probe) -> None:
        self.tier = probe.tier
        self.layers = probe.layers
        self.clock: Literal["cpu", "wall"] = probe.clock
        self._image = probe.settings["image"]
        self._places = probe.settings["path"].split(":")
        self._init = probe.settings["init"]
        self._host = probe.settings["host"]
        self._daemon: Daemon | None = None
        self._known: set[str] = set()
        self._users = OwnUsers() if "own-uid" in probe.layers else None
        self._security = ["no-new-privileges", f"seccomp={json.dumps(_profile())}"]

    def enter(self) -> None:
        """Nothing is needed; the daemon is reached when the first program starts."""

    def start(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        scratch: Path,  # noqa: ARG002
        limits: Limits,
        writable: bool = False,
    ) -> Process:
        """Run `command` in a container; `scratch` is not used, since the container has its own.

        StartFailed: the program's fault; SandboxError: the machine's or the daemon's.
        """
        folder = folder.absolute()
        program = _checked(command, folder)
        if self._daemon is None:
            self._daemon = Daemon(self._host)
        daemon = self._daemon
        with contextlib.ExitStack() as cleanup:
            user = f"{os.getuid()}:{os.getgid()}"
            unused = contextlib.ExitStack()
            with unused:
                if self._users is not None:
                    uid = self._users.take()
                    unused.callback(self._users.give_back, uid)
                    user = f"{uid}:{uid}"
                    if writable:
                        _give(folder, uid)
                container = daemon.create(self._config(command, folder, limits, user, writable))
                cleanup.callback(_put_away, daemon, container, unused.pop_all())
            self._find(container, command[0], program, folder)
            process = DockerProcess(daemon, container, limits, cleanup)
            if self.clock == "cpu" and not process.counted:
                process.close()
                raise SandboxError("the CPU time of containers can't be read any more")
        return process

    def _find(self, container: str, word: str, program: str | None, folder: Path) -> None:
        """See that the image has the program, or what its first line names to run it, once for each. StartFailed."""
        if program is None:
            self._find_in_image(container, word)
            return
        runner = _runner(word, program)
        if runner is None:
            return
        try:
            # The kernel takes one that is no whole path from the current folder, and looks at no PATH.
            if _checked([runner if "/" in runner else f"./{runner}"], folder) is None:
                self._find_in_image(container, runner)
        except StartFailed as error:
            raise StartFailed(f"the program {word!r} needs the interpreter {runner!r}: {error}") from None

    def _find_in_image(self, container: str, word: str) -> None:
        assert self._daemon is not None
        if word not in self._known:
            self._daemon.find_program(container, word, self._places)
            self._known.add(word)

    def _config(
        self, command: Sequence[str], folder: Path, limits: Limits, user: str, writable: bool
    ) -> dict[str, Any]:
        memory = (limits.memory_mb + limits.disk_mb) << 20
        disk = limits.disk_mb << 20
        ceilings = {"nofile": limits.open_files, "core": 0, "memlock": 0, "fsize": disk, "sigpending": MOST_SIGNALS}
        tmpfs = f"rw,exec,nosuid,nodev,mode=1777,size={disk},nr_inodes={limits.files + 1}"  # the folder itself is one
        return {
            "Image": self._image,
            "Entrypoint": [],
            "Cmd": [*((self._init, "--") if self._init else ()), *WAITING, *command],
            "User": user,
            "Hostname": "bot",
            "WorkingDir": _FOLDER,
            # A name without a value takes away what the daemon would set.
            "Env": ["HOSTNAME", f"HOME={_HOME}", f"TMPDIR={_HOME}"],
            "AttachStdin": True,
            "AttachStdout": True,
            "AttachStderr": True,
            "OpenStdin": True,
            "StdinOnce": True,
            "NetworkDisabled": True,
            "Labels": {OWNER: this_owner(), PLACE: this_place()},
            "HostConfig": {
                "NetworkMode": "none",
                "IpcMode": "none",
                "CgroupnsMode": "private",
                "Init": not self._init,
                "ReadonlyRootfs": True,
                "CapDrop": ["ALL"],
                "SecurityOpt": self._security,
                "Memory": memory,
                "MemorySwap": memory,
                "PidsLimit": limits.processes + 1,  # init is one
                "CpusetCpus": _own_cores(),
                "OomScoreAdj": 1000,
                "Ulimits": [{"Name": name, "Soft": most, "Hard": most} for name, most in ceilings.items()],
                "Tmpfs": {_HOME: tmpfs},
                "Mounts": [
                    {"Type": "bind", "Source": str(folder), "Target": _FOLDER, "ReadOnly": not writable},
                ],
                "MaskedPaths": sorted({*HIDDEN_FILES, *HIDDEN_FOLDERS, *_PROC_HIDDEN, *_SYS_HIDDEN, *_DEV_HIDDEN}),
                "ReadonlyPaths": ["/proc/sys"],
                "LogConfig": {"Type": "none"},
                "RestartPolicy": {"Name": "no"},
            },
        }


def _checked(command: Sequence[str], folder: Path) -> str | None:
    """The program's file where it is one of the folder's own, seen from here. StartFailed where it can't be run."""
    word = command[0] if command else ""
    if word.startswith(f"{_FOLDER}/"):
        return find_program([f".{word.removeprefix(_FOLDER)}", *command[1:]], folder, "")
    if word and not word.startswith("/") and "/" in word:
        return find_program(command, folder, "")
    if not word:
        raise StartFailed("the command is empty")
    if any("\0" in each for each in command):
        raise StartFailed("the command holds a NUL character")
    if not folder.is_dir():
        raise StartFailed(f"the folder {folder} is not there")
    return None


def _runner(word: str, program: str) -> str | None:
    """What the first line of a script names to run it, None for a binary. StartFailed for what is neither."""
    try:
        with Path(program).open("rb") as file:
            first = file.readline(256)
    except OSError as error:
        if error.errno in MACHINE_ERRNOS:
            raise SandboxError(f"the program {word!r} can't be looked at: {error.strerror}") from error
        return None  # executable and not readable: the kernel will tell
    if not first.startswith(b"#!"):
        check_format(word, program, Path(program).parent)
        return None
    # Those alone end the name: with a carriage return at its end the kernel looks for that.
    return os.fsdecode(re.split(rb"[ \t\n\0]", first[2:].lstrip(b" \t"), maxsplit=1)[0])


def _put_away(daemon: Daemon, container: str, held: contextlib.ExitStack) -> None:
    """Remove a container; what it `held` is free for the next one only when it is gone."""
    daemon.remove(container)
    held.close()


def _profile() -> dict[str, Any]:
    """The filter of system calls for containers: for their init, which stands under it as well, one answer differs."""
    profile = seccomp.docker_profile()
    # For what is not named, daemons before 23.0 know but one answer, and by that the C library takes the call for made.
    profile["syscalls"].append({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS})
    for entry in profile["syscalls"]:
        asked = [argument["value"] for argument in entry.get("args", ())]
        if entry["names"] == ["ioctl"] and asked == [_TIOCSPGRP]:
            # It gives the terminal to the program, puts up with that there is none, and with no other answer.
            entry |= {"action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOTTY}
    return profile


def _own_cores() -> str:
    """The cores that this process is bound to, as the daemon wants them; "" where it is bound to none."""
    cores = os.sched_getaffinity(0)
    return ",".join(map(str, sorted(cores))) if len(cores) < (os.cpu_count() or 1) else ""


def _give(folder: Path, uid: int) -> None:
    """Make a folder with all in it that user's."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(place, name), uid, uid, follow_symlinks=False)  # noqa: PTH118
    os.chown(folder, uid, uid, follow_symlinks=False)
