"""Forfeits: the sentences of "Faults" in protocol.md, one test each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.game import Edition, GameState, IllegalStep, begin_expedition, built_in, new_game, result, step

Stack = Callable[..., GameState]
SEED = "000102030405060708090a0b0c0d0e0f"


def test_at_an_x_the_pocket_goes_to_the_supply(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 4, ["treasure:12", "hazard:gas"])
    assert step(state, "xCCC") is None
    assert state.chests == [0, 0, 0, 0]
    assert (state.pocket, state.path_rubies) == (3, 0)
    assert (state.inside, state.forfeited) == ([1, 2, 3], [0])


def test_until_its_x_a_seat_counts_as_inside(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 4, ["treasure:11", "treasure:9", "hazard:gas"])
    assert (state.pocket, state.path_rubies) == (2, 3)
    # The card after the x is shared by the three who are left.
    step(state, "CCxC")
    assert (state.pocket, state.path_rubies) == (2 + 3, 3)


def test_a_forfeiter_does_not_count_among_those_who_share(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 4, ["treasure:11", "hazard:gas"])
    step(state, "LxLC")
    assert state.chests == [2 + 1, 0, 2 + 1, 0]
    assert state.path_rubies == 1


def test_a_lone_l_beside_an_x_takes_the_relics(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["relic", "hazard:gas"])
    step(state, "xLC")
    assert state.chests == [0, 5, 0]
    assert state.relics_taken == [0, 1, 0]


def test_only_forfeits_leave_the_relics_lying(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["relic", "hazard:gas", "hazard:fire"])
    step(state, "xCC")
    assert len(state.path_relics) == 1
    step(state, ".LC")
    assert state.chests == [0, 5, 0]


def test_afterwards_a_seat_is_not_inside(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["hazard:gas", "hazard:fire"])
    step(state, "CxC")
    with pytest.raises(IllegalStep) as caught:
        step(state, "CCC")
    assert (caught.value.seat, caught.value.place) == (1, "seat 1")
    assert "has forfeited" in caught.value.sentence
    step(state, "L.L")
    begin_expedition(state)
    assert state.inside == [0, 2]
    assert step(state, "L.L") == "empty"


def test_in_the_game_of_its_x_chest_and_relics_stay_as_they_were(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["relic", "treasure:12"], ["treasure:12"])
    step(state, "CCL")
    step(state, "LL.")
    begin_expedition(state)
    step(state, "LLx")
    assert result(state).scores == (6 + 4, 6 + 4, 5)
    assert result(state).relics == (0, 0, 1)


@pytest.mark.parametrize(
    ("second", "ranks"),
    [
        ("CCCx", (2, 2, 1, 4)),  # the richest seat forfeits: last all the same
        ("xCCx", (3, 2, 1, 3)),  # two forfeit and tie with each other
        ("xCxx", (2, 1, 2, 2)),
        ("xxxx", (1, 1, 1, 1)),  # all: rank 1, which is no win
    ],
)
def test_forfeited_seats_rank_below_all_others_whatever_their_chests(
    stacked: Stack, short: Edition, second: str, ranks: tuple[int, ...]
) -> None:
    # After the first expedition: 3, 3, 8 and 16 points.
    state = stacked(short, 4, ["treasure:12", "treasure:5", "treasure:5", "relic"], ["hazard:gas", "hazard:gas"])
    assert step(state, "LLCC") is None
    assert (state.pocket, state.path_rubies) == (3 + 2, 1)
    assert step(state, "..CC") is None
    assert (state.pocket, state.path_rubies) == (3 + 2 + 2, 2)
    assert step(state, "..CC") is None
    assert step(state, "..LC") is None
    assert state.relics_taken == [0, 0, 1, 0]
    assert step(state, "...L") == "empty"
    chests = tuple(state.chests)
    begin_expedition(state)
    ended = step(state, second)
    assert ended == ("empty" if second == "xxxx" else "hazard")
    assert result(state).scores == chests
    assert result(state).ranks == ranks


def test_a_seat_that_left_with_an_x_at_its_side_ends_the_expedition(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["treasure:12"])
    assert step(state, "LxL") == "empty"
    assert state.chests == [4, 0, 4]


def test_a_game_after_a_forfeit_gives_that_seat_nothing(short: Edition) -> None:
    state = new_game(short, SEED, 2, 4, [2])
    for _ in range(2):
        begin_expedition(state)
        assert state.inside == [0, 1, 3]
        assert step(state, "LL.L") == "empty"
    got = result(state)
    assert (got.scores[2], got.relics[2], got.ranks[2]) == (0, 0, 4)


def test_one_survivor_plays_on_alone(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["treasure:11", "treasure:12", "relic"], ["relic"])
    step(state, "xCx")
    assert (state.inside, state.pocket, state.path_rubies) == ([1], 3 + 12, 2)
    step(state, ".C.")
    assert step(state, ".L.") == "empty"
    assert state.chests == [0, 17 + 5, 0]
    begin_expedition(state)
    assert step(state, ".L.") == "empty"
    assert result(state).ranks == (2, 1, 2)


def test_when_all_forfeit_no_card_is_revealed_any_more(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["treasure:11"])
    assert step(state, "xxx") == "empty"
    assert len(state.path) == 1
    with pytest.raises(IllegalStep, match="every seat has forfeited"):
        begin_expedition(state)
    assert result(state).ranks == (1, 1, 1)
    assert result(state).scores == (0, 0, 0)


def test_a_game_that_all_forfeited_before_is_over_at_once() -> None:
    state = new_game(built_in("iello-2016"), SEED, 2, 3, [0, 1, 2])
    with pytest.raises(IllegalStep, match="every seat has forfeited"):
        begin_expedition(state)
    got = result(state)
    assert (got.scores, got.ranks, got.relics) == ((0, 0, 0), (1, 1, 1), (0, 0, 0))
