"""What a pairing format is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats.field import Field

__all__ = ["Format", "Refusal", "check_pairable", "size_of_round", "too_few"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why entrants can't be paired, and what an organiser can do about it while the league file may still change."""

    reason: str
    mend: str

    def __str__(self) -> str:
        return f"{self.reason}; {self.mend}"


class Format(Protocol):
    """A way to pair. `defaults` are the keys of its `[format.NAME]` table, all flags."""

    @property
    def name(self) -> str:
        """The word for it in a league file."""

    @property
    def defaults(self) -> Mapping[str, bool]:
        """Its own options and what they are when not stated."""

    @property
    def by_rating(self) -> bool:
        """Whether pairings hang on more of the field than who is entered."""

    def refusal(self, entrants: Sequence[Entrant], sizes: Sequence[int], options: Mapping[str, Any]) -> Refusal | None:
        """Why these can't be paired at these sizes; None where they can."""

    def matches(self, entrants: int, size: int) -> int:
        """How many tables of `size` a round of so many entrants has."""

    def tables(
        self, field: Field, round_: int, sizes: Sequence[int], season_seed: str, options: Mapping[str, Any]
    ) -> list[tuple[str, ...]]:
        """The tables of round `round_`, which counts from 1: bot ids by seat, in the order of fixture numbers.

        A function of its arguments alone; the order of the contenders does not matter. LeagueFileError with the
        sentence of `refusal` where they can't be paired.
        """


def too_few(entrants: int, largest: int) -> Refusal | None:
    """The refusal of so many entrants where they can't fill a table of `largest`."""
    if entrants >= largest:
        return None
    return Refusal(
        f"{entrants} bots can't fill a table of {largest}",
        f"enter {largest - entrants} more or make league.seats smaller",
    )


def check_pairable(
    format_: Format, entrants: Sequence[Entrant], round_: int, sizes: Sequence[int], options: Mapping[str, Any]
) -> None:
    """LeagueFileError where the format refuses these; what its `tables` begins with."""
    refused = format_.refusal(entrants, sizes, options)
    if refused is not None:
        raise LeagueFileError(f"round {round_} can't be paired: {refused}")


def size_of_round(sizes: Sequence[int], round_: int) -> int:
    """Seats at each table of a round: the contract's `seats[(r − 1) mod len(seats)]`."""
    return sizes[(round_ - 1) % len(sizes)]
