"""Real processes that talk badly, in C where an interpreter would stand between the bot and its pipe."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.bots import Home
from harness.referee import Played
from tests.referee.table import scripted

Play = Callable[..., Played]
InC = Callable[[str], Home]

REPLY = '{"type":"decision","turn":3,"action":"'

# behaviour → kind, exit status or signal, how the evidence starts
STRIKES = [
    ("answers without a newline and exits", "crashed", 0, REPLY),
    ("answers without a newline and closes output", "closed-output", None, REPLY),
    ("line without end", "bad-message", None, "0123456789abcdef"),
    ("closes output", "closed-output", None, ""),
    ("closes all three", "closed-output", None, ""),
    ("crashes by a bad address", "crashed", -11, ""),
    ("crashes by a division by zero", "crashed", -8, ""),
    ("aborts", "crashed", -6, ""),
    ("crashes in a flood of words", "crashed", 3, ""),
    ("kills its own session", "crashed", -9, ""),
    ("exits and leaves a daemon that holds its pipes", "crashed", 5, ""),
]

HARMLESS = [
    "carriage returns",
    "byte by byte",
    "the newline apart",
    "ready in pieces",
    "answers twice",
    "repeats an older answer",
    "flood of stderr before each answer",
    "makes its pipes non-blocking",
    "heeds no signal",
    "daemon from the start",
    "daemon at each turn",
]

# behaviour → limits, a word of the rule that was broken, how the evidence starts
SLEEPERS = [
    ("sleeps", {"stall_ms": 300}, "stall_ms", ""),
    ("sleeps", {"wait_ms": 200}, "wait_ms", ""),
    ("answers without a newline and lives", {"stall_ms": 300}, "stall_ms", REPLY),
    ("keeps its answer in a buffer", {"stall_ms": 300}, "stall_ms", ""),
    ("dribbles a true answer", {"stall_ms": 300}, "stall_ms", REPLY),
]


@pytest.mark.parametrize(("behaviour", "kind", "status", "got"), STRIKES, ids=[case[0] for case in STRIKES])
def test_a_fault_in_c_ends_one_bots_match_and_says_why(
    play_with: Play, in_c: InC, behaviour: str, kind: str, status: int | None, got: str
) -> None:
    record = play_with(in_c("good"), in_c(behaviour), scripted("good"), games=2).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"], fault["exit"]) == (1, kind, 3, status)
    assert fault["got"].startswith(got)
    assert fault["got"] != "" or got == ""
    assert [game["ranks"][1] for game in record["games"]] == [3, 3]


@pytest.mark.parametrize("behaviour", HARMLESS)
def test_odd_but_legal_behaviour_in_c_costs_nothing_and_shifts_no_answer(
    play_with: Play, in_c: InC, behaviour: str
) -> None:
    record = play_with(scripted("good"), in_c(behaviour), scripted("good")).record
    plain = play_with(*[scripted("good")] * 3).record
    assert record["faults"] == record["incidents"] == []
    assert record["games"] == plain["games"]


@pytest.mark.parametrize(("behaviour", "limits", "rule", "got"), SLEEPERS, ids=[f"{c[0]}, {c[2]}" for c in SLEEPERS])
def test_a_bot_in_c_that_owes_an_answer_is_out_by_the_limit_it_broke(
    play_with: Play, in_c: InC, behaviour: str, limits: dict[str, int], rule: str, got: str
) -> None:
    record = play_with(scripted("good"), in_c("good"), in_c(behaviour), **limits).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"], fault["exit"]) == (2, "timeout", 3, None)
    assert rule in fault["expected"]
    assert fault["got"].startswith(got)
    # The time used stands in the evidence, and is what the rule was broken by.
    assert fault["wall_us"] >= sum(limits.values()) * 1000
    assert fault["cpu_us"] < 200_000


@pytest.mark.parametrize("behaviour", ["silent", "silent and deaf"])
def test_a_silent_handshake_costs_one_match(play_with: Play, in_c: InC, behaviour: str) -> None:
    record = play_with(in_c("good"), in_c(behaviour), in_c("good"), start_ms=400, games=2).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"], fault["exit"]) == (1, "start-timeout", 1, None)
    assert fault["wall_us"] >= 1_200_000
    assert record["timing"][0]["decisions"] > 10


def test_how_a_bot_went_silent_is_told_apart(play_with: Play, in_c: InC) -> None:
    table = ["sleeps", "closes output", "aborts", "exits and leaves a daemon that holds its pipes"]
    faults = play_with(in_c("good"), *map(in_c, table), stall_ms=200).record["faults"]
    assert [fault["kind"] for fault in faults] == ["timeout", "closed-output", "crashed", "crashed"]
    assert [fault["exit"] for fault in faults] == [None, None, -6, 5]
    assert faults[0]["wall_us"] >= 200_000
    assert all("stall_ms" not in fault["expected"] for fault in faults[1:])


def test_a_line_without_end_is_held_in_bounded_memory(play_with: Play, in_c: InC) -> None:
    play_with(*[in_c("good")] * 3)
    tracemalloc.start()
    try:
        record = play_with(in_c("good"), *[in_c("line without end")] * 7).record
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [fault["kind"] for fault in record["faults"]] == ["bad-message"] * 7
    assert all(len(fault["got"]) == 1000 for fault in record["faults"])
    # A line and a chunk of 64 KiB each a seat, joined once, beside a match of its own size.
    assert peak < 7 * 4 * 65536 + 2_000_000


def test_the_last_words_outlive_a_flood_and_tell_the_crash(play_with: Play, in_c: InC) -> None:
    played = play_with(in_c("crashes in a flood of words"), in_c("aborts"), in_c("good"))
    assert played.stderr[0].endswith("the last words\n")
    assert len(played.stderr[0]) < 40_000
    assert played.stderr[1] == "assertion failed: pocket >= 0\n"


def test_a_flood_of_stderr_reaches_no_stream_of_ours(
    play_with: Play, in_c: InC, capfd: pytest.CaptureFixture[str]
) -> None:
    played = play_with(in_c("good"), in_c("flood of stderr before each answer"), scripted("stderr flood"))
    assert capfd.readouterr() == ("", "")
    assert "bytes left out" in played.stderr[1]


def living(program: Path) -> list[int]:
    """The processes that run a program, dead ones that wait to be reaped left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "exe").samefile(program):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_no_daemon_of_a_bot_in_c_outlives_its_match(play_with: Play, in_c: InC, trouble: Path) -> None:
    play_with(
        in_c("daemon from the start"),
        in_c("daemon at each turn"),
        in_c("exits and leaves a daemon that holds its pipes"),
        in_c("heeds no signal"),
        in_c("silent and deaf"),
        start_ms=400,
    )
    assert living(trouble) == []


def test_descriptors_made_non_blocking_by_one_bot_are_nobody_elses(play_with: Play, in_c: InC) -> None:
    blocking = [os.get_blocking(fd) for fd in range(3)]
    record = play_with(
        in_c("makes its pipes non-blocking"), in_c("flood of stderr before each answer"), in_c("good"), games=3
    ).record
    assert record["faults"] == record["incidents"] == []
    assert [os.get_blocking(fd) for fd in range(3)] == blocking
