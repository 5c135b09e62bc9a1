"""The strict reader, against a reader of the grammar written here, and against inputs made to be slow."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.protocol import NotIJson, read_strict
from tests.second.reader import MOST, reading, same


def assert_agrees(line: bytes) -> None:
    good, value = reading(line)
    if good:
        assert same(read_strict(line), value)
    else:
        with pytest.raises(NotIJson):
            read_strict(line)


NUMBERS = st.one_of(
    st.integers().map(str),
    st.floats().map(repr),
    st.from_regex(r"-?[0-9]{1,18}(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["3.0", "-0", "-0.0", "30e-1", "01", "1.", ".5", "+1", "1e400", "1e-400", "NaN", "Infinity", "-"]),
)
STRINGS = st.one_of(
    st.text(max_size=8).map(json.dumps),
    st.text(max_size=8).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.lists(
        st.sampled_from(
            ["a", "\\ud83d", "\\ude00", "\\\\", "\\u0000", "\\uFFFE", "\\x", "\t", "\\", "é", "\x7f", "\\u12"]
        ),
        max_size=4,
    ).map(lambda pieces: '"' + "".join(pieces) + '"'),
)
BLANKS = st.sampled_from(["", "", "", " ", "\t\r\n", "\xa0", "\v"])


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(STRINGS, BLANKS, inner), max_size=4)
    return st.one_of(
        st.lists(st.tuples(BLANKS, inner), max_size=4).map(lambda i: "[" + ",".join(b + x for b, x in i) + "]"),
        members.map(lambda i: "{" + ",".join(f"{name}{blank}:{value}" for name, blank, value in i) + "}"),
        st.tuples(st.integers(1, 17), inner).map(lambda i: "[" * i[0] + i[1] + "]" * i[0]),
    )


TEXTS = st.recursive(
    st.one_of(NUMBERS, STRINGS, st.sampled_from(["true", "false", "null", "nul", "True", "", "[]", "{}", "[1,]"])),
    nested,
    max_leaves=8,
)


@given(BLANKS, TEXTS, BLANKS)
@settings(max_examples=300)
def test_reads_what_the_grammar_reads(before: str, text: str, after: str) -> None:
    assert_agrees((before + text + after).encode("utf-8", "surrogatepass"))


@given(TEXTS, st.integers(0, 200), st.binary(max_size=2), st.integers(0, 2))
@settings(max_examples=300)
@example('{"a":1}', 0, b"\xef\xbb\xbf", 0)
def test_reads_what_the_grammar_reads_when_bytes_are_changed(text: str, at: int, new: bytes, gone: int) -> None:
    line = text.encode("utf-8", "surrogatepass")
    assert_agrees(line[:at] + new + line[at + gone :])


@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    assert_agrees(line)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"3.0", 3),
        (b"-0", 0),
        (b"-0.0", 0),
        (b"30e-1", 3),
        (b"9007199254740991", MOST),
        (b"-9007199254740991", -MOST),
        (b"9007199254740991.0", MOST),
        (b"1e-400", 0),
        (b"0.5", 0.5),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\ufffe\\uffff\\ufdd0"', "\ufffe\uffff\ufdd0"),
        (b'"\x7f"', "\x7f"),
        (b'"\\\\ud800"', "\\ud800"),
        (b" \t\r\n{} ", {}),
    ],
)
def test_value(line: bytes, value: Any) -> None:
    assert same(read_strict(line), value)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e400",
        b"-1e400",
        b"9007199254740992",
        b"-9007199254740992",
        b"9007199254740992.0",
        b"9007199254740991.9",
        b"1e300",
        b"01",
        b"1.",
        b"+1",
        b"\xd9\xa1",
        b'{"a":1,"a":1}',
        b'[[{"b":{"a":1,"c":2,"\\u0061":1}}]]',
        b'"\\ud800"',
        b'{"\\udc00":1}',
        b'[{"a":["\\ud83d x"]}]',
        b'"\\ude00\\ud83d"',
        b'"\xed\xa0\x80"',
        b'"\xc0\xaf"',
        b'"\xff"',
        b'"a\tb"',
        b'"\x00"',
        b'"\n"',
        b"{} {}",
        b"{},",
        b'{"a":1}x',
        b"\xef\xbb\xbf{}",
        b"'a'",
        b"{a:1}",
        b"[1,]",
        b"// note\n1",
        b"\x00{}",
    ],
)
def test_refuses(line: bytes) -> None:
    with pytest.raises(NotIJson) as caught:
        read_strict(line)
    assert caught.value.reason
    assert "\n" not in caught.value.reason


@pytest.mark.parametrize(("start", "middle", "end"), [("[", "1", "]"), ('{"a":', "1", "}"), ('[{"[[":', '"{["', "}]")])
def test_nests_32_deep_and_no_deeper(start: str, middle: str, end: str) -> None:
    levels = 32 // (start.count("[") + start.count("{")) if '"[[' not in start else 16
    allowed = (start * levels + middle + end * levels).encode()
    assert read_strict(allowed) == json.loads(allowed)
    with pytest.raises(NotIJson, match="deeper than 32"):
        read_strict(b"[" + allowed + b"]")


def test_many_brackets_side_by_side_are_not_deep() -> None:
    line = b"[" + b",".join([b'[[{"[[[[[[[[":"]"}]]'] * 500) + b"]"
    assert read_strict(line) == json.loads(line)


HEAVY: dict[str, Callable[[int], bytes]] = {
    "opening brackets": lambda n: b"[" * n,
    "lists": lambda n: b"[" + b"[]," * (n // 3) + b"[]]",
    "closing brackets": lambda n: b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" + b"]" * n,
    "braces": lambda n: b'{"a":' * (n // 5),
    "digits": lambda n: b"1" * n,
    "negative digits": lambda n: b"-" + b"9" * n,
    "exponents": lambda n: b"1e" * (n // 2),
    "a long exponent": lambda n: b"1e" + b"9" * n,
    "a long negative exponent": lambda n: b"1e-" + b"9" * n,
    "a long fraction": lambda n: b"0." + b"1234567891" * (n // 10),
    "a fraction of zeros": lambda n: b"0." + b"0" * n + b"1",
    "a fraction and its exponent": lambda n: b"0." + b"0" * n + b"1e" + str(n).encode(),
    "whole digits with an exponent": lambda n: b"9" * n + b"e-" + str(n).encode(),
    "escapes": lambda n: b'"' + b"\\u0041" * (n // 6) + b'"',
    "surrogate pairs": lambda n: b'"' + b"\\ud83d\\ude00" * (n // 12) + b'"',
    "lone surrogates": lambda n: b"[" + b'"\\ud83d",' * (n // 9) + b"1]",
    "quotes escaped without an end": lambda n: b"[" * 40 + b'"' + b'\\"' * (n // 2),
    "backslashes": lambda n: b"[" * 40 + b'"' + b"\\" * n,
    "quotes": lambda n: b"[" * 40 + b'"' * n,
    "members": lambda n: b"{" + b",".join(b'"%d":1' % i for i in range(n // 10)) + b"}",
    "members of one name": lambda n: b"{" + b",".join([b'"a":1'] * (n // 6)) + b"}",
    "blanks": lambda n: b" " * n,
    "blanks within": lambda n: b"[1" + b" " * n + b"x",
    "not UTF-8": lambda n: b'"' + b"a" * n + b"\xff",
}


def cost(line: bytes) -> int:
    start = time.process_time_ns()
    with suppress(NotIJson):
        read_strict(line)
    return time.process_time_ns() - start


@pytest.mark.parametrize("kind", HEAVY)
def test_time_grows_with_the_length_and_not_with_its_square(kind: str) -> None:
    """Sixteen times the length takes about sixteen times as long; a quadratic reader takes 256 times."""
    short, long = (HEAVY[kind](size) for size in (32 * 1024, 16 * 32 * 1024))
    # The collector walks the heap of the whole test run, which says nothing about the reader.
    gc.disable()
    try:
        # A busy machine spoils some measurements, never all; what costs next to nothing can't be compared.
        ratios = (cost(long) / max(cost(short), 200_000) for _ in range(10))
        assert any(ratio < 64 for ratio in ratios)
    finally:
        gc.enable()
