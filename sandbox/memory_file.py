"""A file that is nowhere but in memory, to hand something over by its descriptor."""

from __future__ import annotations

import os

__all__ = ["memory_file"]


def memory_file(data: bytes) -> int:
    """A descriptor, closed on exec, from whose start `data` can be read; OSError."""
    file = os.memfd_create("passed", os.MFD_CLOEXEC)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.lseek(file, 0, os.SEEK_SET)
    except BaseException:
        os.close(file)
        raise
    return file
