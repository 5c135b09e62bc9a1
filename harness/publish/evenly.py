"""Fewer points than there are, evenly chosen, so that a picture or a table of many does not become too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["evenly"]

_Point = TypeVar("_Point")


def evenly(points: Sequence[_Point], most: int) -> Sequence[_Point]:
    """At most so many of the points, two at least, evenly chosen, the first and the last among them."""
    if len(points) <= most:
        return points
    return [points[round(place * (len(points) - 1) / (most - 1))] for place in range(most)]
