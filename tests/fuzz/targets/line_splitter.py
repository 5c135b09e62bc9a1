"""The splitter of lines: how a stream is cut must not matter, and memory stays bounded.

The first bytes say how the rest is cut. The lines, and whether one is too long, are those of the whole stream; never
more than the longest line and the chunk at hand is kept.
"""

from __future__ import annotations

from harness.protocol import LineSplitter, LineTooLong
from tests.fuzz.stretches import expanded, pieces

RUNS = 12_000
LONGEST = 200
WORDS = (b"\xef\xbb\xbf", b"\r\n", b"\n", b"\r", b"\xfe\x80a", b"\xfe\x7f\r", b"\xfe\x02\n", b"\xfe\xff\n")

MOST = 64 * 1024
"""Bytes of a line at most, by the contract."""


def check(data: bytes) -> bool:
    stream = expanded(data[3:], 140 * 1024)
    lines, too_long = _due(stream)
    starts = set()
    for chunks in ([stream] if stream else [], pieces(stream, data[:3])):
        found: list[bytes] = []
        splitter = LineSplitter()
        failed = False
        try:
            for chunk in chunks:
                found.extend(splitter.feed(chunk))
                assert splitter.pending <= MOST + 4
            assert len(splitter.rest) == splitter.pending
        except LineTooLong as error:
            failed = True
            starts.add(error.start)
            assert len(error.start) == 4096
        assert found == lines
        assert failed == too_long
    assert len(starts) <= 1
    return not too_long


def _due(stream: bytes) -> tuple[list[bytes], bool]:
    """The lines before the first that is too long, and whether there is such a one, ended or not."""
    *ended, rest = stream.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    lines = [line.removesuffix(b"\r") for line in ended]
    for number, line in enumerate(lines):
        if len(line) > MOST:
            return lines[:number], True
    return lines, len(rest.removesuffix(b"\r")) > MOST


def seeds() -> dict[str, bytes]:
    mark = b"\xef\xbb\xbf"
    return {
        "good-lines": b"\x01\x02\x03one\r\n\n\r\ntwo\nthree",
        "good-marked": b"\x01\x01\x01" + mark + b"a\n" + mark + b"b\n",
        "good-only-a-mark": b"\x02\x00\x00" + mark + b"\n",
        "good-longest": b"\x00\x01\x00" + mark + b"\xfe\x80a\r\n\xfe\x80b\n",
        "good-longest-unended": b"\x00\x00\x00\xfe\x80a\r",
        "too-long": b"\x00\x00\x00a\n\xfe\x80ab\n",
        "too-long-unended": b"\x00\x07\x00" + mark + b"\xfe\x80ab",
        "too-long-returns": b"\x00\x00\x00\xfe\x80a\r\r\n",
    }
