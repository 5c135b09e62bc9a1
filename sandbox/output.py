"""Output kept in bounded memory: its first and its last part, where a crash explains itself."""

from __future__ import annotations

__all__ = ["FirstAndLast"]


class FirstAndLast:
    """Keeps the first `first` and the last `last` bytes of a stream and counts the rest."""

    __slots__ = ("_head", "_tail", "first", "last", "total")

    def __init__(self, first: int = 8 * 1024, last: int = 24 * 1024) -> None:
        self.first = first
        self.last = last
        self.total = 0
        self._head = bytearray()
        self._tail = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        self.total += len(data)
        room = self.first - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Trimmed at twice the size, so that many small pieces don't each move the whole tail.
        if len(self._tail) > 2 * self.last:
            del self._tail[: len(self._tail) - self.last]

    @property
    def missing(self) -> int:
        """How many bytes between the two parts are not kept."""
        return max(0, self.total - self.first - self.last)

    def parts(self) -> tuple[bytes, bytes]:
        """The two parts; the second is empty while the first has room."""
        return bytes(self._head), bytes(self._tail[max(0, len(self._tail) - self.last) :])

    def text(self) -> str:
        """All that is kept, with a line that says how much is missing; bytes that are no UTF-8 become U+FFFD."""
        head, tail = self.parts()
        if not self.missing:
            return (head + tail).decode("utf-8", "replace")
        marker = f"\n[... {self.missing} bytes left out ...]\n"
        return head.decode("utf-8", "replace") + marker + tail.decode("utf-8", "replace")
