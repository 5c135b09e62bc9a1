"""How the store keeps JSON and long texts: compact, and as gzip."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["compact", "packed", "unpacked", "unzipped", "zipped"]


def compact(data: Mapping[str, Any]) -> str:
    """JSON without spaces, names in the order of `data`."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def zipped(text: str, errors: str = "strict") -> bytes:
    """UTF-8 as gzip, the same bytes for the same text; `errors` are those of `str.encode`."""
    return gzip.compress(text.encode("utf-8", errors), compresslevel=6, mtime=0)


def unzipped(data: bytes) -> str:
    """The inverse of `zipped`."""
    return gzip.decompress(data).decode("utf-8")


def packed(record: Mapping[str, Any]) -> bytes:
    """A record as the store keeps it, the same bytes for the same record."""
    return zipped(compact(record))


def unpacked(data: bytes) -> dict[str, Any]:
    """The inverse of `packed`."""
    record: dict[str, Any] = json.loads(unzipped(data))
    return record
