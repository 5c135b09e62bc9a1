"""How the seats of a match finished: what ratings need of a record, in a form that is small and quick to read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from harness.game import tie_key

__all__ = ["RANK_LETTERS", "MatchRanks", "forfeit_games", "match_ranks", "rated_games"]

_FORFEITED = "ABCDEFGH"
"""Stands for ranks 1 to 8 of a seat that had forfeited by the end of the game."""

_RANKS = "12345678"
RANK_LETTERS = frozenset(_RANKS + _FORFEITED)
"""What a word of `MatchRanks.ranks` is made of."""

_RANK = {letter: rank for letters in (_RANKS, _FORFEITED) for rank, letter in enumerate(letters, start=1)}


@dataclass(frozen=True, slots=True)
class MatchRanks:
    """The ranks of a match: `seats` are (bot, version) by seat; `ranks` has a word a game and in it a letter a seat.

    A letter is the seat's rank, `1` to `8`, or that rank as `A` to `H` where the seat had forfeited by the end of the
    game. `match` is the match's name, `round` its round, 0 outside a season, `seed` the seed that orders ties.
    """

    match: str
    round: int
    seed: str
    seats: tuple[tuple[str, str], ...]
    ranks: str

    @property
    def games(self) -> list[str]:
        """The letters of each game."""
        return self.ranks.split()

    def finishes(self) -> list[list[tuple[int, int]]]:
        """For each game that counts for ratings: (rank, seat) by seat, of those still in the match.

        A forfeiter is last in the game of its `x` (the record's ranks say so) and absent later. A game is left out
        where fewer than two seats were still in the match, or where all of them forfeited.
        """
        found = []
        present = range(len(self.seats))
        for letters in self.games:
            survivors = [seat for seat in present if letters[seat] in _RANKS]
            if len(present) > 1 and survivors:
                found.append([(_RANK[letters[seat]], seat) for seat in present])
            else:
                found.append([])
            present = survivors  # type: ignore[assignment]
        return found


def match_ranks(record: Mapping[str, Any]) -> MatchRanks:
    """The ranks of a record."""
    out_in = forfeit_games(record)
    words = []
    for index, game in enumerate(record["games"]):
        words.append(
            "".join(
                (_FORFEITED if out_in.get(seat, index + 1) <= index else _RANKS)[rank - 1]
                for seat, rank in enumerate(game["ranks"])
            )
        )
    fixture = record.get("fixture")
    return MatchRanks(
        match=record["match"],
        round=0 if fixture is None else fixture["round"],
        seed=record["seed"],
        seats=tuple((seat["bot"], seat["version"]) for seat in record["seats"]),
        ranks=" ".join(words),
    )


def forfeit_games(record: Mapping[str, Any]) -> dict[int, int]:
    """Seat → index from 0 of the game in which it forfeited (its `x`), for the seats that did."""
    found: dict[int, int] = {}
    for index, game in enumerate(record["games"]):
        for turns in game["expeditions"]:
            for turn in turns:
                if "x" in turn:
                    found.update((seat, index) for seat, letter in enumerate(turn) if letter == "x")
    return found


def rated_games(match: MatchRanks) -> list[list[tuple[int, int]]]:
    """For each game that counts for ratings, in order: (rank, seat) from first to last of those still in the match.

    See `MatchRanks.finishes` for which these are. Seats that tie stand in the order of a hash of match, game and
    version: TrueSkill treats the first and the last of a tie differently, and an order by seat or name would favour
    somebody.
    """
    rated = []
    for number, finish in enumerate(match.finishes(), start=1):
        if not finish:
            continue
        finish.sort()
        if len({rank for rank, _ in finish}) < len(finish):
            finish = [
                place
                for _, tied in groupby(finish, key=lambda place: place[0])
                for place in _in_order(match, number, list(tied))
            ]
        rated.append(finish)
    return rated


def _in_order(match: MatchRanks, game: int, tied: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if len(tied) == 1:
        return tied
    return sorted(tied, key=lambda place: _tie_order(match, game, place[1]))


def _tie_order(match: MatchRanks, game: int, seat: int) -> tuple[str, str]:
    """The contract's key; one version entered under two names has it twice, then a hash with the name decides."""
    bot, version = match.seats[seat]
    key = tie_key(match.seed, game, version)
    return key, hashlib.sha256(f"{key}/{bot}".encode()).hexdigest()
