"""The frames between the main process and its children: four bytes of length, big-endian, then JSON in ASCII."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from harness.errors import HarnessFailure

__all__ = ["LONGEST", "Unpacker", "pack"]

LONGEST = 256 * 1024 * 1024
"""Bytes of a frame beyond which it is no frame of ours but noise on the pipe."""

_HEAD = 4
"""Bytes of a frame's length."""


def pack(message: dict[str, Any]) -> bytes:
    """Return the frame of one message."""
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")
    if len(body) > LONGEST:
        raise HarnessFailure(f"a message between processes of ours has {len(body)} bytes, more than {LONGEST}")
    return len(body).to_bytes(_HEAD, "big") + body


class Unpacker:
    """Cuts a stream of bytes back into messages, however it was split on its way."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """Yield every message that `chunk` completes; `HarnessFailure` if the stream is none of ours."""
        self._buffer += chunk
        while len(self._buffer) >= _HEAD:
            length = int.from_bytes(self._buffer[:_HEAD], "big")
            if length > LONGEST:
                raise HarnessFailure(f"a frame of {length} bytes was announced between processes of ours")
            if len(self._buffer) < _HEAD + length:
                return
            body = bytes(self._buffer[_HEAD : _HEAD + length])
            del self._buffer[: _HEAD + length]
            message = json.loads(body)
            if not isinstance(message, dict):
                raise HarnessFailure("a frame between processes of ours holds no object")
            yield message
