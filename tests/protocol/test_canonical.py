"""The canonical form, against the `rfc8785` package and vectors of the contract."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.protocol import canonical, compact, digest_of, read_strict

MOST = 2**53 - 1
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
# Keys where the order of code points and that of UTF-16 differ: beyond the BMP against the end of the BMP.
NAMES = TEXT | st.text(st.sampled_from('a\uffff\ue000\ud7ff\U00010000\U0001f600\x7f\x1f"\\/'), max_size=3)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-MOST, MOST) | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=25,
)


@given(DATA)
@settings(max_examples=200)
def test_is_the_form_of_the_rfc8785_package(data: Any) -> None:
    assert canonical(data) == rfc8785.dumps(data)


@given(DATA)
def test_reads_back(data: Any) -> None:
    assert read_strict(b"[" + canonical(data) + b"]") == [data]


def test_names_beyond_the_bmp_sort_by_their_utf16_form() -> None:
    data = {"\ufb33": 1, "\U0001f600": 2, "\u20ac": 3}
    assert canonical(data) == '{"\u20ac":3,"\U0001f600":2,"\ufb33":1}'.encode()


def test_strings_of_rfc_8785() -> None:
    # Section 3.2.2.2 of the RFC, its sample string.
    assert canonical('\u20ac$\u000f\nA\'B"\\\\"/') == b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


def test_whole_floats_and_tuples_are_taken() -> None:
    assert canonical([3.0, -0.0, (1, 2), float(MOST)]) == b"[3,0,[1,2],9007199254740991]"


@pytest.mark.parametrize(
    "data",
    [
        0.5,
        float("nan"),
        float("inf"),
        float("-inf"),
        1e300,
        2**53,
        -(2**53),
        pytest.param(10**5000, id="huge"),
        {1: 2},
        {None: 1},
        {"a", "b"},
        b"bytes",
        "\ud800",
        {"\udc00": 1},
        [{"a": object()}],
    ],
)
def test_refuses_with_a_sentence(data: Any) -> None:
    with pytest.raises(ValueError) as caught:
        canonical([data])
    assert str(caught.value)


def test_digest_is_the_sha_256_of_the_form() -> None:
    assert digest_of({"b": 1, "a": []}) == hashlib.sha256(b'{"a":[],"b":1}').hexdigest()


@given(DATA)
def test_compact_keeps_the_order_and_has_no_spaces(data: Any) -> None:
    written = compact({"b": data, "a": 1})
    assert written.startswith(b'{"b":')
    assert written.endswith(b',"a":1}')
    assert json.loads(written) == {"b": data, "a": 1}


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_compact_writes_no_number_that_json_has_not(number: float) -> None:
    with pytest.raises(ValueError):
        compact([number])
