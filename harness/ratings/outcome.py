"""Which games of a record are rated, in which order their seats finished, and who forfeited when."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from harness.game import tie_key

__all__ = ["forfeit_games", "rated_games"]


def forfeit_games(record: Mapping[str, Any]) -> dict[int, int]:
    """Seat → index from 0 of the game in which it forfeited (its `x`), for the seats that did."""
    found: dict[int, int] = {}
    for index, game in enumerate(record["games"]):
        for turns in game["expeditions"]:
            for turn in turns:
                if "x" in turn:
                    found.update((seat, index) for seat, letter in enumerate(turn) if letter == "x")
    return found


def rated_games(record: Mapping[str, Any]) -> list[list[tuple[int, int]]]:
    """For each game that counts for ratings, in order: (rank, seat) from first to last of those still in the match.

    A forfeiter is last in the game of its `x` (the record's ranks say so) and absent later. A game is left out where
    fewer than two seats were still in the match, or where all of them forfeited. Seats that tie stand in the order of a
    hash of match, game and version: TrueSkill treats the first and the last of a tie differently, and an order by seat
    or name would favour somebody.
    """
    out_in = forfeit_games(record)
    seats = range(len(record["seats"]))
    rated = []
    for index, game in enumerate(record["games"]):
        present = [seat for seat in seats if out_in.get(seat, index) >= index]
        if len(present) < 2 or all(out_in.get(seat) == index for seat in present):
            continue
        ranks: Sequence[int] = game["ranks"]
        keys = {seat: _tie_order(record, index + 1, seat) for seat in present}
        present.sort(key=lambda seat: (ranks[seat], keys[seat]))
        rated.append([(ranks[seat], seat) for seat in present])
    return rated


def _tie_order(record: Mapping[str, Any], game: int, seat: int) -> tuple[str, str]:
    """The contract's key; one version entered under two names has it twice, then a hash with the name decides."""
    bot, version = record["seats"][seat]["bot"], record["seats"][seat]["version"]
    key = tie_key(record["seed"], game, version)
    return key, hashlib.sha256(f"{key}/{bot}".encode()).hexdigest()
