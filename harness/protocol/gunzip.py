"""Unpacks gzip without ever holding more than it may."""

from __future__ import annotations

import zlib

__all__ = ["TooLarge", "gunzip"]

# Small, since each member hands back the rest of its piece: with many tiny members that copying must not add up.
_PIECE = 4096
_GZIP = 16 + zlib.MAX_WBITS


class TooLarge(ValueError):
    """What is packed is larger than allowed."""


def gunzip(data: bytes, limit: int) -> bytes:
    """What `data`, one or more gzip members, holds: `limit` bytes at most.

    Raises TooLarge as soon as it is known, and ValueError for what is no gzip, is cut off or fails its checksum.
    """
    unpacked = bytearray()
    member = None
    for start in range(0, len(data), _PIECE):
        piece = data[start : start + _PIECE]
        if member is None and start > 0:
            piece = piece.lstrip(b"\0")
        while piece:
            member = member or zlib.decompressobj(_GZIP)
            try:
                unpacked += member.decompress(piece, limit + 1 - len(unpacked))
            except zlib.error as error:
                raise ValueError(str(error)) from None
            if len(unpacked) > limit:
                raise TooLarge(f"more than {limit} bytes unpacked")
            piece = b""
            if member.eof:
                # Zeros behind the last member are padding.
                piece = member.unused_data.lstrip(b"\0")
                member = None
    if member is not None:
        raise ValueError("cut off before its end")
    return bytes(unpacked)
