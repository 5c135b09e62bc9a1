"""The backend that runs each program in a container of its own, made by the machine's Docker daemon through its SDK."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from sandbox import seccomp
from sandbox.docker_daemon import IMAGE, OWNER, PLACE, Daemon, this_owner, this_place
from sandbox.docker_process import WAITING, DockerProcess
from sandbox.errors import SandboxError, StartFailed
from sandbox.jail_root import HIDDEN_FILES, HIDDEN_FOLDERS
from sandbox.own_users import OwnUsers
from sandbox.process import Process
from sandbox.start import find_program

if TYPE_CHECKING:
    from sandbox.limits import Limits
    from sandbox.probe import Probe

__all__ = ["Docker", "probe_docker"]

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

_LAYERS: Final = (
    "capabilities-dropped",
    "cgroup-namespace",
    "container",
    "group-cpu",
    "group-memory",
    "group-processes",
    "ipc-namespace",
    "network-namespace",
    "no-new-privileges",
    "own-uid",
    "pid-namespace",
    "read-only-root",
    "rlimits",
    "scratch-files",
    "scratch-size",
    "seccomp",
    "uts-namespace",
)
"""What is set; which of them hold is found out by trying."""


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
        _check(command, folder)
        if self._daemon is None:
            self._daemon = Daemon(self._host)
        daemon = self._daemon
        with contextlib.ExitStack() as cleanup:
            user = f"{os.getuid()}:{os.getgid()}"
            if self._users is not None:
                uid = self._users.take()
                cleanup.callback(self._users.give_back, uid)
                user = f"{uid}:{uid}"
                if writable:
                    _give(folder, uid)
            container = daemon.create(self._config(command, folder, limits, user, writable))
            cleanup.callback(daemon.remove, container)
            self._find(container, command[0])
            process = DockerProcess(daemon, container, limits, cleanup)
            if self.clock == "cpu" and not process.counted:
                process.close()
                raise SandboxError("the CPU time of containers can't be read any more")
        return process

    def _find(self, container: str, word: str) -> None:
        """See that the image has the program, once for each word; what is in the folder has been looked at."""
        assert self._daemon is not None
        in_folder = word.startswith(f"{_FOLDER}/") or ("/" in word and not word.startswith("/"))
        if not in_folder and word not in self._known:
            self._daemon.find_program(container, word, self._places)
            self._known.add(word)

    def _config(
        self, command: Sequence[str], folder: Path, limits: Limits, user: str, writable: bool
    ) -> dict[str, Any]:
        memory = (limits.memory_mb + limits.disk_mb) << 20
        disk = limits.disk_mb << 20
        ceilings = {"nofile": limits.open_files, "core": 0, "memlock": 0, "fsize": disk}
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


def probe_docker() -> Probe:
    """What containers hold on this machine, each layer tried in one that is thrown away."""
    from dataclasses import replace

    from sandbox.probe import Probe
    from sandbox.probing import tried
    from sandbox.tiers import tier_of

    try:
        daemon = Daemon()
        image = daemon.image(os.environ.get("HARNESS_DOCKER_IMAGE") or IMAGE)
        daemon.client.close()
    except SandboxError as error:
        return Probe("docker", "", (), "cpu", (str(error),))
    settings = {"host": daemon.host, "image": image.id, "path": image.path, "init": image.init}
    missing: dict[str, str] = {}
    layers = set(_LAYERS)
    if (reason := seccomp.unavailable()) is not None:
        layers.discard("seccomp")
        missing["seccomp"] = reason
    if os.geteuid() != 0:
        layers.discard("own-uid")
        missing["own-uid"] = "programs run under this user's id: only root can give each one of its own"
    candidate = Probe("docker", "full", tuple(sorted(layers)), "cpu", (), settings)
    held = tried(candidate)
    if "layers" not in held:
        missing["group-cpu"] = f"CPU time is not known, so time is counted by the clock on the wall: {held['failure']}"
        candidate = replace(candidate, layers=tuple(sorted(layers - {"group-cpu"})), clock="wall")
        held = tried(candidate)
        if "layers" not in held:
            return replace(candidate, tier="", layers=(), missing=(held["failure"],))
    found = tuple(sorted((set(held["layers"]) | {"container"}) & set(candidate.layers)))
    missing |= {layer: held["missing"][layer] for layer in candidate.layers if layer in held["missing"]}
    sentences = tuple(dict.fromkeys(missing[layer] for layer in missing if layer not in found))
    return replace(candidate, tier=tier_of(found), layers=found, missing=sentences)


def _check(command: Sequence[str], folder: Path) -> None:
    """What can be seen from here to be wrong with a command. StartFailed."""
    word = command[0] if command else ""
    if word and not word.startswith("/") and "/" in word:
        find_program(command, folder, "")
        return
    if not word:
        raise StartFailed("the command is empty")
    if any("\0" in each for each in command):
        raise StartFailed("the command holds a NUL character")
    if not folder.is_dir():
        raise StartFailed(f"the folder {folder} is not there")


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
