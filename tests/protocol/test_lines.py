"""Lines out of a stream, however it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.protocol import LineSplitter, LineTooLong
from harness.protocol.lines import MAX_LINE

BOM = b"\xef\xbb\xbf"
PIECES = st.lists(
    st.sampled_from([b"a", b"\n", b"\r\n", b"\r", BOM, b'{"type":"ready"}\n', b"\xef", b"\xbb"]), max_size=20
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def lines(chunks: list[bytes]) -> list[bytes]:
    splitter = LineSplitter()
    return [line for chunk in chunks for line in splitter.feed(chunk)]


def expected(data: bytes) -> list[bytes]:
    whole = data.removeprefix(BOM).split(b"\n")[:-1]
    # A stream that is nothing but a mark and a newline is an empty line.
    return [line.removesuffix(b"\r") for line in whole]


@given(PIECES.map(b"".join), st.lists(st.integers(0, 200)))
def test_lines_do_not_depend_on_how_they_arrive(data: bytes, places: list[int]) -> None:
    assert lines(cut(data, places)) == expected(data)


def test_several_lines_and_the_start_of_another_in_one_chunk() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed(b"one\r\n\n\r\ntwo\nthr")) == [b"one", b"", b"", b"two"]
    assert list(splitter.feed(b"ee\n")) == [b"three"]


def test_a_mark_is_dropped_at_the_start_of_the_stream_only() -> None:
    assert lines([BOM[:1], BOM[1:] + b"a\n" + BOM + b"b\n"]) == [b"a", BOM + b"b"]


@pytest.mark.parametrize("start", [b"", BOM, b"\n", b"x\r\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("size", [1, 3, 4096, 65536, 10**6])
def test_the_longest_line_is_64_kib(start: bytes, end: bytes, size: int) -> None:
    longest = b"a" * MAX_LINE
    data = start + longest + end
    assert lines([data[at : at + size] for at in range(0, len(data), size)])[-1] == longest
    data = start + longest + b"a" + end
    with pytest.raises(LineTooLong):
        lines([data[at : at + size] for at in range(0, len(data), size)])


def test_a_line_that_never_ends_is_too_long_once_known() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed(b"a" * MAX_LINE)) == []
    with pytest.raises(LineTooLong) as caught:
        list(splitter.feed(b"b"))
    assert caught.value.start == b"a" * 4096


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("size", [1, 10**6])
def test_what_is_kept_of_a_long_line_does_not_depend_on_how_it_arrives(end: bytes, size: int) -> None:
    data = BOM + b"a" * 3 + b"b" * MAX_LINE + end
    with pytest.raises(LineTooLong) as caught:
        lines([data[at : at + size] for at in range(0, len(data), size)])
    assert caught.value.start == b"a" * 3 + b"b" * 4093


def test_a_carriage_return_behind_the_longest_line_waits_for_its_newline() -> None:
    for last, good in ((b"\n", True), (b"a", False)):
        splitter = LineSplitter()
        assert list(splitter.feed(b"a" * MAX_LINE + b"\r")) == []
        if good:
            assert list(splitter.feed(last)) == [b"a" * MAX_LINE]
        else:
            with pytest.raises(LineTooLong):
                list(splitter.feed(last))


def test_lines_before_one_that_is_too_long_come_first() -> None:
    splitter = LineSplitter()
    feed = splitter.feed(b"first\nsecond\n" + b"a" * (MAX_LINE + 1))
    assert [next(feed), next(feed)] == [b"first", b"second"]
    with pytest.raises(LineTooLong):
        next(feed)


def test_holds_no_more_than_a_line() -> None:
    splitter = LineSplitter()
    for _ in range(MAX_LINE // 1000):
        assert list(splitter.feed(b"a" * 1000)) == []
        assert splitter.pending <= MAX_LINE
    assert splitter.rest == b"a" * splitter.pending
    with pytest.raises(LineTooLong):
        list(splitter.feed(b"a" * 1000))
