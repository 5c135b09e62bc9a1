"""Illegal steps raise, say which seat and why, and leave the state as it was."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from harness.game import (
    Edition,
    GameState,
    IllegalStep,
    begin_expedition,
    built_in,
    new_game,
    result,
    step,
)

Stack = Callable[..., GameState]
SEED = "000102030405060708090a0b0c0d0e0f"


def snapshot(state: GameState) -> dict[str, Any]:
    return {name: copy.deepcopy(getattr(state, name)) for name in GameState.__slots__}


# At a table where seat 1 has left, seat 3 has forfeited and seats 0 and 2 are in the cave.
ILLEGAL = [
    ("", None, "turn", "has 0 letters, the table has 4 seats"),
    ("C.C", None, "turn", "has 3 letters"),
    ("C.C..", None, "turn", "has 5 letters"),
    ("..C.", 0, "seat 0", "is in the cave, so its letter is C, L or x, not '.'"),
    ("C...", 2, "seat 2", "is in the cave"),
    ("c.C.", 0, "seat 0", "not 'c'"),
    ("C.l.", 2, "seat 2", "not 'l'"),
    ("X.C.", 0, "seat 0", "not 'X'"),
    ("C.\u0421.", 2, "seat 2", "not '\\u0421'"),
    ("C.\n.", 2, "seat 2", "not '\\n'"),
    ("CCC.", 1, "seat 1", "has left the cave, so its letter is \".\", not 'C'"),
    ("CxC.", 1, "seat 1", "has left the cave"),
    ("C.CL", 3, "seat 3", "has forfeited, so its letter is \".\", not 'L'"),
    ("C.Cx", 3, "seat 3", "has forfeited"),
    ("C C.", 1, "seat 1", "not ' '"),
    ("....", 0, "seat 0", "is in the cave"),
    (".CL.", 0, "seat 0", "is in the cave"),
]


@pytest.mark.parametrize(("decisions", "seat", "place", "says"), ILLEGAL, ids=[repr(case[0]) for case in ILLEGAL])
def test_an_illegal_turn_names_the_seat(
    stacked: Stack, short: Edition, decisions: str, seat: int | None, place: str, says: str
) -> None:
    state = stacked(short, 4, ["treasure:12", "hazard:gas", "hazard:fire"])
    step(state, "CLCC")
    step(state, "C.Cx")
    before = snapshot(state)
    with pytest.raises(IllegalStep) as caught:
        step(state, decisions)
    assert (caught.value.seat, caught.value.place) == (seat, place)
    assert says in caught.value.sentence
    assert str(caught.value) == f"{place}: {caught.value.sentence}"
    assert snapshot(state) == before
    step(state, "L.L.")


def test_no_turn_outside_an_expedition(stacked: Stack, short: Edition) -> None:
    fresh = new_game(short, SEED, 1, 3)
    with pytest.raises(IllegalStep, match="turn: no question is open"):
        step(fresh, "CCC")
    state = stacked(short, 3, ["hazard:gas", "hazard:gas"])
    assert step(state, "CCC") == "hazard"
    with pytest.raises(IllegalStep, match="turn: no question is open"):
        step(state, "CCC")
    with pytest.raises(IllegalStep, match="turn: no question is open"):
        step(state, "...")


def test_expeditions_begin_only_between_expeditions(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3)
    before = snapshot(state)
    with pytest.raises(IllegalStep, match="expedition: expedition 1 is not over"):
        begin_expedition(state)
    assert snapshot(state) == before
    step(state, "LLL")
    begin_expedition(state)
    step(state, "LLL")
    with pytest.raises(IllegalStep, match="expedition: all 2 expeditions are over"):
        begin_expedition(state)


def test_no_result_before_the_end(stacked: Stack, short: Edition) -> None:
    with pytest.raises(IllegalStep, match="game: is not over: expedition 0 of 2"):
        result(new_game(short, SEED, 1, 3))
    state = stacked(short, 3)
    with pytest.raises(IllegalStep, match="game: is not over: expedition 1 of 2"):
        result(state)
    step(state, "LLL")
    with pytest.raises(IllegalStep, match="game: is not over"):
        result(state)
    begin_expedition(state)
    with pytest.raises(IllegalStep, match="game: is not over: expedition 2 of 2"):
        result(state)
    step(state, "LLL")
    result(state)


@pytest.mark.parametrize(
    ("seed", "game", "seats", "forfeited", "says"),
    [
        (SEED, 1, 2, [], "game: has 2 seats, iello-2016 is for 3 to 8"),
        (SEED, 1, 9, [], "game: has 9 seats, iello-2016 is for 3 to 8"),
        (SEED, 0, 3, [], "game: has number 0"),
        (SEED.upper(), 1, 3, [], "game: has a seed that is not 32 lower-case hex digits"),
        ("", 1, 3, [], "game: has a seed"),
        (SEED, 1, 3, [3], "seat 3: can't have forfeited"),
        (SEED, 1, 3, [-1], "seat -1: can't have forfeited"),
    ],
)
def test_a_game_that_cannot_be_is_refused(seed: str, game: int, seats: int, forfeited: list[int], says: str) -> None:
    with pytest.raises(IllegalStep) as caught:
        new_game(built_in("iello-2016"), seed, game, seats, forfeited)
    assert str(caught.value).startswith(says)
