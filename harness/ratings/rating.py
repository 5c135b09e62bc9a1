"""A rating, and the parameters that a league rates with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

__all__ = ["LEAST_DRAW", "Parameters", "Rating"]

#: With less, a tie makes TrueSkill return a σ that rises, without a word.
LEAST_DRAW = 1e-4


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a bot's skill: a normal distribution of mean ``mu`` and standard deviation ``sigma``.

    Raises ``ValueError`` where μ is not finite or σ not finite and above 0. A negative zero becomes zero, since
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


@dataclass(frozen=True, slots=True)
class Parameters:
    """The ``[rating]`` of a league file, in points of μ; ``draw`` is the share of pairs of seats that tie in a game.

    Raises ``ValueError`` whose text begins with the field's name.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 3
    tau: float = 0.0
    draw: float = 0.03

    def __post_init__(self) -> None:
        for field in fields(self):
            value = float(getattr(self, field.name))
            if not math.isfinite(value):
                raise ValueError(f"{field.name}: {value} is not finite")
            object.__setattr__(self, field.name, value + 0.0)
        if self.sigma <= 0:
            raise ValueError(f"sigma: {self.sigma} is not above 0")
        if self.beta <= 0:
            raise ValueError(f"beta: {self.beta} is not above 0")
        if self.tau < 0:
            raise ValueError(f"tau: {self.tau} is below 0")
        if not LEAST_DRAW <= self.draw < 1:
            raise ValueError(f"draw: {self.draw} is not from {LEAST_DRAW} up to, but not including, 1")

    @property
    def start(self) -> Rating:
        """The rating of a bot that has not played."""
        return Rating(self.mu, self.sigma)

    def to_json(self) -> dict[str, str]:
        """The parameters as the decimal strings of a season's header; each reads back to the same double."""
        return {field.name: repr(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> Parameters:
        """The inverse of :meth:`to_json`; ``KeyError`` or ``ValueError`` where it is none."""
        return cls(**{field.name: float(data[field.name]) for field in fields(cls)})
