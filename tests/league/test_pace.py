"""The pace of a run: records are applied and ladders told often enough to see, and too seldom to cost."""

from __future__ import annotations

from harness.league.pace import Pace


class Clock:
    """Stands until it is moved on."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def ladder_that_took(clock: Clock, seconds: float) -> Pace:
    pace = Pace(clock)
    with pace.telling_ladder():
        clock.now_s += seconds
    return pace


def test_at_first_all_is_due() -> None:
    pace = Pace(Clock())
    assert pace.apply_is_due()
    assert pace.ladder_is_due(round_is_over=False)
    assert pace.ladder_is_due(round_is_over=True)


def test_records_are_looked_for_four_times_a_second() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.applied()
    clock.now_s += 0.125
    assert not pace.apply_is_due()
    clock.now_s += 0.125
    assert pace.apply_is_due()


def test_within_a_round_a_ladder_that_costs_nothing_is_told_once_a_second() -> None:
    clock = Clock()
    pace = ladder_that_took(clock, 0.0)
    clock.now_s += 0.5
    assert not pace.ladder_is_due(round_is_over=False)
    clock.now_s += 0.5
    assert pace.ladder_is_due(round_is_over=False)


def test_the_ladder_at_the_end_of_a_round_does_not_wait_for_the_second_to_pass() -> None:
    assert ladder_that_took(Clock(), 0.0).ladder_is_due(round_is_over=True)


def test_a_ladder_that_costs_is_told_in_a_twentieth_of_the_time_at_most() -> None:
    clock = Clock()
    pace = ladder_that_took(clock, 0.5)
    clock.now_s += 9.75
    assert not pace.ladder_is_due(round_is_over=False)
    assert not pace.ladder_is_due(round_is_over=True)
    clock.now_s += 0.25
    assert pace.ladder_is_due(round_is_over=False)
    assert pace.ladder_is_due(round_is_over=True)
