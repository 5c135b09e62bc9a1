"""What a decision is billed, without any process. Times in µs."""

from __future__ import annotations

import pytest

from harness.protocol import Limits
from harness.referee.clock import SeatClock

LIMITS = Limits(move_ms=100, bank_ms=1000, stall_ms=5000, wait_ms=3000)


def asked(at: int = 0, *, by_cpu: bool = True, limits: Limits = LIMITS) -> SeatClock:
    clock = SeatClock(limits, by_cpu=by_cpu)
    clock.asked_us = at
    return clock


def test_a_move_is_free_and_what_goes_beyond_is_drawn_from_the_bank() -> None:
    clock = asked()
    assert clock.answer(90_000, 80_000, None) is None
    assert (clock.billed_us, clock.bank_us) == (80_000, 1_000_000)
    clock.asked_us = 100_000
    assert clock.answer(500_000, 380_000, None) is None
    assert (clock.billed_us, clock.billed_max_us, clock.bank_us) == (380_000, 300_000, 800_000)
    assert (clock.decisions, clock.wall_us, clock.wall_max_us) == (2, 490_000, 400_000)


def test_the_bank_lasts_the_match_and_its_end_is_a_timeout() -> None:
    clock = asked()
    for turn in range(1, 11):
        assert clock.answer(0, turn * 200_000, None) is None
        clock.asked_us = 0
    assert clock.bank_us == 0
    assert clock.look(0, 2_100_000, None) is None
    assert "CPU" in str(clock.look(0, 2_100_001, None))


def test_an_answer_does_not_save_who_has_used_up_move_and_bank() -> None:
    assert "CPU" in str(asked().answer(1_200_000, 1_100_001, 0))
    assert asked().answer(1_200_000, 1_100_000, 0) is None


def test_cpu_burnt_between_turns_is_part_of_the_next_bill() -> None:
    clock = asked()
    clock.answer(1_000, 1_000, None)
    clock.asked_us = 10_000_000
    assert clock.used_us(10_000_000, 951_000) == 950_000
    assert clock.look(10_000_000, 1_101_001, None) is not None


def test_start_up_touches_no_bank() -> None:
    clock = asked()
    clock.start(9_000_000)
    assert clock.answer(1_000, 9_050_000, None) is None
    assert clock.billed_us == 50_000


def test_a_sleeper_is_caught_by_the_stall_limit_whatever_it_is_billed() -> None:
    clock = asked(7, limits=Limits(move_ms=100, stall_ms=5000, wait_ms=60_000))
    assert clock.look(5_000_006, 0, 0) is None
    assert "stall_ms" in str(clock.look(5_000_007, 0, 0))


def test_waits_beyond_the_move_add_up_over_the_match() -> None:
    clock = asked()
    assert clock.look(100_000, 0, 0) is None
    assert clock.answer(2_100_000, 0, 0) is None
    assert clock.wait_us == 1_000_000
    clock.asked_us = 3_000_000
    assert clock.look(3_100_000, 0, 0) is None
    assert clock.look(4_100_000, 0, 0) is None
    assert "wait_ms" in str(clock.look(4_100_001, 0, 0))


def test_computing_and_standing_in_line_for_a_core_are_no_waits() -> None:
    clock = asked()
    clock.look(100_000, 50_000, 20_000)
    # 3.9 s beyond the move: .6 s computing, 3.2 s in the run queue, .1 s asleep
    assert clock.answer(4_000_000, 650_000, 3_220_000) is None
    assert clock.wait_us == 3_000_000 - 100_000


def test_what_was_queued_before_this_question_excuses_no_wait() -> None:
    queued = 0
    clock = asked()
    for turn in range(100):
        clock.asked_us = turn * 1_000_000
        queued += 50_000
        assert clock.answer(turn * 1_000_000 + 60_000, 0, None) is None
    clock.asked_us = 200_000_000
    assert clock.look(200_100_000, 0, queued) is None
    assert "wait_ms" in str(clock.look(203_100_001, 0, queued))


def test_where_the_run_queue_is_not_known_all_wall_time_beyond_the_move_is_waiting() -> None:
    clock = asked()
    clock.look(100_000, 0, None)
    clock.answer(1_100_000, 500_000, None)
    assert clock.wait_us == 2_000_000


def test_where_the_wall_is_billed_nothing_burnt_between_turns_counts() -> None:
    clock = asked(1_000_000, by_cpu=False)
    assert clock.answer(1_050_000, 0, None) is None
    assert clock.billed_us == 50_000
    clock.asked_us = 9_000_000
    assert "wall" in str(clock.look(9_000_000 + 1_100_001, 0, None))


@pytest.mark.parametrize("cores", [1, 2])
def test_who_burns_all_its_cores_is_caught_at_the_first_possible_microsecond(cores: int) -> None:
    clock = asked()
    look = clock.patience_us  # asked at 0
    assert look == 100_000
    for _ in range(100):
        if clock.look(look, look * cores, 0) is not None:
            break
        look = clock.next_look_us(look, look * cores, 0, cores)
    assert look == 1_100_000 // cores + 1


@pytest.mark.parametrize(
    ("limits", "caught"),
    [
        (Limits(move_ms=100, bank_ms=60_000, stall_ms=5000, wait_ms=3000), 3_100_001),
        (Limits(move_ms=100, bank_ms=60_000, stall_ms=5000, wait_ms=60_000), 5_000_000),
        (Limits(move_ms=100, bank_ms=60_000, stall_ms=50, wait_ms=60_000), 50_000),
        (Limits(move_ms=0, bank_ms=60_000, stall_ms=5000, wait_ms=0), 1),
    ],
)
def test_a_sleeper_is_looked_at_exactly_when_its_limit_ends(limits: Limits, caught: int) -> None:
    clock = asked(limits=limits)
    looks = [clock.patience_us]  # asked at 0
    while clock.look(looks[-1], 0, 0) is None:
        looks.append(clock.next_look_us(looks[-1], 0, 0, 1))
        assert len(looks) < 5, "a look that is not due wakes the referee for nothing"
    assert looks[-1] == caught
