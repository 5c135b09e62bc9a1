"""Faults in plain words: every kind has its sentence, times stand beside limits, nothing moves the cursor."""

from __future__ import annotations

import io
import signal
from typing import Any

import pytest
from rich.console import Console

from harness.cli.faults_table import STDERR_LINES, count_table, fault_line, fault_lines, stderr_lines
from harness.cli.terminal import UNICODE
from harness.protocol import FAULT_KINDS, Limits
from harness.referee import exit_in_words, happened, mend, milliseconds

LIMITS = Limits().to_json()


def fault(kind: str = "timeout", **more: Any) -> dict[str, Any]:
    return {
        "seat": 2, "kind": kind, "game": 3, "expedition": 4, "turn": 55, "cpu_us": 5_123_456, "wall_us": 6_000,
        "expected": "a decision for turn 55", "got": "", "exit": None,
    } | more  # fmt: skip


def text_of(one: dict[str, Any]) -> str:
    return "\n".join(line.plain for line in fault_lines("small/1/2/3", "bot", one, LIMITS, 400))


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_every_kind_of_the_contract_is_told_in_words(kind: str) -> None:
    assert happened(kind) not in ("", kind)
    assert mend(kind)
    assert happened(kind) in text_of(fault(kind))
    assert f"to mend:  {mend(kind)}" in text_of(fault(kind))


def test_a_kind_from_the_future_is_shown_by_its_name() -> None:
    assert "fault of kind sleepwalking" in text_of(fault("sleepwalking"))


def test_the_place_and_the_times_against_their_limits() -> None:
    text = text_of(fault())
    assert "bot: timeout  small/1/2/3  game 3, expedition 4, turn 55" in text
    assert "5.12 s of CPU time, 6.0 ms by the clock; allowed: move_ms 100, bank_ms 5000" in text


def test_a_start_is_held_against_the_start_allowance() -> None:
    assert "allowed: start_ms 10000" in text_of(fault("start-timeout"))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "ended by the referee"),
        (0, "exit status 0"),
        (3, "exit status 3"),
        (-signal.SIGSEGV, "killed by SIGSEGV"),
        (-9, "killed by SIGKILL"),
        (-250, "killed by signal 250"),
    ],
)
def test_how_the_process_ended(status: int | None, words: str) -> None:
    assert exit_in_words(status) == words
    assert words in text_of(fault("crashed", exit=status))


HOSTILE = "\x1b[2J\u202etxt\r\n\x07"


def test_what_a_bot_wrote_is_made_visible() -> None:
    for line in [
        *fault_lines(HOSTILE, HOSTILE, fault(got=HOSTILE, expected=HOSTILE), LIMITS, 400),
        *stderr_lines(HOSTILE),
    ]:
        assert line.plain.isprintable()
    assert fault_line(HOSTILE, fault(HOSTILE), UNICODE, HOSTILE).plain.isprintable()


def test_of_a_long_stderr_the_first_and_the_last_lines_are_shown() -> None:
    lines = [line.plain.strip() for line in stderr_lines("\n".join(f"line {n}" for n in range(1000)))]
    assert lines[1] == "line 0"
    assert lines[-1] == "line 999"
    assert f"[{1000 - 2 * STDERR_LINES} more lines]" in lines
    assert len(lines) == 2 * STDERR_LINES + 2


def test_an_empty_stderr_is_said_to_be_empty() -> None:
    assert [line.plain for line in stderr_lines("")] == ["  stderr: (nothing)"]


def test_counts_come_most_first() -> None:
    stream = io.StringIO()
    Console(file=stream, width=80).print(count_table([("b", "crashed"), ("a", "timeout"), ("b", "crashed")]))
    rows = [line.split() for line in stream.getvalue().splitlines()]
    assert rows[1:] == [
        ["b", "crashed", "2"],
        ["a", "timeout", "1"],
    ]


@pytest.mark.parametrize(("us", "text"), [(0, "0.0 ms"), (1234, "1.2 ms"), (1_500_000, "1.50 s")])
def test_times_for_people(us: int, text: str) -> None:
    assert milliseconds(us) == text
