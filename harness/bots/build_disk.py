"""What a build has written so far, for machines where nothing but a look at it bounds that."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sandbox import Limits

__all__ = ["disk_trouble"]

_BLOCK = 512
"""Bytes of what stat(2) counts as a block, on all file systems."""


def disk_trouble(room: Path, limits: Limits) -> str | None:
    """What is too much in a folder and all below it: its size on the disk, or how many files and folders it holds.

    None while it keeps to the limits. The build goes on meanwhile, and what it removes under our eyes does not count.
    What can't be looked at is trouble too, as anything may lie there.
    """
    left_files, left_bytes = limits.files, limits.disk_mb << 20
    linked: set[tuple[int, int]] = set()
    waiting = [str(room)]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    left_files -= 1
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(found.st_mode):
                        waiting.append(entry.path)
                    name = (found.st_dev, found.st_ino)
                    if name not in linked:
                        left_bytes -= found.st_blocks * _BLOCK
                    if found.st_nlink > 1:
                        linked.add(name)
                    if left_files < 0:
                        return f"left more than {limits.files} files and folders"
                    if left_bytes < 0:
                        return f"wrote more than {limits.disk_mb} MiB"
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            return f"made a folder that can't be looked into ({error.strerror})"
    return None
