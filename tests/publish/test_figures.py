"""Paths and classes of the figures in the pages, against numbers worked out by hand."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.publish.figures import (
    Interval,
    Scale,
    grid_path,
    heat_class,
    interval_geometry,
    interval_path,
    place,
    round_ticks,
    shared_scale,
    spark_path,
)

SCALE = Scale(20.0, 40.0, (20.0, 30.0, 40.0), 0)


@pytest.mark.parametrize(
    ("low", "high", "ticks", "decimals"),
    [
        (17.0, 41.5, (20.0, 25.0, 30.0, 35.0, 40.0), 0),
        (24.56, 32.96, (26.0, 28.0, 30.0, 32.0), 0),
        (-3.1, 3.1, (-2.0, 0.0, 2.0), 0),
        (0.0, 1.0, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), 1),
        (0.11, 0.13, (0.11, 0.115, 0.12, 0.125, 0.13), 3),
        (0.0, 5000.0, (0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0), 0),
    ],
)
def test_ticks_are_round_values_of_the_scale(low, high, ticks, decimals):
    assert round_ticks(low, high) == (ticks, decimals)


@given(st.floats(-500, 500), st.floats(0.01, 500), st.integers(2, 8))
def test_ticks_lie_on_the_scale_evenly_and_are_written_exactly(low, span, wanted):
    ticks, decimals = round_ticks(low, low + span, wanted)
    assert len(ticks) <= wanted + 1
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in ticks)
    written = [Decimal(f"{tick:.{decimals}f}") for tick in ticks]
    assert [float(tick) for tick in written] == list(ticks)
    steps = {later - one for one, later in pairwise(written)}
    assert len(steps) <= 1
    assert all(str(step.normalize().as_tuple().digits[0]) in "125" for step in steps)
    assert len(ticks) >= 1 or span < 1e-6 or wanted < 3


def test_one_scale_holds_all_intervals():
    scale = shared_scale([(30.0, 41.5), (17.0, 20.0), (25.0, 26.0)])
    assert scale == Scale(17.0, 41.5, (20.0, 25.0, 30.0, 35.0, 40.0), 0)


def test_without_intervals_and_with_a_single_value_there_is_a_scale_all_the_same():
    assert (shared_scale([]).low, shared_scale([]).high) == (0.0, 1.0)
    assert (shared_scale([(25.0, 25.0)]).low, shared_scale([(25.0, 25.0)]).high) == (24.0, 26.0)


@pytest.mark.parametrize(
    ("value", "across"), [(20.0, 0.0), (40.0, 120.0), (30.0, 60.0), (25.55, 33.3), (0.0, 0.0), (99.0, 120.0)]
)
def test_values_have_their_place_and_never_leave_the_picture(value, across):
    assert place(value, SCALE, 120.0) == across


def test_an_interval_lies_where_its_ends_are():
    assert interval_geometry(22.0, 25.0, 30.0, SCALE, 120.0) == Interval(12.0, 30.0, 60.0)


def test_an_interval_is_a_line_and_a_closed_diamond_about_its_middle():
    path = interval_path(22.0, 25.0, 30.0, SCALE, 120.0, 16.0)
    assert path == "M12 8H60M26.5 8l3.5-3.5 3.5 3.5l-3.5 3.5-3.5-3.5z"


def test_the_grid_has_a_line_at_each_tick():
    assert grid_path(SCALE, 120.0, 16.0) == "M0 0v16M60 0v16M120 0v16"


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ([1.0, 2.0, 3.0], "M0 18.5L30 10L60 1.5"),
        ([3.0, 1.0], "M0 1.5L60 18.5"),
        ([5.0, 5.0, 5.0], "M0 10L30 10L60 10"),
        ([5.0], ""),
        ([], ""),
    ],
)
def test_a_sparkline_goes_from_the_lowest_to_the_highest(values, path):
    assert spark_path(values, 60.0, 20.0) == path


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=24))
def test_a_sparkline_stays_in_its_picture_with_one_decimal_at_most(values):
    path = spark_path(values, 72.0, 20.0)
    numbers = re.findall(r"-?[\d.]+", path)
    assert len(numbers) == 2 * len(values)
    assert all(re.fullmatch(r"\d+(\.\d)?", number) for number in numbers)
    assert all(
        0 <= float(x) <= 72 and 1.5 <= float(y) <= 18.5 for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    )


@pytest.mark.parametrize(
    ("share", "interval", "name"),
    [
        (0.0, (0.0, 0.1), "heat-0"),
        (0.11, (0.0, 0.2), "heat-0"),
        (0.12, (0.0, 0.2), "heat-1"),
        (0.5, (0.4, 0.6), "heat-4 unsure"),
        (0.5, (0.5, 0.5), "heat-4 unsure"),
        (0.6, (0.51, 0.7), "heat-5"),
        (0.6, (0.49, 0.7), "heat-5 unsure"),
        (1.0, (0.9, 1.0), "heat-8"),
    ],
)
def test_cells_are_warm_by_share_and_unsure_where_half_is_in_the_interval(share, interval, name):
    assert heat_class(share, interval) == name


def test_the_heat_map_is_even_handed():
    for games in range(1, 60):
        for wins in range(games + 1):
            one, other = (int(heat_class(won / games, (0.0, 0.0))[5]) for won in (wins, games - wins))
            # On the edge of two classes both ways round may be given the upper one.
            assert one + other in (8, 9)
