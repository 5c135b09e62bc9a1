"""Fixtures and scripted bots to seat at a table."""

from __future__ import annotations

import sys
from pathlib import Path

from harness.bots import Home
from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.referee import Fixture, Seat

SCRIPTED = Path(__file__).with_name("scripted.py")
SEED = "000102030405060708090a0b0c0d0e0f"


def home(*command: str) -> Home:
    return Home(command=command, folder=str(SCRIPTED.parent), build_hash=None, interpreter="")


def scripted(behaviour: str, *fifo: Path) -> Home:
    return home(sys.executable, "-I", "-S", str(SCRIPTED), behaviour, *map(str, fifo))


def fixture(seats: int = 3, *, games: int = 1, seed: str = SEED, edition: str = "iello-2016", **limits: int) -> Fixture:
    return Fixture(
        league=None,
        season=0,
        round=0,
        number=0,
        seed=seed,
        edition=BUILT_IN[edition],
        games=games,
        limits=Limits(**limits),
        seats=tuple(Seat(f"bot-{seat}", f"{seat:064x}") for seat in range(seats)),
    )
