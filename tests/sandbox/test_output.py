"""What is kept of a stream."""

from __future__ import annotations

import pytest

from sandbox import FirstAndLast


def test_a_short_stream_is_kept_whole() -> None:
    kept = FirstAndLast()
    for piece in (b"one ", b"two ", b"three"):
        kept.feed(piece)
    assert kept.text() == "one two three"
    assert (kept.total, kept.missing) == (13, 0)


def test_the_default_is_8_kib_and_24_kib() -> None:
    kept = FirstAndLast()
    assert (kept.first, kept.last) == (8192, 24576)


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64, 1000])
def test_first_and_last_part_do_not_depend_on_the_pieces(piece: int) -> None:
    stream = bytes(range(65, 91)) * 40
    kept = FirstAndLast(first=10, last=15)
    for at in range(0, len(stream), piece):
        kept.feed(stream[at : at + piece])
    assert kept.parts() == (stream[:10], stream[-15:])
    assert kept.text() == f"ABCDEFGHIJ\n[... {1040 - 25} bytes left out ...]\nLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize("length", range(31))
def test_nothing_is_lost_or_doubled_at_the_seam(length: int) -> None:
    stream = bytes(97 + i % 26 for i in range(length))
    kept = FirstAndLast(first=10, last=15)
    kept.feed(stream)
    head, tail = kept.parts()
    assert kept.missing == max(0, length - 25)
    assert head + stream[len(head) : len(head) + kept.missing] + tail == stream


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    kept = FirstAndLast()
    kept.feed(b"a\xffb")
    assert kept.text() == "a\ufffdb"
