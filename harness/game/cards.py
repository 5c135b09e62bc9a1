"""The cards of an edition by id: names as bots see them, values, kinds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from harness.game.edition import Edition

__all__ = ["RELIC", "TREASURE", "Cards", "cards_of"]

TREASURE: Final = -2
RELIC: Final = -1


@dataclass(frozen=True, slots=True)
class Cards:
    """Tables by card id, 0 … n − 1: treasures, hazards kind by kind, relics, those not yet in the deck included."""

    names: tuple[str, ...]  # "treasure:7", "hazard:snakes", "relic", with a printed value "relic:7"
    values: tuple[int, ...]  # rubies of a treasure, printed value of a relic, else 0
    kind: tuple[int, ...]  # TREASURE, RELIC, else the index of the hazard's kind
    treasure_ids: range
    relic_ids: range
    n: int
    hazard_kinds: tuple[str, ...]
    hazard_copies: tuple[int, ...]  # by index of kind, before any card has left the game
    sorted_treasures: tuple[int, ...]


@lru_cache(maxsize=64)
def cards_of(edition: Edition) -> Cards:
    """The tables of an edition, one object an edition."""
    printed = edition.relic_value == "printed"
    names = [f"treasure:{value}" for value in edition.treasures]
    values = list(edition.treasures)
    kind = [TREASURE] * len(names)
    for index, hazard in enumerate(edition.hazards):
        names += [f"hazard:{hazard.kind}"] * hazard.copies
        values += [0] * hazard.copies
        kind += [index] * hazard.copies
    first_relic = len(names)
    for value in edition.relics:
        names.append(f"relic:{value}" if printed else "relic")
        values.append(value if printed else 0)
        kind.append(RELIC)
    return Cards(
        names=tuple(names),
        values=tuple(values),
        kind=tuple(kind),
        treasure_ids=range(len(edition.treasures)),
        relic_ids=range(first_relic, len(names)),
        n=len(names),
        hazard_kinds=tuple(hazard.kind for hazard in edition.hazards),
        hazard_copies=tuple(hazard.copies for hazard in edition.hazards),
        sorted_treasures=tuple(sorted(edition.treasures)),
    )
