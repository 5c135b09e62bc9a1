"""Pairing formats, one a file: who sits where in a round, as a pure function of entrants, round, sizes and seed."""

from __future__ import annotations

from harness.league.formats.format import Format, Refusal
from harness.league.formats.round_robin import RoundRobin
from harness.league.formats.spread import Spread, spread

__all__ = ["FORMATS", "Format", "Refusal", "Spread", "format_named", "spread"]

FORMATS: dict[str, Format] = {format_.name: format_ for format_ in (RoundRobin(),)}
"""The formats by name."""


def format_named(name: str) -> Format:
    """The format of that name; KeyError for a name that is not in FORMATS."""
    return FORMATS[name]
