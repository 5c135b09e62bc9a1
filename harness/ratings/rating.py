"""A rating, and the parameters that a league rates with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

__all__ = ["LEAST_DRAW", "MOST_DRAW", "Z95", "Parameters", "Rating"]

Z95 = 1.959963984540054
"""Half the width of a 95 % interval of a normal distribution, in σ."""

LEAST_DRAW, MOST_DRAW = 0.0001, 0.9
"""With less, a tie makes TrueSkill return a σ that rises, without a word."""

_MOST = 1e6
"""Keeps every intermediate of an update far from overflow."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a bot's skill: a normal distribution of mean `mu` and standard deviation `sigma`.

    Raises `ValueError` where μ is not finite or σ not finite and above 0. A negative zero becomes zero, since
    databases disagree on it.
    """

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu):
            raise ValueError(f"mu: {self.mu} is not finite")
        if not (math.isfinite(self.sigma) and self.sigma > 0):
            raise ValueError(f"sigma: {self.sigma} is not a finite number above 0")
        object.__setattr__(self, "mu", float(self.mu) + 0.0)
        object.__setattr__(self, "sigma", float(self.sigma))


_LEAST_SPREAD = 1e-6
"""The least σ and β, in points of μ: their squares and inverses must be numbers that doubles can hold."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The `[rating]` of a league file, in points of μ; `draw` is the share of pairs of seats that tie in a game.

    `draw` is 0.0001 to 0.9, `tau` 0 to a million, the others are above 0 and at most a million. Raises `ValueError`
    whose text begins with the field's name.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 3
    tau: float = 0.0
    draw: float = 0.03

    def __post_init__(self) -> None:
        for name in ("mu", "sigma", "beta"):
            if not 0 < getattr(self, name) <= _MOST:
                raise ValueError(f"{name}: {getattr(self, name)} must be more than 0 and at most a million")
        for name in ("sigma", "beta"):
            if getattr(self, name) < _LEAST_SPREAD:
                raise ValueError(
                    f"{name}: {getattr(self, name)} is too small to rate with; write at least {_LEAST_SPREAD}"
                )
        if not 0 <= self.tau <= _MOST:
            raise ValueError(f"tau: {self.tau} must be 0 or more and at most a million")
        if not LEAST_DRAW <= self.draw <= MOST_DRAW:
            raise ValueError(
                f"draw: {self.draw} must be {LEAST_DRAW} to {MOST_DRAW}; write the share of pairs that tie, about 0.03"
            )
        for field in fields(self):
            object.__setattr__(self, field.name, float(getattr(self, field.name)) + 0.0)

    @property
    def start(self) -> Rating:
        """The rating of a bot that has not played."""
        return Rating(self.mu, self.sigma)

    def to_json(self) -> dict[str, str]:
        """The parameters as the decimal strings of a season's header; each reads back to the same double."""
        return {field.name: repr(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> Parameters:
        """The inverse of `to_json`; `KeyError` where a field is missing, `ValueError` where one is out of bounds."""
        return cls(**{field.name: _number(field.name, data[field.name]) for field in fields(cls)})


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name}: {text!r} is no decimal number") from None
