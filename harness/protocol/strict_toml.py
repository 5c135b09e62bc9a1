"""The strict reader of TOML, for what people write by hand: a bot's manifest and a league file."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from harness.protocol.visible import visible

__all__ = ["NotToml", "read_toml"]

_BOM = b"\xef\xbb\xbf"

_MAX_DOTS = 200
"""Dots in a key at most: the parser takes time with the square of the parts of a dotted key."""

_NO_KEY = re.compile(
    r"""
    \#[^\n]*
    | "{3} (?: [^"\\] | \\.? | "(?!"") )*+ (?: "{3,5} | \Z )
    | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n] | \\[^\n]? )*+ "?
    | ' [^'\n]*+ '?
    """,
    re.DOTALL | re.VERBOSE,
)
"""Comments and strings. One that is not closed is an error to the parser, which reads no key behind it.

Possessive, so that nothing a file holds is looked at twice.
"""

_KEY_END = re.compile(r"[=,\[\]{}]")
"""What a key can't go on behind, once strings are taken out."""

_LEAST, _MOST = -(2**63), 2**63 - 1
"""The integers that TOML has."""

_LONG_NUMBER = re.compile(rb"\d[\d_]{4000,}")


class NotToml(ValueError):
    """The bytes are no TOML that is read here; `reason` says where, why and what to do, such as `line 3: ...`."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def read_toml(data: bytes) -> dict[str, Any]:
    """The table that `data` holds. A byte order mark at its start, which some editors write, is dropped.

    Raises NotToml for what is not UTF-8 or not TOML, for an integer of more than 64 bits, for keys of more dots than
    any needs, and for nesting that can't be read. The caller bounds the length.
    """
    data = data.removeprefix(_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotToml(f"not UTF-8 in line {_line_of(data, error.start)}; save the file as UTF-8") from None
    _refuse_long_keys(text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(f"not TOML: {visible(str(error), 200)}; correct that place") from None
    except RecursionError:
        raise NotToml("not TOML that can be read: nested too deep; write fewer brackets in each other") from None
    except ValueError:
        # The interpreter's own, on an integer of more digits than it converts.
        found = _LONG_NUMBER.search(data)
        place = f"line {_line_of(data, found.start())}: " if found is not None else ""
        raise NotToml(f"{place}an integer of more than 64 bits; write a smaller one") from None
    _refuse_long_integers(table)
    return table


def _line_of(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _refuse_long_keys(text: str) -> None:
    if all(line.count(".") <= _MAX_DOTS for line in text.split("\n")):
        return
    bare = _NO_KEY.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if any(part.count(".") > _MAX_DOTS for part in _KEY_END.split(line)):
            raise NotToml(f"line {number}: more than {_MAX_DOTS} dots in a key, which none here needs; shorten it")


def _refuse_long_integers(table: dict[str, Any]) -> None:
    # Not by recursion: dotted keys in lists in dotted keys nest deeper than that reaches.
    waiting: list[tuple[str, Any]] = [("", table)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{place}.{key}"[:200], item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{place}[{i}]"[:200], item) for i, item in enumerate(value)]
        elif type(value) is int and not _LEAST <= value <= _MOST:
            name = visible(place.removeprefix("."), 100)
            raise NotToml(f"{name}: an integer of more than 64 bits; write a smaller one")
