"""Mounts of this process' own: seen by nobody else, and gone with the last process that has them, however it ends."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from sandbox.errors import SandboxError

__all__ = ["mount_scratch", "mounts_are_private", "shed_mounts", "take_private_mounts", "unmount"]

# include/uapi/linux/sched.h, include/uapi/linux/mount.h
_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_SLAVE = 0x2, 0x4, 0x4000, 1 << 19
_MNT_DETACH = 2

_owner_pid = 0


def take_private_mounts() -> str | None:
    """Give this process a mount namespace of its own, as an ordinary user in a user namespace of its own too.

    None where that is done, else the reason why it can't be. For a process that does nothing but run programs: it must
    have one thread, and as an ordinary user loses nothing but what set-user-id programs could do for it. To be tried in
    a throwaway process first, since half of it may be done when the rest fails.
    """
    global _owner_pid
    if sys.platform != "linux":
        return "this system has no mount namespaces"
    if mounts_are_private():
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(_CLONE_NEWNS) != 0:
        if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS) != 0:
            return f"user namespaces can't be made ({os.strerror(ctypes.get_errno())})"
        try:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        except OSError as error:
            return f"a user namespace can't be set up ({error.strerror})"
    # What is mounted here stays here; what the machine mounts and takes away is still followed.
    if libc.mount(None, b"/", None, _MS_REC | _MS_SLAVE, None) != 0:
        return f"mounts can't be kept apart ({os.strerror(ctypes.get_errno())})"
    _owner_pid = os.getpid()
    return None


def shed_mounts(*folders: str) -> None:
    """Take mounts with all below them out of this process' own view, where that can be; what is open there stays so.

    bubblewrap reads through the list of all mounts for each that it makes, so that a short list halves what a jail
    costs. For a process with mounts of its own.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for folder in folders:
        libc.umount2(os.fsencode(folder), _MNT_DETACH)


def mounts_are_private() -> bool:
    """Whether `take_private_mounts` has done its work in this process."""
    return _owner_pid == os.getpid()


def mount_scratch(folder: Path, size_mb: int, files: int) -> None:
    """Mount memory of `size_mb` MiB with room for that many files and folders on a folder. SandboxError if it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"size={size_mb}m,nr_inodes={files + 1},mode=0700"  # the folder itself is one
    if libc.mount(b"scratch", os.fsencode(folder), b"tmpfs", _MS_NOSUID | _MS_NODEV, options.encode()) != 0:
        raise SandboxError(f"scratch space of {size_mb} MiB can't be mounted: {os.strerror(ctypes.get_errno())}")


def unmount(folder: Path) -> None:
    """Take a mount away, used or not. SandboxError if that can't be."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.umount2(os.fsencode(folder), _MNT_DETACH) != 0:
        raise SandboxError(f"scratch space can't be unmounted: {os.strerror(ctypes.get_errno())}")
