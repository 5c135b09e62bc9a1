r"""The judge of a seat: any bytes in any pieces, never an exception, and the verdict of the contract.

`\xfd` opens the next question, as the referee does once the last one is answered; the byte behind it says how many
turns on, the first two of all say how the stream is cut. Fed in one piece a question, or in many and by the short way
for a canonical answer, the judge comes to what an account of the contract's rules written here comes to: ready, answer,
late answers, kind of the fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.protocol import known_replies
from harness.referee.judge import Judge
from tests.fuzz.stretches import expanded, pieces
from tests.fuzz.targets.strict_reader import meaning
from tests.second.reader import reading

RUNS = 40_000
LONGEST = 600
WORDS = (
    b'{"type":"ready"}\n',
    b'{"type":"decision","turn":1,"action":"continue"}\n',
    b'{"type":"decision","turn":1,"action":"leave"}\n',
    b'{"type":"decision","turn":2,"action":"leave"}\n',
    b'"turn":',
    b'"action":',
    b"\xfd\x00",
    b"\xfd\x01",
    b"\n",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xfe\x7d\n",
    b"\xfe\x80 ",
    b"\xfe\xff ",
    b"\xfd\x00" + b'{"type":"decision","turn":',
)

MOST_LINE = 64 * 1024
MOST_BYTES = 256 * 1024
MOST_LINES = 1_000


@dataclass
class Account:
    """The contract's rules on what a bot writes, a question at a time."""

    rest: bytes = b""
    begun: bool = False
    ready: bool = False
    asked: int = 0
    open: bool = False
    answer: str | None = None
    late: int = 0
    kind: str | None = None

    def ask(self, turn: int) -> None:
        self.asked, self.open, self.answer = turn, True, None

    def hear(self, sent: bytes) -> None:
        """All that comes before the next question."""
        *lines, self.rest = (self.rest + sent[:MOST_BYTES]).split(b"\n")
        for number, line in enumerate(lines, 1):
            line = self.bare(line).removesuffix(b"\r")
            # That a line is too long is known before it ends.
            flooded = number > MOST_LINES and len(line) <= MOST_LINE
            self.kind = "output-flood" if flooded else self.judged(line)
            self.begun = True
            if self.kind is not None:
                return
        if len(self.bare(self.rest).removesuffix(b"\r")) > MOST_LINE:
            self.kind = "bad-message"
        elif len(sent) > MOST_BYTES:
            self.kind = "output-flood"

    def bare(self, line: bytes) -> bytes:
        return line if self.begun else line.removeprefix(b"\xef\xbb\xbf")

    def judged(self, line: bytes) -> str | None:
        if not line:
            return None
        if len(line) > MOST_LINE:
            return "bad-message"
        good, value = reading(line)
        reply = meaning(value) if good else "bad"
        if reply == "bad" or (reply == "ready") == self.ready:
            return "bad-message"
        if reply == "ready":
            self.ready = True
            return None
        turn, action = reply
        if turn > self.asked:
            return "bad-turn"
        if turn < self.asked or not self.open:
            self.late += 1
            return None
        if action is None:
            return "bad-action"
        self.open, self.answer = False, action[0].upper()
        return None


def check(data: bytes) -> bool:
    first, *others = data[2:].split(b"\xfd")
    questions = [(0, first)] + [(other[0] % 3 + 1, other[1:]) for other in others if other]
    whole, cut, due = Judge(), Judge(), Account()
    turn = 0
    replies: Mapping[bytes, str] = {}
    for step, text in questions:
        sent = expanded(text)
        if step:
            if not due.ready or (due.asked and due.answer is None):
                break
            turn += step
            replies = known_replies(turn)
            due.ask(turn)
            for judge in (whole, cut):
                judge.asked = turn
        due.hear(sent)
        whole.feed(sent)
        for piece in pieces(sent, data[:2]):
            if not cut.take(piece, replies):
                cut.feed(piece)
        for judge in (whole, cut):
            assert (judge.ready, judge.asked, judge.late) == (due.ready, due.asked, due.late)
            assert (judge.answer if judge.asked and not judge.open else None) == due.answer
            assert (judge.verdict.kind if judge.verdict else None) == due.kind
            assert len(judge.unfinished) <= MOST_LINE + 4 or judge.verdict is not None
            if judge.verdict is not None:
                assert len(judge.verdict.got) <= 1_000
                judge.verdict.got.encode("utf-8")
                assert judge.verdict.expected
        if due.kind is not None:
            assert whole.verdict is not None
            assert cut.verdict is not None
            if due.kind != "output-flood":  # which tells how much had come
                assert whole.verdict == cut.verdict
            return False
    return True


def seeds() -> dict[str, bytes]:
    ready = b'{"type":"ready"}\n'

    def decision(turn: object, action: str) -> bytes:
        return f'{{"type":"decision","turn":{turn},"action":"{action}"}}\n'.encode()

    return {
        "good-match": b"\x01\x05" + ready + b"\xfd\x00" + decision(1, "continue") + b"\xfd\x01" + decision(3, "leave"),
        "good-late": b"\x00\x00"
        + ready
        + b"\xfd\x00"
        + decision(1, "leave") * 2
        + b"\xfd\x00"
        + decision(1, "stay")
        + decision("2.0", "leave"),
        "good-odd-forms": b"\x07\x03\xef\xbb\xbf\r\n\n"
        + ready[:-1]
        + b"\r\n\xfd\x02\n\n"
        + b' { "turn":3e0,"x":[{}],"type":"decision","action":"leave"}\r\n',
        "good-halves": b"\x09\x00"
        + ready
        + b"\xfd\x00"
        + decision(1, "leave")
        + decision(1, "leave")[:9]
        + b"\xfd\x00"
        + decision(1, "leave")[9:]
        + decision(2, "leave"),
        "good-padded": b"\x00\x00" + ready + b"\xfd\x00" + decision(1, "leave")[:-1] + b"\xfe\x7f \n",
        "good-most-lines": b"\x00\x00\n" + ready + b"\xfe\x7c\n" + b"\n" * 6,
        "no-ready": b"\x00\x00" + decision(1, "leave"),
        "twice-ready": b"\x00\x02" + ready * 2,
        "bad-turn": b"\x00\x00" + ready + b"\xfd\x00" + decision(2, "leave"),
        "bad-action": b"\x00\x00" + ready + b"\xfd\x00" + decision(1, "stay"),
        "bad-message": b"\x03\x00" + ready + b"\xfd\x00thinking\n" + decision(1, "leave"),
        "flood-of-lines": b"\x00\x00" + ready + b"\xfe\x7d\n",
        "flood-of-bytes": b"\x00\x00"
        + ready
        + b"\xfd\x00"
        + decision(1, "leave")
        + (decision(1, "leave")[:-1] + b"\xfe\x72 \n") * 5,
        "long-behind-most-lines": b"\x00\x00" + ready + b"\xfe\x7c\n" + b"\n" * 7 + b"\xfe\x81x\n",
        "line-without-end": b"\x00\xff" + ready + b"\xfe\x81x",
    }
