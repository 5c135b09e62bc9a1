"""The strict reader: one I-JSON value (RFC 7493) from a line of bytes, in time linear in its length."""

from __future__ import annotations

import json
import re
from typing import Any

from harness.protocol.whole import MAX_WHOLE

__all__ = ["MAX_DEPTH", "NotIJson", "read_strict"]

MAX_DEPTH = 32
"""How deep objects and lists may nest; the outermost one is at depth 1."""

_MOST_DIGITS = len(str(-MAX_WHOLE))
# An unterminated string must be swallowed whole: were it refused, the search would begin anew at each quote behind it.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


class NotIJson(ValueError):
    """The bytes are no I-JSON value; `reason` says why in a few words."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def read_strict(line: bytes) -> Any:
    """The value that `line` holds, with white space of JSON around it at most.

    Whole numbers come as int, also when written as 3.0 or 30e-1; -0 is 0; all others as float. Raises NotIJson for
    anything that RFC 8259 refuses, bytes that are not UTF-8, two members of one name, a lone surrogate, NaN, a number
    that is no finite double or a whole one beyond ±(2^53 - 1), and nesting deeper than MAX_DEPTH. Noncharacters are
    let through.
    """
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH:
        _refuse_depth(line)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotIJson(f"not UTF-8 at byte {error.start}") from None
    try:
        data = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotIJson(f"not JSON at character {error.pos}: {error.msg}") from None
    if _SURROGATE_ESCAPE.search(line) is not None:
        _refuse_lone_surrogates(data)
    return data


def _refuse_depth(line: bytes) -> None:
    # Before reading: the reader of the standard library recurses.
    depth = 0
    for bracket in _STRING.sub(b"", line).translate(None, _NO_BRACKETS):
        if bracket in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotIJson(f"nested deeper than {MAX_DEPTH}")
        else:
            depth -= 1


def _refuse_lone_surrogates(data: Any) -> None:
    if isinstance(data, str):
        try:
            data.encode("utf-8")
        except UnicodeEncodeError:
            raise NotIJson("a lone surrogate in a string") from None
    elif isinstance(data, list):
        for item in data:
            _refuse_lone_surrogates(item)
    elif isinstance(data, dict):
        for name, item in data.items():
            _refuse_lone_surrogates(name)
            _refuse_lone_surrogates(item)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotIJson("two members of one name in an object")
    return members


def _integer(text: str) -> int:
    # Leading zeros are no JSON, so more digits are a greater number; int() is quadratic in them.
    if len(text) <= _MOST_DIGITS and -MAX_WHOLE <= (number := int(text)) <= MAX_WHOLE:
        return number
    raise NotIJson("a whole number beyond ±(2^53 - 1)")


def _real(text: str) -> float:
    number = float(text)
    if not number.is_integer():
        # Infinity is no integer either.
        if number - number != 0:
            raise NotIJson("a number that is no finite double")
        return number
    if -MAX_WHOLE <= number <= MAX_WHOLE:
        return int(number)
    raise NotIJson("a whole number beyond ±(2^53 - 1)")


def _constant(name: str) -> None:
    raise NotIJson(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_integer, parse_float=_real, parse_constant=_constant, strict=True
)
