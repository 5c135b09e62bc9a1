"""Unpacking gzip: what comes out is what Python's own module reads, never more than the limit allows."""

from __future__ import annotations

import gzip
import zlib

from harness.protocol import TooLarge, gunzip

RUNS = 200_000
LONGEST = 300
WORDS = (
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
    b"\x1f\x8b\x08\x04",
    b"\x1f\x8b\x08\x08",
    bytes(8),
    b"\x03\x00" + bytes(8),
)


def check(data: bytes) -> bool:
    limit, packed = int.from_bytes(data[:2], "big"), data[2:]
    try:
        found = gunzip(packed, limit)
    except TooLarge:
        assert _most(packed, limit + 1) > limit
        return False
    except ValueError as error:
        assert str(error).isprintable()
        return False
    assert len(found) <= limit
    # It skips the zeros between members too, but not those before the first one.
    assert gzip.decompress(packed) == found
    return True


def _most(packed: bytes, most: int) -> int:
    """How many bytes come out before an error, `most` or more being enough."""
    count = 0
    while packed and count < most:
        member = zlib.decompressobj(31)
        try:
            count += len(member.decompress(packed, most - count))
        except zlib.error:
            break
        packed = member.unused_data.lstrip(b"\0")
    return count


def seeds() -> dict[str, bytes]:
    one, two = gzip.compress(b"hello", mtime=0), gzip.compress(b"x" * 3000, mtime=0)
    limit = (65_535).to_bytes(2, "big")
    return {
        "good-one": limit + one,
        "good-members": limit + one + two + one,
        "good-padded": limit + one + bytes(20) + two + bytes(9),
        "good-nothing": limit,
        "good-exact": (3000).to_bytes(2, "big") + two,
        "over": (2999).to_bytes(2, "big") + two,
        "cut": limit + two[:-5],
        "rest": limit + one + b"rest",
        "checksum": limit + one[:-8] + bytes(8),
    }
