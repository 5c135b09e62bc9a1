"""A record counted again from the contract alone: no code of the harness is used."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Line:
    """A card as a match must be told: what leavers take, and what a bust costs each seat that it catches.

    `pocket` is None on a bust; `inside` has a seat's digit where it sees the card, else a dot.
    """

    card: str
    pocket: int | None
    rubies: int
    relics: int
    inside: str
    takes: dict[int, int] = field(default_factory=dict)
    loses: int | None = None


Told = tuple[list[Line], list[int]]
"""The cards of an expedition, and the chests after it."""


def recount(record: dict[str, Any]) -> list[list[Told]]:
    """By game and expedition the cards and the chests."""
    edition = record["edition"]
    cards = [("treasure", value) for value in edition["treasures"]]
    cards += [("hazard", h["kind"]) for h in edition["hazards"] for _ in range(h["copies"])]
    first_relic = len(cards)
    cards += [("relic", value) for value in edition["relics"]]
    n = len(cards)
    late_relics = edition["relic_entry"] == "expedition"
    games = []
    for g, game in enumerate(record["games"], start=1):
        chests = [0] * len(record["seats"])
        gone: set[int] = set()
        out = 0
        told: list[Told] = []
        for e, turns in enumerate(game["expeditions"], start=1):
            if not turns:
                told.append(([], list(chests)))
                continue
            digest = hashlib.shake_256(f"deal/{record['seed']}/{g}/{e}".encode()).digest(8 * n)
            order = sorted(range(n), key=lambda i: (digest[8 * i : 8 * i + 8], i))
            deck = [i for i in order if i not in gone and not (late_relics and i >= first_relic + e)]
            inside = [seat for seat, letter in enumerate(turns[0]) if letter != "."]
            seen: set[str] = set()
            rubies = pocket = 0
            relics: list[int] = []
            lines = []
            for position, card in enumerate(deck):
                kind, value = cards[card]
                if not inside:
                    break
                letters = "".join(str(s) if s in inside else "." for s in range(len(chests)))
                name = f"{kind}:{value}"
                if kind == "hazard" and value in seen:
                    lines.append(Line(name, None, rubies, len(relics), letters, loses=pocket))
                    gone.add(card)
                    break
                if kind == "hazard":
                    seen.add(value)
                elif kind == "treasure":
                    pocket += value // len(inside)
                    rubies += value % len(inside)
                else:
                    relics.append(value)
                    gone.add(card)
                    name = name if edition["relic_value"] == "printed" else "relic"
                line = Line(name, pocket, rubies, len(relics), letters)
                leavers = [s for s in inside if turns[position][s] == "L"]
                if leavers:
                    share = rubies // len(leavers)
                    rubies -= share * len(leavers)
                    extra = 0
                    if len(leavers) == 1:
                        by_order = edition["relics"][out : out + len(relics)]
                        extra = sum(relics if edition["relic_value"] == "printed" else by_order)
                        out += len(relics)
                        relics = []
                    for seat in leavers:
                        line.takes[seat] = pocket + share + extra
                        chests[seat] += pocket + share + extra
                lines.append(line)
                inside = [s for s in inside if turns[position][s] == "C"]
            told.append((lines, list(chests)))
        games.append(told)
    return games
