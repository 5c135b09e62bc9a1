"""The message models: strict in types, deaf to what they do not know."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from harness.game import BUILT_IN
from harness.protocol import Decide, Decision, GameEnd, Limits, MatchStart, Ready

DECISION = {"type": "decision", "turn": 3, "action": "leave"}
DECIDE: dict[str, Any] = {
    "type": "decide",
    "turn": 4,
    "seat": 1,
    "game": 1,
    "expedition": 2,
    "expeditions": 5,
    "path": ["treasure:7", "hazard:cave-in", "relic", "relic:12"],
    "path_rubies": 3,
    "path_relics": 2,
    "path_relics_value": 10,
    "pocket": 1,
    "chests": [0, 5, 0],
    "relics_taken": [0, 0, 0],
    "inside": [1, 2],
    "forfeited": [],
    "hazards_up": ["cave-in"],
    "deck_size": 3,
    "deck_treasures": [1],
    "deck_hazards": {"cave-in": 1, "gas": 0},
    "deck_relics": ["relic"],
    "relic_values": [5, 10],
    "previous": "LCC",
    "roll": 0.25,
}


def test_a_decision_takes_three_as_3_0_and_fields_it_does_not_know() -> None:
    decision = Decision.model_validate({**DECISION, "turn": 3.0, "why": "fear"})
    assert decision.model_dump() == DECISION
    assert type(decision.turn) is int


@pytest.mark.parametrize(
    "change",
    [
        {"turn": True},
        {"turn": "3"},
        {"turn": 3.5},
        {"turn": 0},
        {"turn": None},
        {"turn": 2**53},
        {"turn": float("inf")},
        {"action": "stay"},
        {"action": None},
        {"type": "ready"},
    ],
)
def test_a_decision_of_wrong_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Decision.model_validate({**DECISION, **change})


@pytest.mark.parametrize("field", ["type", "turn", "action"])
def test_a_decision_needs_every_field(field: str) -> None:
    with pytest.raises(ValidationError):
        Decision.model_validate({name: value for name, value in DECISION.items() if name != field})


def test_messages_are_frozen() -> None:
    ready = Ready(type="ready")
    with pytest.raises(ValidationError):
        ready.type = "ready"


def test_a_question() -> None:
    assert Decide.model_validate(DECIDE).model_dump() == DECIDE
    assert Decide.model_validate({**DECIDE, "roll": 0}).roll == 0


@pytest.mark.parametrize(
    "change",
    [
        {"path": ["diamond"]},
        {"path": ["treasure"]},
        {"seat": 8},
        {"seat": -1},
        {"seat": False},
        {"chests": [1, 2]},
        {"chests": [1, 2, True]},
        {"chests": "123"},
        {"roll": 1},
        {"roll": -0.1},
        {"roll": "0.5"},
        {"previous": "CC"},
        {"previous": "CCZ"},
        {"previous": None},
        {"deck_hazards": {"gas": -1}},
        {"deck_hazards": {"Gas": 1}},
        {"pocket": -1},
        {"game": 0},
    ],
)
def test_a_question_of_wrong_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Decide.model_validate({**DECIDE, **change})


def test_every_field_of_a_question_is_required() -> None:
    for field in DECIDE:
        with pytest.raises(ValidationError, match=field):
            Decide.model_validate({name: value for name, value in DECIDE.items() if name != field})


def test_lists_by_seat_have_3_to_8_numbers() -> None:
    for seats in range(12):
        end = {"type": "game_end", "game": 1, "scores": [0] * seats, "ranks": [1] * seats, "relics": [0] * seats}
        if 3 <= seats <= 8:
            GameEnd.model_validate(end)
        else:
            with pytest.raises(ValidationError):
                GameEnd.model_validate(end)


def test_match_start_carries_all_eight_limits() -> None:
    start = {
        "type": "match_start",
        "protocol": 1,
        "match": "w",
        "seat": 0,
        "seats": 3,
        "games": 1,
        "edition": BUILT_IN["iello-2016"].to_json(),
        "limits": Limits().to_json(),
        "seed": 0,
    }
    assert MatchStart.model_validate(start).model_dump(exclude_none=True) == start
    unknown = {**start, "limits": {**Limits().to_json(), "new_ms": 1}}
    assert MatchStart.model_validate(unknown).model_dump(exclude_none=True) == start
    for name in Limits().to_json():
        few = {key: value for key, value in Limits().to_json().items() if key != name}
        with pytest.raises(ValidationError, match=name):
            MatchStart.model_validate({**start, "limits": few})
    for protocol in (2, True, "1"):
        with pytest.raises(ValidationError):
            MatchStart.model_validate({**start, "protocol": protocol})
