"""What a pairing format is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats.authors import several_by_author
from harness.league.formats.field import Field
from harness.league.formats.option import Option

__all__ = ["NO_DIVISIONS", "Format", "Goal", "Refusal", "check_pairable", "crowded", "size_of_round", "too_few"]

NO_DIVISIONS: Mapping[str, int] = MappingProxyType({})
"""A field without divisions."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why entrants can't be paired, and what an organiser can do about it while the league file may still change.

    `missing` is the bot that has to be entered again, where that is what it takes.
    """

    reason: str
    mend: str
    missing: str | None = None

    def __str__(self) -> str:
        return f"{self.reason}; {self.mend}"


@dataclass(frozen=True, slots=True)
class Goal:
    """What a season is played for where it may end before its last round.

    It is over as soon as the 95 % interval of the strength of `bot` is at most ±`half_width`, in points of μ.
    """

    bot: str
    half_width: float


class Format(Protocol):
    """A way to pair. `options` are the keys of its `[format.NAME]` table."""

    @property
    def name(self) -> str:
        """The word for it in a league file."""

    @property
    def options(self) -> Mapping[str, Option]:
        """Its own options, and what they may be."""

    @property
    def by_rating(self) -> bool:
        """Whether who meets hangs on the ratings."""

    @property
    def needs_past(self) -> bool:
        """Whether pairings hang on more of the field than who is entered and in which division."""

    def refusal(
        self,
        entrants: Sequence[Entrant],
        sizes: Sequence[int],
        options: Mapping[str, Any],
        divisions: Mapping[str, int] = NO_DIVISIONS,
    ) -> Refusal | None:
        """Why these can't be paired at these sizes; None where they can.

        `divisions` is the division of each bot that is in one, 1 the top; only a format with divisions looks at it.
        """

    def matches(self, bots: Collection[str], size: int, divisions: Mapping[str, int]) -> int:
        """How many tables of `size` a round of these bots has; divisions as in `refusal`."""

    def goal(self, options: Mapping[str, Any]) -> Goal | None:
        """What ends the season before its rounds are over; None where nothing does."""

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


def crowded(
    entrants: Sequence[Entrant],
    size: int,
    options: Mapping[str, Any],
    format_name: str,
    *,
    candidate: str | None = None,
) -> Refusal | None:
    """The refusal of an author with too many bots where n bots have n tables, each bot once in every seat.

    No two of them sit at one table, so at most one in `size` may be one author's. With a candidate, who is none of the
    bots and has a seat at every table, that is one in `size` − 1.
    """
    n, among = len(entrants), "bots" if candidate is None else "opponents"
    seats = size if candidate is None else size - 1
    for author, ids in several_by_author(entrants, options).items():
        if len(ids) * seats > n:
            return Refusal(
                f"{len(ids)} of {n} {among} are by {author!r} ({', '.join(ids)}), too many to keep apart at tables "
                f"of {size}",
                f"enter at least {len(ids) * seats} {among}, give some another `author`, or write "
                f"`same_author = true` under [format.{format_name}]",
            )
    return None


def check_pairable(
    format_: Format, field: Field, round_: int, sizes: Sequence[int], options: Mapping[str, Any]
) -> None:
    """LeagueFileError where the format refuses these; what its `tables` begins with."""
    refused = format_.refusal(field.entrants, sizes, options, field.divisions)
    if refused is not None:
        raise LeagueFileError(f"round {round_} can't be paired: {refused}")


def size_of_round(sizes: Sequence[int], round_: int) -> int:
    """Seats at each table of a round: the contract's `seats[(r − 1) mod len(seats)]`."""
    return sizes[(round_ - 1) % len(sizes)]
