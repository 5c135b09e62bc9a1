"""The files of control groups: read, written and understood, whichever version they are of."""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator
from time import monotonic

__all__ = ["counter", "make", "members", "read", "rounds", "subgroups", "write"]


def read(path: str) -> str:
    """All of a file; OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = b""
        while piece := os.read(descriptor, 65536):
            data += piece
    finally:
        os.close(descriptor)
    return data.decode()


def write(path: str, value: str) -> None:
    """Write a setting; OSError with the path, also where there is no such file (which O_CREAT would hide)."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error
    finally:
        os.close(descriptor)


def counter(path: str, key: str) -> int:
    """The number behind `key` in a file of lines `key number`, 0 where there is none; OSError."""
    for line in read(path).splitlines():
        name, _, number = line.partition(" ")
        if name == key:
            return int(number)
    return 0


def members(folder: str, below: bool = False) -> list[int]:
    """Processes of a group, on demand of those below it too, by the ids that this process knows them by.

    0 stands for one that it can't see. Of a group that is gone there are none.
    """
    try:
        found = [int(word) for word in read(f"{folder}/cgroup.procs").split()]
    except OSError:
        return []
    if below:
        for name in subgroups(folder):
            found += members(f"{folder}/{name}", below)
    return found


def subgroups(folder: str) -> list[str]:
    """Names of the groups right below one; none of a group that is gone."""
    try:
        with os.scandir(folder) as found:
            return [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def make(folder: str) -> None:
    """Make a group, or find it there; OSError."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)  # noqa: PTH102 - a path of our own, and cheap


def rounds(most_s: float) -> Iterator[None]:
    """Yield once, then again and again a millisecond apart until that many seconds are over.

    For what the kernel finishes a moment after the event that tells of it.
    """
    end = monotonic() + most_s
    yield
    while monotonic() < end:
        select.poll().poll(1)
        yield
