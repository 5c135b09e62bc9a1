"""The two forms in which JSON is written here: canonical, which hashes are taken over (RFC 8785), and compact."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from harness.protocol.whole import MAX_WHOLE

__all__ = ["canonical", "compact", "digest_of"]


def canonical(data: Any) -> bytes:
    """The one UTF-8 form of `data` by RFC 8785, without spaces and with names in order of their UTF-16 code units.

    `data` is built of strings, booleans, None, whole numbers of magnitude below 2^53 (3.0 is written as 3), lists,
    tuples and dicts with string names. Raises ValueError for anything else, a lone surrogate included.
    """
    text = json.dumps(_ordered(data), ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
    return text.encode("utf-8")


def compact(data: Any) -> bytes:
    """`data` as JSON in UTF-8 without spaces, members in the order that they have. ValueError for NaN and infinity."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


def digest_of(data: Any) -> str:
    """SHA-256 of the canonical form, 64 lower-case hex digits. Raises ValueError like `canonical`."""
    return hashlib.sha256(canonical(data)).hexdigest()


def _ordered(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        # A record is mostly lists of turn strings.
        return [item if type(item) is str else _ordered(item) for item in data]
    if data is None or isinstance(data, (str, bool)):
        return data
    if isinstance(data, (int, float)):
        # The comparison is false for NaN and infinities as well.
        if -MAX_WHOLE <= data <= MAX_WHOLE and int(data) == data:
            return int(data)
        raise ValueError(f"{_shown(data)} is no whole number of magnitude below 2^53")
    if isinstance(data, dict):
        return {name: _ordered(data[name]) for name in sorted(data, key=_utf16)}
    raise ValueError(f"a {type(data).__name__} has no canonical form")


def _shown(number: float) -> str:
    # repr of an integer beyond the interpreter's digit limit would raise a ValueError of another meaning.
    return "a large integer" if isinstance(number, int) else repr(number)


def _utf16(name: Any) -> bytes:
    if not isinstance(name, str):
        raise ValueError(f"the name of a member is a {type(name).__name__}, not a string")
    # Big-endian bytes compare as code units do.
    return name.encode("utf-16-be")
