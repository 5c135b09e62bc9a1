"""Reads the one form of tar that a bot's archive has: regular files, and long or foreign names in pax headers.

Python's own reader knows many more, among them sparse files and headers without end, and raises what it likes on bytes
made to break it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["NotOurTar", "TarMember", "read_tar"]

_BLOCK = 512
_MAGIC = b"ustar\x0000"
_CHECKSUM = slice(148, 156)
_REGULAR = (b"0", b"\0")
_PAX = b"x"

_MOST_PAX = 8192
"""Bytes of a pax header at most; it holds a path."""


class NotOurTar(ValueError):
    """The bytes are no archive as `pack` makes them; the message says why in a few words of ours."""


@dataclass(frozen=True, slots=True)
class TarMember:
    """One regular file: its name as it stands there, its mode and its content."""

    name: str
    mode: int
    data: bytes


def read_tar(tar: bytes) -> Iterator[TarMember]:
    """The files of a tar in its order, in time linear in its length. NotOurTar where one is no regular file or broken.

    Names are those of the archive, whatever they are.
    """
    at = 0
    path: str | None = None
    while at < len(tar):
        header = tar[at : at + _BLOCK]
        at += _BLOCK
        if not header.strip(b"\0"):
            if path is not None or tar[at:].strip(b"\0"):
                raise NotOurTar("something lies behind its end")
            return
        if len(header) < _BLOCK or header[257:265] != _MAGIC:
            raise NotOurTar("broken, or not a tar of the POSIX form")
        due = sum(header) - sum(header[_CHECKSUM]) + 8 * ord(" ")
        if _number(header[_CHECKSUM]) != due:
            raise NotOurTar("the checksum of a header is wrong")
        size = _number(header[124:136])
        data = tar[at : at + size]
        if len(data) < size:
            raise NotOurTar("cut off")
        at += -(-size // _BLOCK) * _BLOCK
        kind = header[156:157]
        if kind == _PAX and path is None:
            path = _path(data)
        elif kind in _REGULAR:
            yield TarMember(_name(header) if path is None else path, _number(header[100:108]), data)
            path = None
        else:
            raise NotOurTar("something in it is not a regular file")
    raise NotOurTar("cut off")


def _number(field: bytes) -> int:
    """A number as octal digits with blanks or NULs behind; nothing in a bot needs more."""
    digits = field.rstrip(b" \0")
    if not digits or digits.strip(b"01234567"):
        raise NotOurTar("a number in a header is none")
    return int(digits, 8)


def _name(header: bytes) -> str:
    name, prefix = (field.partition(b"\0")[0] for field in (header[:100], header[345:500]))
    return _text(prefix + b"/" + name if prefix else name)


def _path(records: bytes) -> str:
    """The path that a pax header holds and nothing else: `LENGTH path=PATH` and a newline, the length that of all."""
    length, _, record = records.partition(b" ")
    if (
        len(records) > _MOST_PAX
        or length != str(len(records)).encode()
        or not record.startswith(b"path=")
        or not record.endswith(b"\n")
    ):
        raise NotOurTar("a pax header holds more than a path")
    return _text(record[5:-1])


def _text(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        raise NotOurTar("a name is not UTF-8") from None
