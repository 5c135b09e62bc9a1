"""Frames survive however the pipe cuts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import HarnessFailure
from harness.executors.wire import LONGEST, Unpacker, pack

MESSAGES = st.lists(
    st.dictionaries(st.text(), st.integers() | st.text(st.characters(exclude_categories=())) | st.none(), max_size=4),
    max_size=5,
)


def test_a_frame_is_its_length_in_four_bytes_and_json() -> None:
    assert pack({"a": "é"}) == b"\x00\x00\x00\x0e" + b'{"a":"\\u00e9"}'


@given(MESSAGES, st.lists(st.integers(0, 60), max_size=20))
def test_messages_come_out_whole_and_in_order_whatever_the_cuts(messages: list[dict], cuts: list[int]) -> None:
    stream = b"".join(pack(message) for message in messages)
    unpacker = Unpacker()
    found = []
    for size in cuts:
        found += unpacker.feed(stream[:size])
        stream = stream[size:]
    found += unpacker.feed(stream)
    assert found == messages


def test_noise_on_the_pipe_is_told_and_not_waited_for() -> None:
    with pytest.raises(HarnessFailure, match="bytes was announced"):
        list(Unpacker().feed((LONGEST + 1).to_bytes(4, "big")))


def test_a_frame_that_is_no_object_is_refused() -> None:
    with pytest.raises(HarnessFailure, match="no object"):
        list(Unpacker().feed(b"\0\0\0\x02[]"))
