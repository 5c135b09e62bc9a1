"""What a pairing format is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Format", "Participant", "size_of_round"]


class Participant(Protocol):
    """As much of an entrant as pairing needs: the bot's id, and its author where it has one."""

    @property
    def id(self) -> str:
        """The bot's id in the league."""

    @property
    def author(self) -> str | None:
        """Who wrote it; None is nobody's, and two of nobody's may meet."""


class Format(Protocol):
    """A way to pair. ``defaults`` are the keys of its ``[format.NAME]`` table, all flags."""

    @property
    def name(self) -> str:
        """The word for it in a league file."""

    @property
    def defaults(self) -> Mapping[str, bool]:
        """Its own options and what they are when not stated."""

    def refusal(self, entrants: Sequence[Participant], sizes: Sequence[int], options: Mapping[str, Any]) -> str | None:
        """Why these can't be paired at these sizes, in one sentence with what to do; None where they can."""

    def matches(self, entrants: int) -> int:
        """How many tables a round of so many entrants has."""

    def apart(self, entrants: Sequence[Participant], options: Mapping[str, Any]) -> frozenset[frozenset[str]]:
        """The pairs of ids that never share a table."""

    def tables(
        self,
        entrants: Sequence[Participant],
        round_: int,
        sizes: Sequence[int],
        season_seed: str,
        options: Mapping[str, Any],
    ) -> list[tuple[str, ...]]:
        """The tables of round ``round_``, which counts from 1: bot ids by seat, in the order of fixture numbers.

        A function of its arguments alone; the order of ``entrants`` does not matter. LeagueFileError with the sentence
        of :meth:`refusal` where they can't be paired.
        """


def size_of_round(sizes: Sequence[int], round_: int) -> int:
    """Seats at each table of a round: the contract's ``seats[(r − 1) mod len(seats)]``."""
    return sizes[(round_ - 1) % len(sizes)]
