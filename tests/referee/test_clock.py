"""What a decision is billed, without any process. Times in µs."""

from __future__ import annotations

import pytest

from harness.protocol import Limits
from harness.referee.clock import SeatClock

LIMITS = Limits(move_ms=100, bank_ms=1000, stall_ms=5000, wait_ms=3000)


def asked(at: int = 0, *, by_cpu: bool = True) -> SeatClock:
    clock = SeatClock(LIMITS, by_cpu=by_cpu)
    clock.ask(at)
    return clock


def test_a_move_is_free_and_what_goes_beyond_is_drawn_from_the_bank() -> None:
    clock = asked()
    assert clock.close(90_000, 80_000, None) == 80_000
    assert clock.bank_us == 1_000_000
    clock.ask(100_000)
    assert clock.close(500_000, 380_000, None) == 300_000
    assert clock.bank_us == 800_000


def test_the_bank_lasts_the_match_and_its_end_is_a_timeout() -> None:
    clock = asked()
    cpu = 0
    for _ in range(10):
        assert clock.broken(0, cpu + 200_000, None) is None
        cpu += 200_000
        clock.close(0, cpu, None)
    assert clock.bank_us == 0
    assert clock.broken(0, cpu + 100_000, None) is None
    assert "CPU" in str(clock.broken(0, cpu + 100_001, None))


def test_cpu_burnt_between_turns_is_part_of_the_next_bill() -> None:
    clock = asked()
    clock.close(1_000, 1_000, None)
    clock.ask(10_000_000)
    assert clock.used_us(10_000_000, 951_000) == 950_000
    assert clock.broken(10_000_000, 1_101_001, None) is not None


def test_a_sleeper_is_caught_by_the_stall_limit_whatever_it_is_billed() -> None:
    clock = asked(7)
    clock.wait_us = 60_000_000
    assert clock.broken(5_000_006, 0, 0) is None
    assert "stall_ms" in str(clock.broken(5_000_007, 0, 0))


def test_waits_beyond_the_move_add_up_over_the_match() -> None:
    clock = asked()
    clock.close(2_100_000, 0, 0)
    assert clock.wait_us == 1_000_000
    clock.ask(3_000_000)
    assert clock.broken(4_100_000, 0, 0) is None
    assert "wait_ms" in str(clock.broken(4_100_001, 0, 0))


def test_computing_and_standing_in_line_for_a_core_are_no_waits() -> None:
    clock = asked()
    # 4 s of wall: .6 s computing, 3.3 s in the run queue, .1 s asleep
    clock.close(4_000_000, 600_000, 3_300_000)
    assert clock.wait_us == 3_000_000 - 100_000


def test_where_the_wall_is_billed_nothing_burnt_between_turns_counts() -> None:
    clock = asked(1_000_000, by_cpu=False)
    assert clock.close(1_050_000, 0, None) == 50_000
    clock.ask(9_000_000)
    assert "wall" in str(clock.broken(9_000_000 + 1_100_001, 0, None))


@pytest.mark.parametrize("cores", [1, 2])
def test_the_next_look_is_never_later_than_the_first_moment_at_which_a_rule_can_break(cores: int) -> None:
    clock = asked()
    look = clock.first_look_us
    assert look == 100_000
    # A bot that burns all its cores from the start: looking when told, it is caught at the first possible microsecond.
    for _ in range(100):
        if clock.broken(look, look * cores, 0) is not None:
            break
        look = clock.next_look_us(look, look * cores, 0, cores)
    assert look == 1_100_000 // cores + 1


def test_a_sleeper_is_looked_at_exactly_when_its_limit_ends() -> None:
    clock = asked()
    assert clock.next_look_us(100_000, 0, 0, 1) == min(100_000 + 1_000_000 + 100_000 + 1, 3_100_001)
    clock.bank_us = 10_000_000
    assert clock.next_look_us(100_000, 0, 0, 1) == 3_100_001
    clock.wait_us = 10_000_000
    assert clock.next_look_us(100_000, 0, 0, 1) == 5_000_000
