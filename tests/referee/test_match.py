"""Real processes at one table: whatever one of them does ends its own match only, and the record says what it was."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.referee import Played, Stopped
from tests.referee.table import home, scripted

Play = Callable[..., Played]

# behaviour → kind, turn of the x, exit status or signal, a piece of what was got
STRIKES = [
    ("exits at start", "start-failed", 1, 3, ""),
    ("closes output at start", "closed-output", 1, None, ""),
    ("prints before ready", "bad-message", 1, None, "hello, I am a bot"),
    ("decides before ready", "bad-message", 1, None, '"turn":1'),
    ("two readies", "bad-message", 1, None, '{"type":"ready"}'),
    ("exits with status 0", "crashed", 3, 0, ""),
    ("raises", "crashed", 3, 1, ""),
    ("kills itself", "crashed", 3, -11, ""),
    ("exits while a child holds its output", "crashed", 3, 7, ""),
    ("closes output", "closed-output", 3, None, ""),
    ("debugging text", "bad-message", 3, None, "pocket is 7, I'll stay"),
    ("not a number", "bad-message", 3, None, "NaN"),
    ("a list", "bad-message", 3, None, "[1]"),
    ("unknown type", "bad-message", 3, None, "chat"),
    ("no turn", "bad-message", 3, None, "leave"),
    ("too deep", "bad-message", 3, None, "[[["),
    ("line without end", "bad-message", 3, None, "[[["),
    ("future turn", "bad-turn", 3, None, '"turn":4'),
    ("no action", "bad-action", 3, None, '"turn":3'),
    ("bad action", "bad-action", 3, None, "stay"),
    ("flood of empty lines", "output-flood", 3, None, "1001 lines"),
    ("flood of late answers", "output-flood", 3, None, "bytes"),
]

HARMLESS = [
    "carriage returns",
    "byte by byte",
    "byte order mark",
    "spaces and order",
    "stderr flood",
    "forks",
    "ignores the end",
    "answers twice",
    "past turn, then the right one",
]


@pytest.mark.parametrize(("behaviour", "kind", "turn", "status", "got"), STRIKES, ids=[case[0] for case in STRIKES])
def test_a_fault_ends_one_bots_match_and_says_why(
    play_with: Play, behaviour: str, kind: str, turn: int, status: int | None, got: str
) -> None:
    record = play_with(scripted("good"), scripted(behaviour), scripted("good"), games=2).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"]) == (1, kind, turn)
    assert (fault["game"], fault["expedition"]) == (1, 1)
    if status is not None:
        assert fault["exit"] == status
    assert got in fault["got"]
    assert record["incidents"] == []
    assert [game["ranks"][1] for game in record["games"]] == [3, 3]
    assert record["games"][1]["scores"][1] == 0


@pytest.mark.parametrize("behaviour", HARMLESS)
def test_odd_but_legal_behaviour_costs_nothing(play_with: Play, behaviour: str) -> None:
    record = play_with(scripted("good"), scripted(behaviour), scripted("good")).record
    plain = play_with(scripted("good"), scripted("good"), scripted("good")).record
    assert record["faults"] == record["incidents"] == []
    assert record["games"] == plain["games"]


def test_late_answers_are_counted(play_with: Play) -> None:
    record = play_with(
        scripted("answers twice"), scripted("past turn, then the right one"), scripted("good"), games=2
    ).record
    twice, past, good = record["timing"]
    assert twice["late"] == twice["decisions"]
    assert past["late"] == 1
    assert good["late"] == 0


@pytest.mark.parametrize(
    ("behaviour", "limits", "words"),
    [
        ("hangs", {"stall_ms": 300}, "stall_ms"),
        ("closes input", {"stall_ms": 300}, "stall_ms"),
        ("stops itself", {"stall_ms": 300}, "stall_ms"),
        ("dribbles", {"stall_ms": 300}, "stall_ms"),
        ("hangs", {"stall_ms": 10_000, "wait_ms": 200}, "wait_ms"),
        ("spins", {"move_ms": 50, "bank_ms": 200}, "CPU"),
        ("spins in a child", {"move_ms": 50, "bank_ms": 200}, "CPU"),
    ],
)
def test_time_runs_out_by_the_limit_that_was_broken(
    play_with: Play, behaviour: str, limits: dict[str, int], words: str
) -> None:
    record = play_with(scripted("good"), scripted("good"), scripted(behaviour), **limits).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"]) == (2, "timeout", 3)
    assert words in fault["expected"]
    assert fault["exit"] is None
    if words == "CPU":
        assert fault["cpu_us"] > 250_000
    else:
        assert fault["wall_us"] >= 200_000
        assert fault["cpu_us"] < 200_000


@pytest.mark.parametrize("behaviour", ["silent", "spins at start"])
def test_a_bot_that_never_gets_ready_is_out_at_the_first_turn(play_with: Play, behaviour: str) -> None:
    record = play_with(scripted("good"), scripted(behaviour), scripted("good"), start_ms=400).record
    [fault] = record["faults"]
    assert (fault["kind"], fault["turn"]) == ("start-timeout", 1)
    assert record["games"][0]["expeditions"][0][0] == "CxC"


def test_a_program_that_is_not_there_costs_its_own_match_only(play_with: Play) -> None:
    record = play_with(scripted("good"), home("no-such-program"), scripted("good"), home("./nor-this")).record
    assert [(fault["seat"], fault["kind"]) for fault in record["faults"]] == [(1, "start-failed"), (3, "start-failed")]
    assert "no-such-program" in record["faults"][0]["got"]


def test_when_all_forfeit_the_rest_is_empty_and_still_listed(play_with: Play) -> None:
    record = play_with(scripted("raises"), scripted("bad action"), scripted("raises"), games=3).record
    assert [fault["turn"] for fault in record["faults"]] == [3, 3, 3]
    assert record["games"][0]["expeditions"][1:] == [[], [], [], []]
    assert record["games"][2] == {
        "expeditions": [[], [], [], [], []],
        "scores": [0, 0, 0],
        "ranks": [1, 1, 1],
        "relics": [0, 0, 0],
    }


def test_a_crash_outside_the_cave_takes_effect_at_the_next_decision(play_with: Play) -> None:
    record = play_with(scripted("good"), scripted("crashes outside"), scripted("good")).record
    [fault] = record["faults"]
    assert (fault["kind"], fault["expedition"], fault["exit"]) == ("crashed", 2, 4)
    assert record["games"][0]["expeditions"][1][0][1] == "x"


@pytest.fixture
def fifo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("between") / "fifo"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    ("behaviour", "kind", "status"),
    [("talks after its last decision", "bad-message", None), ("crashes after its last decision", "crashed", 9)],
)
def test_what_goes_wrong_after_the_last_decision_is_an_incident_without_effect(
    play_with: Play, fifo: Path, behaviour: str, kind: str, status: int | None
) -> None:
    record = play_with(scripted("waits for the other's end", fifo), scripted(behaviour, fifo), scripted("good")).record
    assert record["faults"] == []
    [incident] = record["incidents"]
    assert (incident["seat"], incident["kind"], incident["exit"]) == (1, kind, status)
    assert incident["expedition"] == 5
    assert record["games"][0]["ranks"][1] < 4


def test_what_is_said_at_the_very_end_is_an_incident_too_however_fast_the_match_ends(play_with: Play) -> None:
    record = play_with(scripted("good"), scripted("talks at the end"), scripted("good")).record
    [incident] = record["incidents"]
    assert (incident["seat"], incident["kind"], incident["got"]) == (1, "bad-message", "good game")


def test_stderr_is_kept_for_its_author(play_with: Play) -> None:
    played = play_with(scripted("good"), scripted("raises"), scripted("stderr flood"))
    assert played.stderr[0] == ""
    assert "index of the last straw" in played.stderr[1]
    assert len(played.stderr[2]) < 40_000 * 3
    assert "straw" not in str(played.record)


def test_an_unfinished_line_is_evidence_when_its_bot_hangs(play_with: Play) -> None:
    [fault] = play_with(scripted("good"), scripted("dribbles"), scripted("good"), stall_ms=200).record["faults"]
    assert set(fault["got"]) == {" "}


def test_a_match_is_called_off_while_bots_think(play_with: Play, fifo: Path) -> None:
    inner, outer = os.pipe()
    told: list[int] = []

    def stop_once_all_hang() -> None:
        with fifo.open("r") as telling:
            while len(told) < 3:
                told.append(int(telling.readline()))
        os.close(outer)

    # Held open for writing, so that the reader meets no end of file between two bots.
    held = os.open(fifo, os.O_RDWR)
    stopper = threading.Thread(target=stop_once_all_hang)
    stopper.start()
    try:
        with pytest.raises(Stopped):
            play_with(*[scripted("tells that it hangs", fifo)] * 3, stop_fd=inner)
    finally:
        stopper.join()
        os.close(inner)
        os.close(held)
    for pid in told:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_nothing_is_left_behind(play_with: Play) -> None:
    def left() -> tuple[int, int]:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return len(list(Path("/proc/self/fd").iterdir())), len(children)

    play_with(scripted("good"), scripted("good"), scripted("good"))
    before = left()
    play_with(
        scripted("forks"),
        scripted("exits while a child holds its output"),
        scripted("ignores the end"),
        scripted("closes output"),
        home("no-such-program"),
    )
    assert left() == before


def test_the_same_fixture_gives_the_same_outcome(play_with: Play) -> None:
    table = [scripted("good"), scripted("raises"), scripted("carriage returns"), scripted("good")]
    first, second = (play_with(*table, games=3).record for _ in range(2))
    assert first["outcome"] == second["outcome"]
    assert [fault["turn"] for fault in first["faults"]] == [fault["turn"] for fault in second["faults"]]


def test_eight_seats_and_every_edition(play_with: Play) -> None:
    for edition in ("iello-2016", "schmidt-2005", "incan-gold-2006", "incan-gold-2020"):
        record = play_with(*[scripted("good")] * 7, scripted("bad action"), edition=edition, games=2).record
        assert record["edition"]["name"] == edition
        assert len(record["faults"]) == 1
