"""Opens what a user names as a file, and nothing that could be waited for: no pipe, socket or device."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO

__all__ = ["open_regular", "read_regular"]


def open_regular(path: Path | bytes, *, follow_links: bool = True) -> IO[bytes]:
    """The regular file at `path`, or at the end of its links unless those are not followed, open for reading in bytes.

    Raises OSError, with a `strerror` that fits into a sentence, for what is no regular file or can't be opened, and
    ValueError for a path that no file can have.
    """
    # Opened before it is looked at, so that nothing can be put in its place between; a pipe must not be waited for.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        # A socket, or a device without a driver; what the system calls it says less.
        if error.errno in (errno.ENXIO, errno.ENODEV):
            raise _not_regular(path) from error
        raise
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder", os.fsdecode(path))
    raise _not_regular(path)


def read_regular(path: Path, most: int) -> bytes:
    """What the regular file at `path` holds, its first `most` bytes if that is more. Raises like `open_regular`."""
    with open_regular(path) as stream:
        data = stream.read(most)
    if data is None:
        # Some files of the kernel's own would be waited for too.
        raise BlockingIOError(errno.EAGAIN, "would have to be waited for", str(path))
    return data


def _not_regular(path: Path | bytes) -> OSError:
    return OSError(errno.EINVAL, "no regular file", os.fsdecode(path))
