"""The line codec: what the referee says as bytes, and a bot's line as one of two replies.

`TurnEncoder` runs for every question of every match, so it writes text itself and keeps what a turn did not change; a
property test holds it to the `Decide` model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import getitem
from typing import Any, Literal

from harness.game import RELIC, TREASURE, Edition, GameResult, GameState, cards_of, sole_leaver_relics
from harness.protocol.limits import Limits
from harness.protocol.strict import NotIJson, read_strict

__all__ = [
    "MATCH_END",
    "BadMessage",
    "DecisionReply",
    "ReadyReply",
    "Reply",
    "TurnEncoder",
    "encode_game_end",
    "encode_match_start",
    "known_replies",
    "read_reply",
    "roll_text",
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


# A roll is written from its word by whole numbers: to write the shortest decimal of a double takes three times as
# long, and that was a tenth of all that a turn cost. 17 significant digits read back to the same double.
_TENTH = (2**53 + 9) // 10
_DIGITS = 10**17
_HALF = 2**52


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


@lru_cache(maxsize=4096)
def known_replies(turn: int) -> Mapping[bytes, str]:
    """The lines that answer `turn` in the two usual layouts, newline included, with their letters: C and L.

    The canonical ones have no space; Python's `json` puts one behind comma and colon if it is not told otherwise.
    """
    canonical = b'{"type":"decision","turn":%d,"action":"' % turn
    spaced = b'{"type": "decision", "turn": %d, "action": "' % turn
    return {
        canonical + b'continue"}\n': "C",
        canonical + b'leave"}\n': "L",
        spaced + b'continue"}\n': "C",
        spaced + b'leave"}\n': "L",
    }


def roll_text(word: int) -> str:
    """The roll that a word stands for, as a plain decimal without exponent that reads back to the same double."""
    bits = word >> 11
    if not bits:
        return "0.0"
    zeros = ""
    while bits < _TENTH:
        bits *= 10
        zeros += "0"
    return f"0.{zeros}{(bits * _DIGITS + _HALF) >> 53}"


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
    return ",".join(map(str, numbers))


class TurnEncoder:
    """Writes what a match's seats hear between its start and the end of a game.

    It keeps the text of what a turn left as it was. A path that is the list of the question before with one card more
    says that this state follows that one, so only what a card and leavers change is written anew; before any other
    state all of it is. So any state of the same edition may come next.
    """

    __slots__ = (
        "_deck_hazards_text",
        "_deck_relics_text",
        "_deck_treasures",
        "_deck_treasures_text",
        "_expeditions",
        "_hazard_texts",
        "_hazards_up_text",
        "_inside",
        "_kind",
        "_kinds",
        "_names",
        "_path",
        "_path_length",
        "_path_text",
        "_relic_values",
        "_seat",
        "_table_text",
        "_values",
        "_when_text",
    )

    def __init__(self, edition: Edition, seats: int) -> None:
        cards = cards_of(edition)
        self._names = [f'"{name}"' for name in cards.names]
        self._kind = cards.kind
        self._values = [str(value) for value in cards.values]
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
        self._when_text = ""
        self._inside: list[int] = []
        self._table_text = ""
        self._hazards_up_text = ""
        self._deck_treasures: list[str] = []
        self._deck_treasures_text = ""
        self._deck_hazards_text = ""
        self._deck_relics_text = ""

    def questions(self, state: GameState, turn: int, words: Sequence[int]) -> list[bytes]:
        """The lines of `turn`, one for each seat inside, ascending; `words` has by seat the word of its own roll."""
        path = state.path
        length = len(path)
        if path is self._path and length == self._path_length + 1 > 1:
            self._path_length = length
            self._follow(state, path[-1])
        else:
            self._begin(state)
        lying = state.path_relics
        relics = f'{len(lying)},"path_relics_value":{sole_leaver_relics(state)}' if lying else '0,"path_relics_value":0'
        shared = (
            f'{{"type":"decide","turn":{turn}{self._when_text}{self._path_text}],"path_rubies":{state.path_rubies}'
            f',"path_relics":{relics},"pocket":{state.pocket}{self._table_text}'
            f',"hazards_up":[{self._hazards_up_text}],"deck_size":{state.deck_size}'
            f',"deck_treasures":[{self._deck_treasures_text}],"deck_hazards":{{{self._deck_hazards_text}}}'
            f',"deck_relics":[{self._deck_relics_text}],"relic_values":[{self._relic_values[state.relics_out]}]'
            f',"previous":"{state.previous}"'
        )
        lines = []
        for seat in state.inside:
            bits = words[seat] >> 11
            if bits >= _TENTH:
                # As `roll_text` has it, without a call.
                lines.append(f"{shared}{self._seat[seat]}0.{(bits * _DIGITS + _HALF) >> 53}}}\n".encode())
            else:
                lines.append(f"{shared}{self._seat[seat]}{roll_text(words[seat])}}}\n".encode())
        return lines

    def expedition_end(self, state: GameState, ended_by: Literal["hazard", "empty"]) -> bytes:
        """The line behind the last turn of an expedition, the same for every seat; `state` is that after the step."""
        cards = ",".join([self._names[card] for card in state.path])
        decisions = '","'.join(state.turns)
        return (
            f'{{"type":"expedition_end","game":{state.game},"expedition":{state.expedition},"cards":[{cards}]'
            f',"decisions":["{decisions}"],"ended_by":"{ended_by}","chests":[{_numbers(state.chests)}]}}\n'
        ).encode()

    def _begin(self, state: GameState) -> None:
        """Write all of a state that does not follow the one before."""
        self._path = state.path
        self._path_length = len(state.path)
        self._path_text = ",".join([self._names[card] for card in state.path])
        self._when_text = f',"game":{state.game},"expedition":{state.expedition}{self._expeditions}'
        self._write_table(state)
        self._hazards_up_text = ",".join([self._kinds[kind] for kind in state.hazards_up])
        self._deck_treasures = [str(value) for value in state.deck_treasures]
        self._deck_treasures_text = ",".join(self._deck_treasures)
        self._write_deck_hazards(state)
        self._write_deck_relics(state)

    def _follow(self, state: GameState, card: int) -> None:
        """Write what changed since the question before, when `card` was not there yet."""
        self._path_text = f"{self._path_text},{self._names[card]}"
        kind = self._kind[card]
        if kind == TREASURE:
            self._deck_treasures.remove(self._values[card])
            self._deck_treasures_text = ",".join(self._deck_treasures)
        elif kind == RELIC:
            self._write_deck_relics(state)
        else:
            # The second of a kind ends the expedition, so this one is the first.
            up = self._hazards_up_text
            self._hazards_up_text = f"{up},{self._kinds[kind]}" if up else self._kinds[kind]
            self._write_deck_hazards(state)
        # Chests, relics and forfeits change with a leaver or a forfeiter only, and neither is inside any more.
        if state.inside != self._inside:
            self._write_table(state)

    def _write_table(self, state: GameState) -> None:
        self._inside = state.inside[:]
        self._table_text = (
            f',"chests":[{_numbers(state.chests)}],"relics_taken":[{_numbers(state.relics_taken)}]'
            f',"inside":[{_numbers(state.inside)}],"forfeited":[{_numbers(state.forfeited)}]'
        )

    def _write_deck_hazards(self, state: GameState) -> None:
        self._deck_hazards_text = ",".join(map(getitem, self._hazard_texts, state.deck_hazards))

    def _write_deck_relics(self, state: GameState) -> None:
        self._deck_relics_text = ",".join([self._names[card] for card in state.deck_relics])
