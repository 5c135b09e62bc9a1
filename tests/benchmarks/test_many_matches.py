"""Many matches at once: the bots really compute, and every decision of theirs is counted."""

from __future__ import annotations

from benchmarks import many_matches


def test_seats_and_decisions_are_counted_of_bots_that_compute() -> None:
    (found,) = many_matches.measure(multiples=(1,), matches=1)
    assert found.seats == 4
    # Five expeditions; nobody leaves at the first card.
    assert found.decisions >= 2 * 5 * 4
    assert found.timeouts + found.by_wall <= 2 * found.seats
    # The bot's own clock is the measure: at least 5 ms, and 10 ms for some turn of the first six.
    assert found.cpu_max_us >= 9_000
    assert found.wall_max_us >= 9_000
