"""Figures that stand in the pages themselves: paths and classes for sparklines, interval bars and the heat map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = [
    "HEAT_STEPS",
    "Interval",
    "Scale",
    "grid_path",
    "heat_class",
    "interval_geometry",
    "interval_path",
    "place",
    "round_ticks",
    "shared_scale",
    "spark_path",
]

HEAT_STEPS = 9
"""Classes of the heat map, an odd number: the middle one is even."""

_DIAMOND = 3.5
"""From the middle of the diamond to its corners."""

_SPARK_ROOM = 1.5
"""Room above and below a sparkline, for the width of its stroke."""

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Scale:
    """What all rows share: the values at both ends, and round ones between to draw as ticks, with so many decimals."""

    low: float
    high: float
    ticks: tuple[float, ...]
    decimals: int


@dataclass(frozen=True, slots=True)
class Interval:
    """Where an interval lies, in the units of the picture from its left edge."""

    left: float
    middle: float
    right: float


def shared_scale(intervals: Iterable[tuple[float, float]], wanted: int = 5) -> Scale:
    """A scale that holds all the intervals (low, high), with about `wanted` ticks; 0 to 1 where there are none."""
    ends = [end for interval in intervals for end in interval]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    if high - low < 1e-9:  # all the same: a little room on both sides
        low, high = low - 1, high + 1
    ticks, decimals = round_ticks(low, high, wanted)
    return Scale(low, high, ticks, decimals)


def round_ticks(low: float, high: float, wanted: int = 5) -> tuple[tuple[float, ...], int]:
    """Round values from `low` to `high`, at most `wanted` + 1, and how many decimals they have.

    They are multiples of 1, 2 or 5 times a power of ten.
    """
    span = (high - low) / wanted
    power = math.floor(math.log10(span))
    step = next(factor for factor in (1, 2, 5, 10) if factor * 10.0**power >= span * (1 - 1e-9)) * 10.0**power
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(number * step, decimals) for number in range(first, last + 1)), decimals


def place(value: float, scale: Scale, width: float) -> float:
    """Where a value lies on the scale, from the left, within 0 to `width`."""
    share = (value - scale.low) / (scale.high - scale.low)
    return round(width * min(1.0, max(0.0, share)), 1)


def interval_geometry(low: float, mid: float, high: float, scale: Scale, width: float) -> Interval:
    """Where an interval and its middle lie on a scale of that width."""
    return Interval(place(low, scale, width), place(mid, scale, width), place(high, scale, width))


def interval_path(low: float, mid: float, high: float, scale: Scale, width: float, height: float) -> str:
    """An interval as one path, to be both filled and stroked: a line from `low` to `high`, a diamond at `mid`."""
    lies = interval_geometry(low, mid, high, scale, width)
    middle, corner = _short(height / 2), _short(_DIAMOND)
    back = f"l-{corner} {corner}-{corner}-{corner}z"
    return (
        f"M{_short(lies.left)} {middle}H{_short(lies.right)}"
        f"M{_short(lies.middle - _DIAMOND)} {middle}l{corner}-{corner} {corner} {corner}{back}"
    )


def grid_path(scale: Scale, width: float, height: float) -> str:
    """An upright line at each tick of the scale, as one path."""
    return "".join(f"M{_short(place(tick, scale, width))} 0v{_short(height)}" for tick in scale.ticks)


def spark_path(values: Sequence[float], width: float, height: float, least: float = 0.0) -> str:
    """A line through the values, evenly spaced, from the lowest at the bottom to the highest at the top.

    Values that span less than `least` are drawn on a scale that spans that much, so that little looks like little.
    Values that are all the same make a level line in the middle; fewer than two make none.
    """
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    missing = max(0.0, least - (high - low))
    low, high = low - missing / 2, high + missing / 2
    room = height - 2 * _SPARK_ROOM
    points = []
    for number, value in enumerate(values):
        share = (value - low) / (high - low) if high > low else _HALF
        across, down = width * number / (len(values) - 1), _SPARK_ROOM + room * (1 - share)
        points.append(f"{_short(across)} {_short(down)}")
    return "M" + "L".join(points)


def heat_class(share: float, interval: tuple[float, float]) -> str:
    """The class of a cell of head to head: heat-0 (never before) over heat-4 (even) to heat-8 (always before).

    `unsure` stands behind it where the interval holds one half, so that nothing may be said.
    """
    step = min(HEAT_STEPS - 1, int(share * HEAT_STEPS))
    low, high = interval
    return f"heat-{step}{' unsure' if low <= _HALF <= high else ''}"


def _short(number: float) -> str:
    """At most one decimal, and none where it is 0."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
