"""Cuts what a bot writes into lines, in bounded memory, however it arrives."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["MAX_LINE", "LineSplitter", "LineTooLong"]

MAX_LINE = 64 * 1024
"""The longest line, in bytes before its newline."""

_BOM = b"\xef\xbb\xbf"

_SHOWN = 4096
"""Bytes that are kept of a line that is too long."""


class LineTooLong(ValueError):
    """A line over MAX_LINE; `start` holds its first bytes, 4 KiB of them at most."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        super().__init__(f"a line over {MAX_LINE} bytes")


class LineSplitter:
    """One stream's lines. Holds less than MAX_LINE and a few bytes of an unended line besides the chunk at hand."""

    __slots__ = ("_at_start", "_rest")

    def __init__(self) -> None:
        self._rest = bytearray()
        self._at_start = True

    @property
    def pending(self) -> int:
        """How many bytes are kept of the line that has not ended yet."""
        return len(self._rest)

    @property
    def rest(self) -> bytes:
        """What has come of the line that has not ended yet."""
        return bytes(self._rest)

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        r"""Yield each line that ends in `chunk`, without its \n or \r\n, empty ones too, then keep the rest.

        A byte order mark at the start of the stream is dropped. Raises LineTooLong behind
        the lines before it, as soon as it is known, whether the line has ended or not; the splitter is of no use
        afterwards. Exhaust the iterator before the next chunk.
        """
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            piece = chunk[start:end]
            start = end + 1
            if self._rest:
                # A piece may be as long as the chunk, so that only what was kept is bounded, not what is joined here.
                piece = bytes(self._rest + piece)
                self._rest.clear()
            if self._at_start:
                self._at_start = False
                piece = piece.removeprefix(_BOM)
            if piece.endswith(b"\r"):
                piece = piece[:-1]
            if len(piece) > MAX_LINE:
                raise LineTooLong(piece[:_SHOWN])
            yield piece
        if start < len(chunk):
            self._rest += chunk[start:]
            self._refuse_long_rest()

    def _refuse_long_rest(self) -> None:
        rest = self._rest
        length = len(rest)
        if length <= MAX_LINE:
            return
        # Neither the mark nor the \r of a \r\n whose second half is still to come belongs to the line.
        start = len(_BOM) if self._at_start and rest.startswith(_BOM) else 0
        if length - start - rest.endswith(b"\r") > MAX_LINE:
            raise LineTooLong(bytes(rest[start : start + _SHOWN]))
