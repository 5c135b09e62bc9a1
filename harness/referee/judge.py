"""The judge of one seat: bytes in, an answer or a broken rule out. It knows no process and no clock.

The contract's rules on a bot's output are all here: the handshake, which turn a reply is for, late answers, floods.
What two rules are broken by the same bytes, the earlier byte names the kind, since the judge reads in order and stops
at the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.protocol import MAX_GOT, BadMessage, LineSplitter, LineTooLong, ReadyReply, read_reply

__all__ = ["FLOOD_BYTES", "FLOOD_LINES", "Judge", "Verdict", "excerpt"]

FLOOD_BYTES = 256 * 1024
"""Bytes of stdout that a bot may send from one question to the next."""
FLOOD_LINES = 1_000
"""Lines of stdout, empty ones included, that a bot may send from one question to the next."""

_SHOWN_BYTES = 4 * MAX_GOT  # no UTF-8 character is longer than four bytes


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule broken: its kind in the contract, what was due, and what came (at most `MAX_GOT` characters)."""

    kind: str
    expected: str
    got: str


class Judge:
    """Reads what one bot writes.

    `ready` tells whether the handshake is done, `asked` the last turn asked of this seat (0 before the first): setting
    it opens the question. `answer` is the letter given to turn `answered`, `late` how many answers came too late,
    `verdict` the first rule broken. After a verdict nothing more is read.

    """

    __slots__ = (
        "_begun",
        "_bytes",
        "_fed",
        "_lines",
        "_splitter",
        "_taken",
        "answer",
        "answered",
        "asked",
        "late",
        "ready",
        "verdict",
    )

    def __init__(self) -> None:
        self.ready = False
        self.asked = 0
        self.answered = 0
        self.answer = ""
        self.late = 0
        self.verdict: Verdict | None = None
        self._fed = -1  # the turn during which something was fed last
        self._begun = False  # a line has begun and not ended
        self._taken = 0
        self._splitter = LineSplitter()
        self._bytes = 0
        self._lines = 0

    @property
    def open(self) -> bool:
        """Whether an answer is due."""
        return self.answered < self.asked

    @property
    def unfinished(self) -> bytes:
        """What has come of a line that has not ended."""
        return self._splitter.rest

    @property
    def expected(self) -> str:
        """What the bot owes now, in words."""
        if not self.ready:
            return '{"type":"ready"}'
        if self.open:
            return f"a decision for turn {self.asked}"
        return "nothing before the next question"

    def take(self, chunk: bytes, replies: Mapping[bytes, str]) -> bool:
        """Take what arrived as the answer to the open question if it is one of the known `replies` to it, and alone.

        Nearly all answers are of this kind, and such a line needs no reader. False, and nothing has happened, if this
        is none, if more has come since the question, or if a line had begun before: then it is for `feed`.
        """
        if chunk not in replies or self._fed == self.asked or self._begun or self.answered == self.asked:
            return False
        self.answer = replies[chunk]
        self.answered = self.asked
        self._taken = len(chunk)
        return True

    def feed(self, chunk: bytes) -> None:
        """Take what arrived together and judge all of it, in order."""
        if self.verdict is not None:
            return
        if self._fed != self.asked:
            # The first since the question, or since an answer to it that was taken.
            self._fed = self.asked
            self._bytes, self._lines = (0, 0) if self.open or not self.asked else (self._taken, 1)
        room = FLOOD_BYTES - self._bytes
        self._bytes += len(chunk)
        self._begun = True
        try:
            for line in self._splitter.feed(chunk[:room]):
                self._lines += 1
                if self._lines > FLOOD_LINES:
                    self._flood()
                elif line:
                    self._judge(line)
                if self.verdict is not None:
                    return
        except LineTooLong as trouble:
            self._bad("bad-message", trouble.start, "a line over 64 KiB")
            return
        if len(chunk) > room:
            self._flood()
        self._begun = self._splitter.pending > 0

    def _judge(self, line: bytes) -> None:
        try:
            reply = read_reply(line)
        except BadMessage as trouble:
            self._bad("bad-message", line, trouble.reason)
            return
        if isinstance(reply, ReadyReply):
            if self.ready:
                self._bad("bad-message", line, "a second ready")
            self.ready = True
        elif not self.ready:
            self._bad("bad-message", line, "no ready before it")
        elif reply.turn > self.asked:
            self._bad("bad-turn", line, f"turn {reply.turn} was not asked of this seat yet")
        elif reply.turn < self.asked or not self.open:
            self.late += 1
        elif reply.action is None:
            self._bad("bad-action", line, 'action is neither "continue" nor "leave"')
        else:
            self.answer = "C" if reply.action == "continue" else "L"
            self.answered = self.asked

    def _bad(self, kind: str, line: bytes, why: str) -> None:
        self.verdict = Verdict(kind, f"{self.expected} ({why})", excerpt(line))

    def _flood(self) -> None:
        got = f"{self._lines} lines, {self._bytes} bytes"
        self.verdict = Verdict("output-flood", f"at most {FLOOD_LINES} lines and {FLOOD_BYTES} bytes a question", got)


def excerpt(line: bytes) -> str:
    """The evidence kept of `line`: valid Unicode, at most `MAX_GOT` characters."""
    return line[:_SHOWN_BYTES].decode("utf-8", "replace")[:MAX_GOT]
