"""What a container says, out of the frames in which a Docker daemon sends it."""

from __future__ import annotations

import contextlib
import os
import socket

__all__ = ["FrameReader", "half_close"]

_CHUNK = 64 * 1024
_HEADER = 8
"""Bytes before each piece: which stream it is of, three of nothing, its length as a big-endian number."""


class FrameReader:
    """One stream of a container, read from a socket that does not block."""

    __slots__ = ("_header", "_kept", "_left", "ended")

    def __init__(self) -> None:
        self._header = bytearray()
        self._left = 0  # of the piece that has begun
        self._kept = bytearray()
        self.ended = False

    def read(self, descriptor: int) -> bytes | None:
        """What came, None if there is nothing now, empty at the end of the stream."""
        if self._kept:
            kept = bytes(self._kept)
            self._kept.clear()
            return kept
        return self._read(descriptor)

    def keep(self, descriptor: int, most: int) -> None:
        """Take what is there now for later reads; what would make that more than `most` bytes is lost."""
        piece = self._read(descriptor) or b""
        self._kept += piece[: max(0, most - len(self._kept))]

    def _read(self, descriptor: int) -> bytes | None:
        if self.ended or descriptor < 0:
            return b""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:  # the daemon is gone
            data = b""
        if not data:
            self.ended = True
            return b""
        return self._unpacked(data) or None

    def _unpacked(self, data: bytes) -> bytes:
        # One whole piece, as nearly always.
        if not self._left and not self._header and len(data) == _HEADER + int.from_bytes(data[4:_HEADER], "big"):
            return data[_HEADER:]
        parts: list[bytes] = []
        at = 0
        while at < len(data):
            if not self._left:
                wanted = _HEADER - len(self._header)
                self._header += data[at : at + wanted]
                at += wanted
                if len(self._header) == _HEADER:
                    self._left = int.from_bytes(self._header[4:], "big")
                    self._header.clear()
                continue
            part = data[at : at + self._left]
            parts.append(part)
            at += len(part)
            self._left -= len(part)
        return b"".join(parts)


def half_close(descriptor: int, *, both: bool = False) -> None:
    """Give the other end of a socket end of file; what it sends still comes, unless `both` directions are to end."""
    # A descriptor that is closed, or an end that is gone already.
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as end:
        end.shutdown(socket.SHUT_RDWR if both else socket.SHUT_WR)
