"""The matches that are measured: fixtures of four seats in and outside a season, and where their bots live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.bots import Home
from harness.game import BUILT_IN, edition_from_json
from harness.protocol import Limits
from harness.referee import Fixture, Seat

__all__ = ["HERE", "SEATS", "SEED", "fixture_of", "friendly", "home_of", "turns_of"]

SEATS = 4

SEED = "000102030405060708090a0b0c0d0e0f"

HERE = Path(__file__).parent


def friendly(games: int, *, seed: str = SEED, limits: Limits | None = None) -> Fixture:
    """A match of `iello-2016` outside any season, by four bots of one program."""
    return Fixture(
        league=None,
        season=0,
        round=0,
        number=0,
        seed=seed,
        edition=BUILT_IN["iello-2016"],
        games=games,
        limits=limits or Limits(),
        seats=tuple(Seat(f"bot-{seat}", f"{seat:064x}") for seat in range(SEATS)),
    )


def fixture_of(record: Mapping[str, Any], games: int | None = None) -> Fixture:
    """The fixture that a season's record was played from, or one like it with so many `games`."""
    return Fixture(
        **record["fixture"],
        seed=record["seed"],
        edition=edition_from_json(record["edition"]),
        games=games or len(record["games"]),
        limits=Limits.model_validate(record["limits"]),
        seats=tuple(Seat(seat["bot"], seat["version"]) for seat in record["seats"]),
    )


def home_of(command: Sequence[str], folder: Path = HERE) -> Home:
    """Where a bot lives that is started by that command, outside any store."""
    return Home(command=tuple(command), folder=str(folder), build_hash=None, interpreter="")


def turns_of(record: Mapping[str, Any]) -> int:
    """How often the bots of a match were asked."""
    return sum(len(turns) for game in record["games"] for turns in game["expeditions"])
