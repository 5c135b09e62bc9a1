"""When a verdict falls, and what waiting costs: in virtual time, so to the microsecond."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.referee import Stopped
from tests.troubles.virtual import MS, Bot, Message, Program, World, answer, at_turn, good, play_virtually, ready, slow

Deed = Callable[[Program, Message], None]

TICK = 1 * MS
"""The grain of `poll`: a verdict may fall that long after its limit was broken, and no longer."""
DAY_MS = 86_400_000


def nothing(program: Program, message: Message) -> None:
    pass


def dribbling(every_us: int) -> Deed:
    """A true answer a byte at a time and never its newline."""

    def deed(program: Program, message: Message) -> None:
        text = iter(answer(message) + b" " * 10_000)

        def more() -> None:
            program.say(bytes([next(text)]))
            program.after(every_us, more)

        more()

    return deed


def spinning(cores: float) -> Deed:
    return lambda program, message: program.run_at(cores)


def only_fault(record: dict[str, Any]) -> dict[str, Any]:
    [fault] = record["faults"]
    return dict(fault)


# ── the limit that was broken, not a polling interval ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stall_ms", [1, 99, 700, 10_000, 3_600_000])
def test_a_sleeper_is_out_as_its_stall_limit_ends(tmp_path: Path, stall_ms: int) -> None:
    played = play_virtually(tmp_path, good, at_turn(3, nothing), good, stall_ms=stall_ms, wait_ms=DAY_MS)
    fault = only_fault(played.record)
    assert (fault["kind"], fault["turn"], fault["cpu_us"], fault["exit"]) == ("timeout", 3, 0, None)
    assert stall_ms * MS <= fault["wall_us"] <= stall_ms * MS + TICK
    assert f"stall_ms is {stall_ms}" in fault["expected"]


@pytest.mark.parametrize("every_us", [1 * MS, 37 * MS, 699 * MS])
def test_bytes_that_dribble_in_move_no_deadline(tmp_path: Path, every_us: int) -> None:
    fault = only_fault(play_virtually(tmp_path, good, at_turn(3, dribbling(every_us)), good, stall_ms=700).record)
    assert (fault["kind"], fault["turn"]) == ("timeout", 3)
    assert 700 * MS <= fault["wall_us"] <= 700 * MS + TICK
    assert fault["got"].startswith('{"type":"deci'[: 1 + 699 * MS // every_us])


@pytest.mark.parametrize(("cores", "at_hand"), [(1, 1), (1, 8), (2, 2), (8, 8), (0.5, 1)])
def test_who_computes_for_too_long_is_out_as_move_and_bank_end(tmp_path: Path, cores: float, at_hand: int) -> None:
    fault = only_fault(
        play_virtually(
            tmp_path, good, good, at_turn(3, spinning(cores)), cores=at_hand, move_ms=100, bank_ms=2000, stall_ms=60_000
        ).record
    )
    assert (fault["kind"], fault["turn"]) == ("timeout", 3)
    assert 2_100 * MS < fault["cpu_us"] <= 2_100 * MS + cores * (TICK + 1)
    assert fault["wall_us"] == pytest.approx(fault["cpu_us"] / cores, abs=1)


def test_waits_that_add_up_end_the_match_as_wait_ms_does(tmp_path: Path) -> None:
    # Each answer comes 900 ms after its question, 800 of them beyond the move: 2,000 ms last for two and a half.
    played = play_virtually(tmp_path, good, slow(900 * MS), good, move_ms=100, wait_ms=2000)
    fault = only_fault(played.record)
    assert (fault["kind"], fault["turn"]) == ("timeout", 3)
    assert 500 * MS < fault["wall_us"] <= 500 * MS + TICK + 1
    assert "wait_ms" in fault["expected"]
    assert played.record["timing"][1]["wall_us"] == 1_800 * MS


@pytest.mark.parametrize(("cores", "wall_ms", "cpu_ms"), [(0, 1200, 0), (1, 400, 400), (0.5, 800, 400)])
def test_who_never_gets_ready_is_out_as_its_start_allowance_ends(
    tmp_path: Path, cores: float, wall_ms: int, cpu_ms: int
) -> None:
    def silent(program: Program, message: Message) -> None:
        program.run_at(cores)

    fault = only_fault(play_virtually(tmp_path, good, silent, good, start_ms=400).record)
    assert (fault["kind"], fault["turn"]) == ("start-timeout", 1)
    assert wall_ms * MS <= fault["wall_us"] <= wall_ms * MS + TICK
    assert cpu_ms * MS <= fault["cpu_us"] <= cpu_ms * MS + cores * TICK


@pytest.mark.parametrize(
    ("deed", "kind", "status"),
    [
        (lambda program: program.end(7), "crashed", 7),
        (lambda program: program.end(-11), "crashed", -11),
        (lambda program: program.end(5, output_held=True), "crashed", 5),
        (lambda program: program.close_output(), "closed-output", None),
        (lambda program: program.say(b"oops\n"), "bad-message", None),
    ],
    ids=["exit", "signal", "exit with its stdout held open", "closed output", "nonsense"],
)
def test_what_goes_wrong_is_known_the_moment_it_does_and_costs_no_waiting(
    tmp_path: Path, deed: Callable[[Program], None], kind: str, status: int | None
) -> None:
    later: Deed = lambda program, message: program.after(1_234_567, lambda: deed(program))  # noqa: E731
    fault = only_fault(play_virtually(tmp_path, good, at_turn(3, later), slow(9_000 * MS), wait_ms=DAY_MS).record)
    assert (fault["kind"], fault["turn"], fault["exit"]) == (kind, 3, status)
    assert fault["wall_us"] == 1_234_567


# ── no clock of its own runs ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_crash_is_seen_while_only_others_think(tmp_path: Path) -> None:
    world = World()

    def leaves_and_dies(program: Program, message: Message) -> None:
        if message["type"] != "decide":
            good(program, message)
        elif message["expedition"] == 1:
            program.say(b'{"type":"decision","turn":1,"action":"leave"}\n')
            program.after(4_000 * MS, lambda: program.end(5))

    born_us = world.now_us
    thinker = at_turn(
        2, lambda program, message: program.after(9_000 * MS, lambda: program.say(answer(message) + b"\n"))
    )
    record = play_virtually(tmp_path, thinker, leaves_and_dies, good, world=world).record
    fault = only_fault(record)
    assert (fault["kind"], fault["exit"], fault["expedition"]) == ("crashed", 5, 2)
    # Put away as it died, five seconds before the only one who was asked had answered.
    assert world.programs[1].closed_us == born_us + 4_000 * MS
    assert record["timing"][0]["wall_max_us"] == 9_000 * MS


def test_a_dead_bot_is_not_waited_for_at_its_next_question(tmp_path: Path) -> None:
    world = World()

    def dies_outside(program: Program, message: Message) -> None:
        good(program, message)
        if message["type"] == "expedition_end":
            program.end(1)

    born_us = world.now_us
    only_fault(play_virtually(tmp_path, good, dies_outside, good, world=world).record)
    assert world.now_us == born_us


def test_a_stop_does_not_wait_for_a_bot_that_thinks(tmp_path: Path) -> None:
    world = World()
    world.at(777 * MS, world.stop)
    born_us = world.now_us
    with pytest.raises(Stopped):
        play_virtually(tmp_path, *[at_turn(2, nothing)] * 4, world=world)
    assert [program.closed_us for program in world.programs] == [born_us + 777 * MS] * 4


def test_a_stop_does_not_wait_for_a_bot_that_starts(tmp_path: Path) -> None:
    world = World()
    world.at(50 * MS, world.stop)
    born_us = world.now_us
    with pytest.raises(Stopped):
        play_virtually(tmp_path, good, nothing, nothing, world=world)
    assert world.now_us == born_us + 50 * MS


@pytest.mark.parametrize("lingerers", [0, 1, 8])
def test_all_seats_together_have_half_a_second_to_leave(tmp_path: Path, lingerers: int) -> None:
    def lingers(program: Program, message: Message) -> None:
        if message["type"] != "end of file":
            good(program, message)

    world = World()
    born_us = world.now_us
    record = play_virtually(tmp_path, *[lingers] * lingerers, *[good] * (8 - lingerers), world=world).record
    assert record["faults"] == record["incidents"] == []
    assert 0 <= world.now_us - born_us - (500 * MS if lingerers else 0) <= TICK


# ── a late reply ─────────────────────────────────────────────────────────────────────────────────────────────────────


def late(program: Program, message: Message) -> None:
    program.after(2_050 * MS, lambda: program.say(answer(message) + b"\n"))


def keeps_talking(program: Program, message: Message) -> None:
    program.say(answer(message) + b"\n")

    def more() -> None:
        program.say(b"\n")
        program.after(11 * MS, more)

    more()


def rants(program: Program, message: Message) -> None:
    program.rants = True
    program.say(answer(message) + b"\n")


@pytest.mark.parametrize(
    "neighbour", [good, at_turn(3, keeps_talking), at_turn(3, rants)], ids=["quiet", "talks", "rants"]
)
def test_a_reply_that_comes_late_is_never_taken_whether_or_not_others_keep_talking(
    tmp_path: Path, neighbour: Bot
) -> None:
    world = World()
    world.wake_us = 100
    record = play_virtually(tmp_path, at_turn(3, late), neighbour, good, world=world, stall_ms=2000).record
    fault = only_fault(record)
    assert (fault["seat"], fault["kind"], fault["turn"]) == (0, "timeout", 3)
    assert 2_000 * MS <= fault["wall_us"] <= 2_000 * MS + TICK + world.wake_us
    assert record["timing"][0]["decisions"] == 2


def test_an_answer_does_not_excuse_the_time_that_it_took(tmp_path: Path) -> None:
    def cruncher(program: Program, message: Message) -> None:
        # Eight cores for 50 ms, before anybody would look: 400 ms of CPU where there are 300.
        program.run_at(8)
        program.after(50 * MS, lambda: program.say(answer(message) + b"\n"))

    fault = only_fault(
        play_virtually(tmp_path, good, at_turn(3, cruncher), good, cores=8, move_ms=100, bank_ms=200).record
    )
    assert (fault["kind"], fault["turn"], fault["cpu_us"]) == ("timeout", 3, 400 * MS)


# ── a busy machine ───────────────────────────────────────────────────────────────────────────────────────────────────


def crowded(lasts_us: int) -> Bot:
    """Works 80 ms at each decision, which take `lasts_us` since others want the core too."""
    share = 80 * MS / lasts_us

    def bot(program: Program, message: Message) -> None:
        if message["type"] != "decide":
            good(program, message)
            return

        def done() -> None:
            program.run_at(0)
            program.say(answer(message) + b"\n")

        program.run_at(share, queued=1 - share)
        program.after(lasts_us, done)

    return bot


def test_a_crowded_machine_costs_no_bot_its_match(tmp_path: Path) -> None:
    record = play_virtually(tmp_path, *[crowded(8_000 * MS)] * 5, games=3).record
    assert record["faults"] == []
    slowest = record["timing"][0]
    assert slowest["wall_us"] == slowest["decisions"] * 8_000 * MS > 60_000 * MS
    assert slowest["cpu_max_us"] == 80 * MS


def test_a_start_on_a_crowded_machine_has_three_times_its_allowance(tmp_path: Path) -> None:
    def crowded(program: Program, message: Message) -> None:
        if message["type"] != "born":
            good(program, message)
            return

        def done() -> None:
            program.run_at(0)
            good(program, message)

        program.run_at(0.33, queued=0.67)
        program.after(29_900 * MS, done)

    record = play_virtually(tmp_path, good, crowded, crowded).record
    assert record["faults"] == []
    # Start-up is billed to nobody: the first decision is as cheap as any.
    assert record["timing"][1]["cpu_max_us"] == 0


def test_a_slow_first_turn_is_drawn_from_the_bank(tmp_path: Path) -> None:
    def imports_late(program: Program, message: Message) -> None:
        def done() -> None:
            program.run_at(0)
            program.say(answer(message) + b"\n")

        program.run_at(1)
        program.after(5_000 * MS, done)

    record = play_virtually(tmp_path, at_turn(1, imports_late), good, good).record
    assert record["faults"] == []
    assert record["timing"][0]["cpu_max_us"] == 5_000 * MS


# ── what waiting costs ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stall_ms", [1_000, 10_000, 60_000, 3_600_000])
def test_the_referee_sleeps_while_bots_do(tmp_path: Path, stall_ms: int) -> None:
    world = World()
    bots = [at_turn(3, nothing)] * 8
    play_virtually(tmp_path, *bots, world=world, move_ms=100, bank_ms=5000, stall_ms=stall_ms, wait_ms=DAY_MS)
    # A sleeper might begin to compute at any time, and could then be through with its 5,100 ms before the next look.
    # Besides those: a look when the move's time is over, the one that ends it, and a glance at the end of the match.
    assert len(world.naps) <= stall_ms // 5_100 + 3


def test_the_referee_sleeps_while_a_bot_starts(tmp_path: Path) -> None:
    world = World()
    play_virtually(tmp_path, good, nothing, good, world=world, start_ms=3_600_000)
    # It might begin to compute at any time; there is three times as much on the wall; and a glance at the end.
    assert len(world.naps) <= 3 + 1


def test_the_referee_wakes_once_for_each_answer_of_a_bot_alone_in_the_cave(tmp_path: Path) -> None:
    world = World()
    record = play_virtually(tmp_path, slow(50 * MS), at_turn(1, nothing), at_turn(1, nothing), world=world).record
    spoken = record["timing"][0]["decisions"]
    # Besides its answers: three readies at once, the two that are out, the end.
    assert world.wakes <= spoken + 4
    assert len(world.naps) <= 4


# ── who is to blame ──────────────────────────────────────────────────────────────────────────────────────────────────


def dies_at_start(after_us: int, status: int) -> Bot:
    def bot(program: Program, message: Message) -> None:
        if message["type"] == "born":
            program.complain(f"status {status} it is\n".encode())
            program.after(after_us, lambda: program.end(status))

    return bot


@pytest.mark.parametrize("first", [0, 1], ids=["the first fails first", "the last fails first"])
def test_failed_starts_are_blamed_each_on_its_own_bot_whoever_failed_first(tmp_path: Path, first: int) -> None:
    one, two = dies_at_start([10, 90][first] * MS, 3), dies_at_start([90, 10][first] * MS, 4)
    played = play_virtually(tmp_path, one, good, "no such interpreter", two, slow(0))
    told = {fault["seat"]: (fault["kind"], fault["exit"]) for fault in played.record["faults"]}
    assert told == {0: ("start-failed", 3), 2: ("start-failed", None), 3: ("start-failed", 4)}
    assert played.record["faults"][1]["got"] == "no such interpreter"
    assert (played.stderr[0], played.stderr[3]) == ("status 3 it is\n", "status 4 it is\n")
    assert played.record["games"][0]["expeditions"][0][0] == "xCxxC"


def test_two_that_fail_in_the_same_moment_are_both_told(tmp_path: Path) -> None:
    def die(status: int) -> Deed:
        return lambda program, message: program.after(5 * MS, lambda: program.end(status))

    record = play_virtually(tmp_path, at_turn(2, die(6)), good, at_turn(2, die(8))).record
    assert [(fault["seat"], fault["exit"], fault["wall_us"]) for fault in record["faults"]] == [
        (0, 6, 5 * MS),
        (2, 8, 5 * MS),
    ]


def test_a_silent_handshake_ends_nobody_elses_match(tmp_path: Path) -> None:
    record = play_virtually(tmp_path, nothing, nothing, good, good, games=2).record
    assert [(fault["seat"], fault["kind"]) for fault in record["faults"]] == [
        (0, "start-timeout"),
        (1, "start-timeout"),
    ]
    assert all(len(game["expeditions"]) == 5 and all(game["expeditions"]) for game in record["games"])
    assert record["timing"][2]["decisions"] == record["timing"][3]["decisions"] > 0


def test_ready_may_come_before_anything_was_read(tmp_path: Path) -> None:
    def eager(program: Program, message: Message) -> None:
        if ready(program, message):
            return
        good(program, message)

    assert play_virtually(tmp_path, eager, good, good).record["faults"] == []


class HeldUp(World):
    """A referee that gets its core back only 90 ms after each of its polls has run out."""

    def wait(self, timeout_ms: float | None, ready: Callable[[], list[tuple[int, int]]]) -> list[tuple[int, int]]:
        events = super().wait(timeout_ms, ready)
        if not events:
            self.now_us += 90 * MS
        return events


def test_a_referee_that_is_held_up_itself_bills_no_bot_for_it(tmp_path: Path) -> None:
    record = play_virtually(tmp_path, crowded(800 * MS), good, good, world=HeldUp(), games=5, wait_ms=1000).record
    assert record["timing"][0]["decisions"] > 50
    assert record["faults"] == []
