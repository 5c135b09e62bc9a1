"""The messages of bot protocol 1 as models. They are the contract's shape; what is not in them a reader ignores."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from harness.game import (
    KIND_PATTERN,
    MAX_CARDS,
    MAX_EXPEDITIONS,
    MAX_KINDS,
    MAX_NAME,
    MAX_SEATS,
    MAX_VALUE,
    MIN_COPIES,
    MIN_SEATS,
)
from harness.protocol.limits import LimitsData
from harness.protocol.whole import Between, Count, Number

__all__ = [
    "TURN_PATTERN",
    "Decide",
    "Decision",
    "EditionData",
    "ExpeditionEnd",
    "GameEnd",
    "HazardData",
    "MatchEnd",
    "MatchStart",
    "Message",
    "Ready",
]

_VALUE = f"[0-9]{{1,{len(str(MAX_VALUE))}}}"
_LETTERS = f"[CLx.]{{{MIN_SEATS},{MAX_SEATS}}}"

Seat = Annotated[int, Between(0, MAX_SEATS - 1)]
KindWord = Annotated[str, Field(pattern=f"^{KIND_PATTERN}$")]
CardName = Annotated[str, Field(pattern=f"^(treasure:{_VALUE}|hazard:{KIND_PATTERN}|relic(:{_VALUE})?)$")]
CardValue = Annotated[int, Between(0, MAX_VALUE)]
TURN_PATTERN = f"^{_LETTERS}$"
"""A letter a seat."""
BySeat = Annotated[list[Count], Field(min_length=MIN_SEATS, max_length=MAX_SEATS, description="a number a seat")]
Seats = Annotated[list[Seat], Field(max_length=MAX_SEATS, description="seats, ascending")]


class Message(BaseModel):
    """What all messages share: frozen, strict in types, and deaf to fields that they do not know."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class HazardData(Message):
    """One kind of hazard: its word and how many cards of it there are."""

    kind: KindWord
    copies: Annotated[int, Between(MIN_COPIES, MAX_CARDS)]


class EditionData(Message):
    """An edition as data; `harness.game.edition_from_json` checks the bounds that span several fields."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    expeditions: Annotated[int, Between(1, MAX_EXPEDITIONS)]
    min_seats: Annotated[int, Between(MIN_SEATS, MAX_SEATS)]
    max_seats: Annotated[int, Between(MIN_SEATS, MAX_SEATS)]
    treasures: Annotated[list[CardValue], Field(max_length=MAX_CARDS)]
    hazards: Annotated[list[HazardData], Field(max_length=MAX_KINDS)]
    relics: Annotated[list[CardValue], Field(max_length=MAX_CARDS)]
    relic_entry: Literal["start", "expedition"]
    relic_value: Literal["order", "printed"]
    tie_break: Literal["none", "relics"]


class MatchStart(Message):
    """Opens a match; `seed` is this seat's own."""

    type: Literal["match_start"]
    protocol: Annotated[int, Between(1, 1)]
    match: Annotated[str, Field(description="an opaque word")]
    seat: Seat
    seats: Annotated[int, Between(MIN_SEATS, MAX_SEATS)]
    games: Number
    edition: EditionData
    limits: LimitsData
    seed: Count
    names: Annotated[
        list[str] | SkipJsonSchema[None],
        Field(min_length=MIN_SEATS, max_length=MAX_SEATS, description="bot ids by seat, where the league shows them"),
    ] = None


class Decide(Message):
    """A question to a seat in the cave: all that perfect recall would know."""

    type: Literal["decide"]
    turn: Number
    seat: Seat
    game: Number
    expedition: Number
    expeditions: Number
    path: list[CardName]
    path_rubies: Count
    path_relics: Count
    path_relics_value: Count
    pocket: Count
    chests: BySeat
    relics_taken: BySeat
    inside: Seats
    forfeited: Seats
    hazards_up: list[KindWord]
    deck_size: Count
    deck_treasures: list[CardValue]
    deck_hazards: dict[KindWord, Count]
    deck_relics: list[CardName]
    relic_values: list[CardValue]
    previous: Annotated[str, Field(pattern=f"^({_LETTERS})?$")]
    roll: Annotated[float, Field(ge=0, lt=1)]


class ExpeditionEnd(Message):
    """Follows the last turn of an expedition, to every seat not forfeited."""

    type: Literal["expedition_end"]
    game: Number
    expedition: Number
    cards: list[CardName]
    decisions: list[Annotated[str, Field(pattern=TURN_PATTERN)]]
    ended_by: Literal["hazard", "empty"]
    chests: BySeat


class GameEnd(Message):
    """Follows the last expedition of a game."""

    type: Literal["game_end"]
    game: Number
    scores: BySeat
    ranks: BySeat
    relics: BySeat


class MatchEnd(Message):
    """The last line of the referee."""

    type: Literal["match_end"]


class Ready(Message):
    """A bot's first line, once."""

    type: Literal["ready"]


class Decision(Message):
    """A bot's answer to the question of `turn`."""

    type: Literal["decision"]
    turn: Number
    action: Literal["continue", "leave"]
