"""The line codec: what the referee says as bytes, and a bot's line as one of two replies.

`TurnEncoder` runs for every question of every match, so it writes text itself and keeps what a turn did not change; a
property test holds it to the `Decide` model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import getitem
from typing import Any, Literal

from harness.game import MAX_VALUE, Edition, GameResult, GameState, cards_of, sole_leaver_relics
from harness.protocol.limits import Limits
from harness.protocol.strict import NotIJson, read_strict

__all__ = [
    "MATCH_END",
    "BadMessage",
    "DecisionReply",
    "ReadyReply",
    "Reply",
    "TurnEncoder",
    "canonical_replies",
    "encode_expedition_end",
    "encode_game_end",
    "encode_match_start",
    "format_roll",
    "read_reply",
]

Action = Literal["continue", "leave"]

MATCH_END = b'{"type":"match_end"}\n'


class BadMessage(ValueError):
    """A bot's line that is none of its two messages; `reason` says why in a few words."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class ReadyReply:
    """`{"type":"ready"}`."""


@dataclass(frozen=True, slots=True)
class DecisionReply:
    """An answer to question `turn`, from 1; `action` is None where it is missing or none of the two."""

    turn: int
    action: Action | None


Reply = ReadyReply | DecisionReply

_READY = ReadyReply()


class _Texts(dict[int, str]):
    """Numbers as text: those up to MAX_VALUE looked up, which is far cheaper than to write them, others written."""

    def __missing__(self, number: int) -> str:
        return str(number)


_TEXT = _Texts({number: str(number) for number in range(MAX_VALUE + 1)})

# Below it Python writes a float with an exponent.
_LEAST_PLAIN = 1e-4


def read_reply(line: bytes) -> Reply:
    """The reply that a bot's line holds, without its newline; unknown members are ignored. Raises BadMessage."""
    try:
        message = read_strict(line)
    except NotIJson as error:
        raise BadMessage(error.reason) from None
    if not isinstance(message, dict):
        raise BadMessage("not an object")
    kind = message.get("type")
    if kind == "decision":
        turn = message.get("turn")
        # Exactly int: true is no number. The strict reader has made 3.0 an int already.
        if type(turn) is not int or turn < 1:
            raise BadMessage("a decision without a whole number from 1 as its turn")
        action = message.get("action")
        if action == "continue":
            return DecisionReply(turn, "continue")
        return DecisionReply(turn, "leave" if action == "leave" else None)
    if kind == "ready":
        return _READY
    raise BadMessage("a message without a type" if kind is None else "a message of unknown type")


def canonical_replies(turn: int) -> tuple[bytes, bytes]:
    """The shortest lines that continue and that leave at `turn`, without newline; most bots send exactly these."""
    start = b'{"type":"decision","turn":%d,"action":"' % turn
    return start + b'continue"}', start + b'leave"}'


def format_roll(x: float) -> str:
    """`x` in [0, 1) as a plain decimal without exponent, the shortest that reads back to the same double."""
    text = repr(x)
    return format(Decimal(text), "f") if "e" in text else text


def encode_match_start(
    edition: Edition,
    match: str,
    seat: int,
    seats: int,
    games: int,
    limits: Limits,
    seed: int,
    names: Sequence[str] | None = None,
) -> bytes:
    """The line that opens a match for `seat`. `match` is the opaque word, `seed` the seat's own, below 2^53.

    `names` are the bot ids by seat, for a league that shows them; otherwise the field is left out.
    """
    message = {
        "type": "match_start",
        "protocol": 1,
        "match": match,
        "seat": seat,
        "seats": seats,
        "games": games,
        "edition": edition.to_json(),
        "limits": limits.to_json(),
        "seed": seed,
    }
    if names is not None:
        message["names"] = list(names)
    return _line(message)


def encode_expedition_end(state: GameState, ended_by: Literal["hazard", "empty"]) -> bytes:
    """The line behind the last turn of an expedition, the same for every seat; `state` is that after the step."""
    names = state.cards.names
    return _line(
        {
            "type": "expedition_end",
            "game": state.game,
            "expedition": state.expedition,
            "cards": [names[card] for card in state.path],
            "decisions": state.turns,
            "ended_by": ended_by,
            "chests": state.chests,
        }
    )


def encode_game_end(game: int, result: GameResult) -> bytes:
    """The line behind the last expedition of game number `game`."""
    return _line(
        {
            "type": "game_end",
            "game": game,
            "scores": result.scores,
            "ranks": result.ranks,
            "relics": result.relics,
        }
    )


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(_TEXT.__getitem__, numbers))


class TurnEncoder:
    """Writes the questions of one match: `shared` once a turn, `question` once a seat inside.

    It keeps the text of what a turn left as it was: of the path by the list itself, to which an expedition only adds,
    of all else by comparing values. So any state of the same edition may come next.
    """

    __slots__ = (
        "_chests",
        "_deck_hazards",
        "_deck_hazards_text",
        "_deck_relics",
        "_deck_relics_text",
        "_deck_treasures",
        "_deck_treasures_text",
        "_expeditions",
        "_forfeited",
        "_hazard_texts",
        "_hazards_up",
        "_hazards_up_text",
        "_inside",
        "_kinds",
        "_names",
        "_path",
        "_path_length",
        "_path_text",
        "_relic_values",
        "_relics_taken",
        "_seat",
        "_table_text",
    )

    def __init__(self, edition: Edition, seats: int) -> None:
        cards = cards_of(edition)
        self._names = [f'"{name}"' for name in cards.names]
        self._kinds = [f'"{kind}"' for kind in cards.hazard_kinds]
        # By kind and by copies face down.
        self._hazard_texts = [
            [f'"{hazard.kind}":{copies}' for copies in range(hazard.copies + 1)] for hazard in edition.hazards
        ]
        self._seat = [f',"seat":{seat},"roll":' for seat in range(seats)]
        self._expeditions = f',"expeditions":{edition.expeditions},"path":['
        # By the number of relics taken so far.
        ordered = edition.relic_value == "order"
        self._relic_values = [
            _numbers(edition.relics[taken:]) if ordered else "" for taken in range(len(edition.relics) + 1)
        ]
        self._path: list[int] = []
        self._path_length = 0
        self._path_text = ""
        self._chests: list[int] = []
        self._relics_taken: list[int] = []
        self._inside: list[int] = []
        self._forfeited: list[int] = []
        self._table_text = ""
        self._hazards_up: list[int] = []
        self._hazards_up_text = ""
        self._deck_treasures: list[int] = []
        self._deck_treasures_text = ""
        self._deck_hazards: list[int] = []
        self._deck_hazards_text = ""
        self._deck_relics: list[int] = []
        self._deck_relics_text = ""

    def shared(self, state: GameState, turn: int) -> str:
        """All of the question of `turn` but the seat and its roll; give it to `question`."""
        path = state.path
        if path is not self._path or len(path) != self._path_length:
            self._follow_path(path)
        if (
            state.inside != self._inside
            or state.chests != self._chests
            or state.relics_taken != self._relics_taken
            or state.forfeited != self._forfeited
        ):
            self._write_table(state)
        # One card was revealed since the last question of an expedition, so one of the three changes.
        if state.deck_treasures != self._deck_treasures:
            self._deck_treasures = state.deck_treasures[:]
            self._deck_treasures_text = _numbers(state.deck_treasures)
        if state.deck_hazards != self._deck_hazards or state.hazards_up != self._hazards_up:
            self._write_hazards(state)
        if state.deck_relics != self._deck_relics:
            self._deck_relics = state.deck_relics[:]
            self._deck_relics_text = ",".join(map(self._names.__getitem__, state.deck_relics))
        lying = state.path_relics
        # Joined, since each number that is formatted costs as much as all the rest.
        return "".join(
            (
                '{"type":"decide","turn":',
                _TEXT[turn],
                ',"game":',
                _TEXT[state.game],
                ',"expedition":',
                _TEXT[state.expedition],
                self._expeditions,
                self._path_text,
                '],"path_rubies":',
                _TEXT[state.path_rubies],
                ',"path_relics":',
                _TEXT[len(lying)],
                ',"path_relics_value":',
                _TEXT[sole_leaver_relics(state)] if lying else "0",
                ',"pocket":',
                _TEXT[state.pocket],
                self._table_text,
                ',"hazards_up":[',
                self._hazards_up_text,
                '],"deck_size":',
                _TEXT[state.deck_size],
                ',"deck_treasures":[',
                self._deck_treasures_text,
                '],"deck_hazards":{',
                self._deck_hazards_text,
                '},"deck_relics":[',
                self._deck_relics_text,
                '],"relic_values":[',
                self._relic_values[state.relics_out],
                '],"previous":"',
                state.previous,
                '"',
            )
        )

    def question(self, shared: str, seat: int, roll: float) -> bytes:
        """The line that asks `seat`; `roll` in [0, 1) is its own."""
        if roll < _LEAST_PLAIN:
            return f"{shared}{self._seat[seat]}{format_roll(roll)}}}\n".encode()
        return f"{shared}{self._seat[seat]}{roll!r}}}\n".encode()

    def _follow_path(self, path: list[int]) -> None:
        if path is not self._path or len(path) < self._path_length:
            self._path = path
            self._path_length = 0
            self._path_text = ""
        for card in path[self._path_length :]:
            self._path_text = f"{self._path_text},{self._names[card]}" if self._path_text else self._names[card]
        self._path_length = len(path)

    def _write_table(self, state: GameState) -> None:
        self._inside = state.inside[:]
        self._chests = state.chests[:]
        self._relics_taken = state.relics_taken[:]
        self._forfeited = state.forfeited[:]
        self._table_text = (
            f',"chests":[{_numbers(state.chests)}],"relics_taken":[{_numbers(state.relics_taken)}]'
            f',"inside":[{_numbers(state.inside)}],"forfeited":[{_numbers(state.forfeited)}]'
        )

    def _write_hazards(self, state: GameState) -> None:
        self._hazards_up = state.hazards_up[:]
        self._hazards_up_text = ",".join(map(self._kinds.__getitem__, state.hazards_up))
        self._deck_hazards = state.deck_hazards[:]
        self._deck_hazards_text = ",".join(map(getitem, self._hazard_texts, state.deck_hazards))
