"""A private folder for one program, removed whatever the program has left in it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.mounts import mount_scratch, mounts_are_private, unmount

__all__ = ["PASSABLE", "remove_tree", "scratch_folder"]

PASSABLE: Final = 0o711
"""Mode of the folders on the way to a program's own, which may run under another uid; who may come that far at all is
decided further up.
"""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PASSES = 16
# include/uapi/linux/fs.h: FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_IMMUTABLE_FL | FS_APPEND_FL
_GETFLAGS, _SETFLAGS, _UNREMOVABLE = 0x80086601, 0x40086602, 0x10 | 0x20


@contextlib.contextmanager
def scratch_folder(parent: Path, limits: Limits | None = None) -> Iterator[Path]:
    """A new folder of mode 0700 under `parent`, absolute. SandboxError if it can't be made or can't be removed.

    In a process with mounts of its own (`take_private_mounts`) it holds no more than the `limits` say, if they are
    given. Removal follows no link, needs two descriptors whatever the depth, and copes with folders of mode 000, with
    files that vanish meanwhile and, where the system lets it, with immutable ones.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="s-", dir=parent)).absolute()
        try:
            handle = os.open(folder, _FOLDER)
        except OSError:
            folder.rmdir()
            raise
    except OSError as error:
        raise SandboxError(f"no scratch folder can be made in {parent}: {error.strerror}") from error
    try:
        if limits is not None and mounts_are_private():
            mount_scratch(folder, limits.disk_mb, limits.files)
            try:
                yield folder
            finally:
                unmount(folder)
        else:
            yield folder
    finally:
        try:
            _remove(folder, handle)
        finally:
            os.close(handle)


def remove_tree(folder: Path) -> None:
    """Remove a folder with all in it, as `scratch_folder` does; what is no folder, a link too, is removed itself.

    Nothing is done where there is nothing. SandboxError if it can't be removed.
    """
    try:
        with _opened(os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as parent:
            handle = _open_folder(folder.name, parent)
    except FileNotFoundError:
        return
    except OSError as error:
        # No folder; or one that can't be opened, which can be removed only if it is empty.
        try:
            _take_away(folder)
        except FileNotFoundError:
            return
        except OSError:
            raise SandboxError(f"the folder {folder} can't be removed: {error.strerror}") from error
        return
    with _opened(handle):
        _remove(folder, handle)


def _remove(folder: Path, handle: int) -> None:
    reason = ""
    for _ in range(_PASSES):
        _loosen_open(handle)
        with contextlib.suppress(OSError):
            _empty(handle)
        # The program may have put something else in its place: another folder, a link.
        with contextlib.suppress(OSError), _opened(os.open(folder, _FOLDER)) as place:
            if not os.path.samestat(os.fstat(place), os.fstat(handle)):
                _loosen_open(place)
                _empty(place)
        try:
            _take_away(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            reason = error.strerror or type(error).__name__
        else:
            return
    raise SandboxError(f"the folder {folder} can't be removed: {reason}")


def _take_away(path: Path) -> None:
    """Remove an empty folder, a link or a file."""
    if stat.S_ISDIR(path.lstat().st_mode):
        path.rmdir()
    else:
        path.unlink()


def _empty(top: int) -> None:
    """Remove what is in `top`. Folders in a folder are moved up into `top` first, so that depth costs nothing."""
    number = 0
    progress = True
    while progress:
        progress = False
        for name in os.listdir(top):
            if not _is_folder(name, top):
                progress |= _unlink(name, top)
                continue
            with contextlib.suppress(OSError):
                with _opened(_open_folder(name, top)) as inner:
                    for entry in os.listdir(inner):  # noqa: PTH208 - a handle, not a path
                        if _is_folder(entry, inner):
                            number += 1
                            # A move writes "..", so the folder itself must be writable too.
                            os.close(_open_folder(entry, inner))
                            os.rename(entry, _free_name(number, top), src_dir_fd=inner, dst_dir_fd=top)
                            progress = True
                        else:
                            progress |= _unlink(entry, inner)
                os.rmdir(name, dir_fd=top)
                progress = True


@contextlib.contextmanager
def _opened(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


def _free_name(number: int, top: int) -> str:
    name = f"{number}"
    while True:
        try:
            os.stat(name, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            return name
        name += "-"


def _is_folder(name: str, folder: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _unlink(name: str, folder: int) -> bool:
    """Remove what is no folder; True if that changed something."""
    for _ in range(2):
        try:
            os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return False
        except OSError:
            with contextlib.suppress(OSError):
                # Not blocking: it may be a named pipe or a device.
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                with _opened(os.open(name, flags, dir_fd=folder)) as handle:
                    _loosen_open(handle, folder=False)
        else:
            return True
    return False


def _open_folder(name: str, parent: int) -> int:
    """Open a folder, never through a link, made readable and writable for us. OSError where that can't be."""
    try:
        handle = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        if os.chmod in os.supports_follow_symlinks:
            os.chmod(name, 0o700, dir_fd=parent, follow_symlinks=False)
        else:
            # Linux changes modes through a path only; the path of an open handle can't be swapped for a link.
            flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            with _opened(os.open(name, flags, dir_fd=parent)) as place:
                os.chmod(f"/proc/self/fd/{place}", 0o700)  # noqa: PTH101 - a handle, not a path
        handle = os.open(name, _FOLDER, dir_fd=parent)
    _loosen_open(handle)
    return handle


def _loosen_open(handle: int, folder: bool = True) -> None:
    """Take away what keeps an open file from being removed: the immutable mark, a folder's mode."""
    with contextlib.suppress(OSError):
        (flags,) = struct.unpack("i4x", fcntl.ioctl(handle, _GETFLAGS, bytes(8)))
        if flags & _UNREMOVABLE:
            fcntl.ioctl(handle, _SETFLAGS, struct.pack("i4x", flags & ~_UNREMOVABLE))
    if folder:
        with contextlib.suppress(OSError):
            os.fchmod(handle, 0o700)
