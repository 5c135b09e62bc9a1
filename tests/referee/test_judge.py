"""What one seat's bytes mean, without any process."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.referee.judge import FLOOD_BYTES, FLOOD_LINES, Judge

READY = b'{"type":"ready"}\n'


def seated(turn: int = 0) -> Judge:
    judge = Judge()
    judge.feed(READY)
    if turn:
        ask(judge, turn)
    return judge


def ask(judge: Judge, turn: int) -> None:
    judge.asked = turn


def decision(turn: object, action: str = '"leave"') -> bytes:
    return b'{"type":"decision","turn":%s,"action":%s}\n' % (str(turn).encode(), action.encode())


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (READY, "bad-message"),
        (b"thinking...\n", "bad-message"),
        (b"[]\n", "bad-message"),
        (b'{"turn":5,"action":"leave"}\n', "bad-message"),
        (b'{"type":"hello"}\n', "bad-message"),
        (b'{"type":"decision","type":"decision","turn":5,"action":"leave"}\n', "bad-message"),
        (decision("true"), "bad-message"),
        (decision("0"), "bad-message"),
        (decision("5.5"), "bad-message"),
        (decision('"5"'), "bad-message"),
        (decision("9007199254740992"), "bad-message"),
        (decision("1e400"), "bad-message"),
        (b"\xff\xfe\n", "bad-message"),
        (b'{"type":"decision","turn":5,"action":"leave","x":"\\ud800"}\n', "bad-message"),
        (b" " * 65_537, "bad-message"),
        (b'{"type":"decision","turn":5,"action":"leave","x":' + b"[" * 32 + b"]" * 32 + b"}\n", "bad-message"),
        (decision(6), "bad-turn"),
        (decision(7, '"stay"'), "bad-turn"),
        (decision(5, '"stay"'), "bad-action"),
        (decision(5, "1"), "bad-action"),
        (b'{"type":"decision","turn":5}\n', "bad-action"),
        (b"\n" * (FLOOD_LINES + 1), "output-flood"),
        (b"\r\n" * (FLOOD_LINES + 1), "output-flood"),
        ((b" " * 60_000 + b"\n") * 5, "bad-message"),
        ((decision(1)[:-1] + b" " * 60_000 + b"\n") * 5, "output-flood"),
    ],
)
def test_a_broken_rule_has_its_kind(sent: bytes, kind: str) -> None:
    judge = seated(5)
    judge.feed(sent)
    assert judge.verdict is not None
    assert judge.verdict.kind == kind
    assert judge.answered == 0
    assert "turn 5" in judge.verdict.expected or kind == "output-flood"
    assert len(judge.verdict.got) <= 1000


@pytest.mark.parametrize(
    "sent",
    [
        decision(5),
        decision("5.0"),
        decision("5e0"),
        decision(5)[:-1] + b"\r\n",
        b"\n\n" + decision(5) + b"\n",
        b'  { "action" : "leave", "note": {"a":[1,2.5,null,"\\ud83d\\ude00"]}, "turn": 5, "type": "decision" } \n',
        decision(5) + decision(5, '"continue"'),
        decision(4, '"nonsense"') + decision(5),
        b"\n" * (FLOOD_LINES - 1) + decision(5),
        decision(5)[:-1] + b" " * (65_536 - len(decision(5)) + 1) + b"\n",
    ],
)
def test_the_first_answer_to_the_open_question_counts_however_it_is_written(sent: bytes) -> None:
    judge = seated(5)
    judge.feed(sent)
    assert judge.verdict is None
    assert judge.answer == "L"


def test_answers_that_come_late_are_counted_and_never_taken_for_another_turn() -> None:
    judge = seated(1)
    judge.feed(decision(1) + decision(1, '"continue"'))
    assert (judge.answer, judge.late) == ("L", 1)
    ask(judge, 4)  # turns 2 and 3 were asked of others
    judge.feed(decision(1) + decision(2) + decision(3))
    assert (judge.open, judge.late, judge.verdict) == (True, 4, None)
    judge.feed(decision(4, '"continue"'))
    assert (judge.answer, judge.late) == ("C", 4)


def test_a_turn_asked_only_of_others_is_late_once_this_seat_was_asked_again_and_a_fault_before() -> None:
    judge = seated(2)
    judge.feed(decision(2))
    judge.feed(decision(3))
    assert judge.verdict is not None
    assert judge.verdict.kind == "bad-turn"


def test_nothing_but_ready_comes_first() -> None:
    for first in (decision(1), b"hi\n", b'{"type":"READY"}\n'):
        judge = Judge()
        judge.feed(first)
        assert judge.verdict is not None
        assert judge.verdict.kind == "bad-message"
        assert not judge.ready
        assert "ready" in judge.verdict.expected


def test_of_two_broken_rules_the_earlier_byte_names_the_kind() -> None:
    for first, second in ((decision(9), b"text\n"), (b"text\n", decision(9)), (decision(5, "0"), b"\n" * 2000)):
        judge, alone = seated(5), seated(5)
        judge.feed(first + second)
        alone.feed(first)
        assert judge.verdict is not None
        assert alone.verdict is not None
        assert judge.verdict.kind == alone.verdict.kind


def test_the_flood_count_starts_anew_with_each_question() -> None:
    judge = seated()
    for turn in range(1, 6):
        judge.feed(b"\n" * (FLOOD_LINES - 1))
        ask(judge, turn)
        judge.feed(decision(turn))
        assert judge.answer == "L"
        assert judge.verdict is None


def test_what_was_kept_of_an_unended_line_is_bounded() -> None:
    judge = seated(1)
    for _ in range(10_000):
        judge.feed(b"x" * 1000)
    assert judge.verdict is not None
    assert judge.verdict.kind == "bad-message"
    assert len(judge.unfinished) <= 2 * 65_536


@given(st.lists(st.integers(0, 200), max_size=8), st.integers(1, 9), st.sampled_from(["C", "L"]))
def test_pieces_mean_the_same_as_the_whole(cuts: list[int], turn: int, letter: str) -> None:
    text = b"\n" + decision(turn, '"continue"' if letter == "C" else '"leave"') + decision(turn)
    whole, pieces = seated(5), seated(5)
    whole.feed(text)
    at = 0
    for cut in sorted(cuts):
        pieces.feed(text[at : max(at, cut)])
        at = max(at, cut)
    pieces.feed(text[at:])
    assert (whole.answer, whole.late, whole.verdict) == (pieces.answer, pieces.late, pieces.verdict)


@given(st.binary(max_size=300))
def test_no_bytes_raise(noise: bytes) -> None:
    judge = seated(1)
    judge.feed(noise)
    judge.feed(b"\n")
    assert judge.verdict is None or judge.verdict.kind == "bad-message" or judge.open


@pytest.mark.parametrize("over", [0, 1])
def test_the_flood_limit_is_exact_in_bytes(over: int) -> None:
    judge = seated(5)
    line = decision(1)[:-1] + b" " * 30_000 + b"\n"
    sent = line * (FLOOD_BYTES // len(line))
    sent += b" " * (FLOOD_BYTES - len(sent) + over)
    for at in range(0, len(sent), 65_536):
        judge.feed(sent[at : at + 65_536])
    assert (judge.verdict is not None) == bool(over)
