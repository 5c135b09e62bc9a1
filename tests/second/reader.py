"""A second reader of I-JSON, made from RFC 8259 and RFC 7493 alone: a character at a time, slow and plain."""

from __future__ import annotations

import math
import re
from typing import Any

MOST = 2**53 - 1


class Reading:
    """RFC 8259 and RFC 7493 again, a character at a time."""

    def __init__(self, line: bytes) -> None:
        self.text = line.decode("utf-8")
        self.at = 0

    def whole(self) -> Any:
        value = self.value(0)
        self.blanks()
        assert self.at == len(self.text)
        return value

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, expected: str) -> None:
        assert self.text.startswith(expected, self.at)
        self.at += len(expected)

    def run(self, pattern: str) -> str:
        found = re.compile(pattern).match(self.text, self.at)
        assert found is not None
        return found[0]

    def blanks(self) -> None:
        self.at += len(self.run(r"[ \t\n\r]*"))

    def value(self, depth: int) -> Any:
        self.blanks()
        first = self.peek()
        assert first
        if first in "{[":
            assert depth < 32
            return self.members(depth + 1) if first == "{" else self.items(depth + 1)
        if first == '"':
            return self.string()
        for word, meaning in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.take(word)
                return meaning
        return self.number()

    def items(self, depth: int) -> list[Any]:
        self.take("[")
        self.blanks()
        found: list[Any] = []
        while self.peek() != "]" or found:
            found.append(self.value(depth))
            self.blanks()
            if self.peek() == "]":
                break
            self.take(",")
        self.take("]")
        return found

    def members(self, depth: int) -> dict[str, Any]:
        self.take("{")
        self.blanks()
        found: dict[str, Any] = {}
        while self.peek() != "}" or found:
            self.blanks()
            name = self.string()
            self.blanks()
            self.take(":")
            assert name not in found
            found[name] = self.value(depth)
            self.blanks()
            if self.peek() == "}":
                break
            self.take(",")
        self.take("}")
        return found

    def string(self) -> str:
        self.take('"')
        units = b""
        while (sign := self.peek()) != '"':
            assert sign >= " "
            plain = self.run(r'[^"\\\x00-\x1f]*')
            self.at += len(plain) or 1
            if sign == "\\":
                kind = self.peek()
                self.at += 1
                if kind == "u":
                    digits = self.text[self.at : self.at + 4]
                    assert re.fullmatch("[0-9a-fA-F]{4}", digits)
                    self.at += 4
                    units += bytes.fromhex(digits)
                    continue
                plain = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))[kind]
            units += plain.encode("utf-16-be")
        self.at += 1
        return units.decode("utf-16-be")

    def number(self) -> float:
        found = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?").match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        number = float(found[0])
        assert math.isfinite(number)
        if number != math.floor(number):
            return number
        exact = int(found[0]) if found[2] is None and found[3] is None else int(number)
        assert abs(exact) <= MOST
        return exact


def reading(line: bytes) -> tuple[bool, Any]:
    """Whether `line` holds a value, and which."""
    try:
        return True, Reading(line).whole()
    except (AssertionError, KeyError, UnicodeDecodeError):
        return False, None


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal to the last type: 1 is neither 1.0 nor true, and members have an order."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
