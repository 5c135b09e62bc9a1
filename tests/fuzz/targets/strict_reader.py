"""The strict reader and the reading of replies, against a second reader and the contract's rules on a bot's line.

Any bytes are a value or NotIJson, and a second reader made from the RFCs says which; what was read is written and read
back the same; its canonical form is that of another implementation of RFC 8785; a reply is what the contract says.
"""

from __future__ import annotations

import json
from typing import Any

import rfc8785

from harness.protocol import (
    BadMessage,
    DecisionReply,
    NotIJson,
    ReadyReply,
    canonical,
    compact,
    read_reply,
    read_strict,
)
from tests.fuzz.stretches import expanded
from tests.second.reader import reading, same

RUNS = 120_000
LONGEST = 600
WORDS = (
    b"true",
    b"false",
    b"null",
    b"NaN",
    b"Infinity",
    b"1e400",
    b"-0",
    b"-0.0",
    b"3.0",
    b"9007199254740991",
    b"9007199254740992",
    b"\\ud83d",
    b"\\ude00",
    b"\\u0000",
    b"\xef\xbb\xbf",
    b'{"type":"decision"',
    b'"turn":',
    b'"action":"leave"',
    b'"action":"continue"',
    b'{"type":"ready"}',
    b"[[[[[[[[",
    b"]]]]]]]]",
    b'{"a":',
    b"\r\n",
    b"\xfe\x09[",
    b"\xfe\x0a1",
)


def check(data: bytes) -> bool:
    line = expanded(data, 70 * 1024)
    good, value = reading(line)
    try:
        read = read_strict(line)
    except NotIJson as error:
        assert not good, error.reason
        assert error.reason.isprintable()
        assert _kind(line) == "bad"
        return False
    assert good
    assert same(read, value)
    assert same(read_strict(compact(read)), read)
    try:
        form = canonical(read)
    except ValueError:
        assert _has_fraction(read)
    else:
        assert form == rfc8785.dumps(read)
    assert _kind(line) == meaning(value)
    return True


def _kind(line: bytes) -> Any:
    try:
        reply = read_reply(line)
    except BadMessage as error:
        assert error.reason.isprintable()
        return "bad"
    if isinstance(reply, ReadyReply):
        return "ready"
    assert isinstance(reply, DecisionReply)
    return (reply.turn, reply.action)


def meaning(value: Any) -> Any:
    """What a bot's line means, by the contract."""
    if not isinstance(value, dict):
        return "bad"
    if value.get("type") == "ready":
        return "ready"
    turn = value.get("turn")
    if value.get("type") != "decision" or type(turn) is not int or turn < 1:
        return "bad"
    action = value.get("action")
    return (turn, action if action in ("continue", "leave") else None)


def _has_fraction(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(_has_fraction, value))
    return type(value) is float


def seeds() -> dict[str, bytes]:
    nested = "[" * 31 + '{"a":1}' + "]" * 31
    return {
        "good-ready": b'{"type":"ready"}',
        "good-continue": b'{"type":"decision","turn":1,"action":"continue"}',
        "good-leave": b' {"action" : "leave", "x": [{},2.5,null,"\\ud83d\\ude00"], "turn":3.0, "type":"decision"}\r',
        "good-numbers": b"[0,-0,-0.0,3.0,30e-1,1e-400,0.1,9007199254740991,-9007199254740991,1E2,5e-324]",
        "good-strings": json.dumps(["é\U0001f600", "\\ud800", '\x7f"\\/\b\f\n\r\t', "\uffff"]).encode(),
        "good-deepest": nested.encode(),
        "good-long": b'"\xfe\x80a"',
        "deeper": f"[{nested}]".encode(),
        "infinite": b'{"a":1e400}',
        "large": b"9007199254740992",
        "digits": b"\xfe\x0a1",
        "surrogate": b'["\\ude00\\ud83d"]',
        "twice": b'{"a":1,"\\u0061":2}',
        "marked": b"\xef\xbb\xbf{}",
        "constants": b"[NaN,Infinity,-Infinity]",
        "cut": b'{"type":"decision","turn":1,"action":"con',
        "control": b'"\x00\x1f"',
        "not-utf-8": b'"\xed\xa0\x80\xff"',
    }
