"""One expedition after another, by hand: what each sentence of rules.md says happens to rubies, relics and cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from harness.game import Edition, GameState, begin_expedition, built_in, new_game, result, sole_leaver_relics, step

Stack = Callable[..., GameState]

IELLO = built_in("iello-2016")


@pytest.mark.parametrize(("value", "seats", "each", "stay"), [(11, 4, 2, 3), (9, 5, 1, 4), (5, 8, 0, 5), (15, 3, 5, 0)])
def test_a_treasure_is_shared_and_the_rest_stays_on_the_card(
    stacked: Stack, value: int, seats: int, each: int, stay: int
) -> None:
    state = stacked(IELLO, seats, [f"treasure:{value}"])
    assert (state.pocket, state.path_rubies) == (each, stay)
    assert state.path == [IELLO.treasures.index(value)]


def test_leavers_pool_what_lies_on_the_path(stacked: Stack) -> None:
    state = stacked(IELLO, 4, ["treasure:5", "treasure:5", "hazard:lava"])
    assert step(state, "CCCC") is None
    assert (state.pocket, state.path_rubies) == (2, 2)
    assert step(state, "LLCC") is None
    # Card by card each would get 0 and 2 would stay.
    assert state.chests == [3, 3, 0, 0]
    assert state.path_rubies == 0
    assert state.inside == [2, 3]
    assert state.pocket == 2


def test_what_does_not_divide_among_leavers_stays_in_the_cave(stacked: Stack) -> None:
    state = stacked(IELLO, 6, ["treasure:17", "hazard:lava", "hazard:rams"])
    assert step(state, "LLLCCC") is None
    assert state.chests == [2 + 1] * 3 + [0] * 3
    assert state.path_rubies == 2
    assert step(state, "...LCC") is None
    assert state.chests[3] == 2 + 2


def test_all_leave_and_the_rest_of_the_path_goes_back(stacked: Stack) -> None:
    state = stacked(IELLO, 4, ["treasure:11", "relic"])
    step(state, "CCCC")
    assert step(state, "LLLL") == "empty"
    assert state.chests == [2, 2, 2, 2]
    assert (state.inside, state.pocket, state.path_rubies, state.path_relics) == ([], 0, 0, [])
    assert state.turns == ["CCCC", "LLLL"]
    assert [state.cards.names[card] for card in state.path] == ["treasure:11", "relic"]


def test_the_first_hazard_of_a_kind_is_harmless_and_the_second_busts(stacked: Stack) -> None:
    state = stacked(IELLO, 3, ["treasure:15", "hazard:lava", "hazard:rams", "hazard:lava"])
    step(state, "CCC")
    step(state, "LCC")
    assert state.hazards_up == [2, 4]
    assert state.pocket == 5
    assert step(state, ".CC") == "hazard"
    assert state.chests == [5, 0, 0]
    assert (state.inside, state.pocket, state.path_rubies) == ([], 0, 0)
    assert len(state.path) == 4


def test_of_two_identical_hazards_the_second_leaves_the_game(stacked: Stack) -> None:
    first, second = 22, 21  # two of the lava cards, ids 21 to 23
    state = stacked(IELLO, 3, [first, second], [second, 23, first])
    assert step(state, "CCC") == "hazard"
    begin_expedition(state)
    # The removed card is passed over; the one revealed first is back.
    assert state.path == [23]
    assert state.deck_size == 35 - 1 - 1
    assert state.deck_hazards == [3, 3, 1, 3, 3]
    assert step(state, "CCC") == "hazard"
    assert state.path == [23, first]
    begin_expedition(state)
    assert state.deck_hazards == [3, 3, 1, 3, 3]
    assert state.deck_size == 33 - 1


def test_a_sole_leaver_takes_every_relic(stacked: Stack) -> None:
    state = stacked(IELLO, 3, ["relic", "relic", "hazard:lava"])
    assert sole_leaver_relics(state) == 5
    step(state, "CCC")
    assert sole_leaver_relics(state) == 10
    step(state, "CLC")
    assert state.chests == [0, 10, 0]
    assert state.relics_taken == [0, 2, 0]
    assert (state.relics_out, state.path_relics, sole_leaver_relics(state)) == (2, [], 0)


def test_the_last_explorer_inside_takes_them_too(stacked: Stack) -> None:
    state = stacked(IELLO, 3, ["hazard:lava", "relic"])
    step(state, "LLC")
    assert step(state, "..L") == "empty"
    assert state.chests == [0, 0, 5]


def test_several_leavers_take_no_relic_and_it_stays(stacked: Stack) -> None:
    state = stacked(IELLO, 4, ["relic", "hazard:lava", "hazard:rams"])
    step(state, "LLCC")
    assert state.relics_taken == [0, 0, 0, 0]
    assert len(state.path_relics) == 1
    step(state, "..LC")
    assert state.relics_taken == [0, 0, 1, 0]


def test_relics_are_valued_in_the_order_in_which_they_leave_the_cave(stacked: Stack) -> None:
    state = stacked(IELLO, 3, ["relic", "relic"], ["relic", "relic", 33, 34, 32])
    step(state, "CCC")
    step(state, "LCC")
    assert step(state, ".LL") == "empty"
    begin_expedition(state)
    for _ in range(2):
        step(state, "CCC")
    assert sole_leaver_relics(state) == 5 + 10 + 10
    step(state, "CLC")
    assert state.chests == [10, 25, 0]
    assert state.relics_taken == [2, 3, 0]


def test_relics_lost_do_not_count_towards_that_order(stacked: Stack) -> None:
    state = stacked(IELLO, 3, [30, 31, 32], [33])
    step(state, "CCC")
    step(state, "CCC")
    assert step(state, "LLL") == "empty"
    begin_expedition(state)
    assert state.path_relics == [33]
    assert sole_leaver_relics(state) == 5
    # Revealed and not taken, they left the game; the one never drawn is still there.
    assert state.deck_relics == [34]
    assert state.deck_size == 35 - 3 - 1


def test_relics_lost_to_a_bust_leave_the_game(stacked: Stack) -> None:
    state = stacked(IELLO, 3, ["relic", "hazard:lava", "hazard:lava"], ["hazard:rams"])
    step(state, "CCC")
    assert step(state, "CCC") == "hazard"
    begin_expedition(state)
    assert state.deck_relics == [31, 32, 33, 34]
    assert state.relics_taken == [0, 0, 0]


def test_printed_values_stand_on_the_card_whatever_left_before(stacked: Stack) -> None:
    edition = replace(built_in("incan-gold-2020"), name="all-at-once", relic_entry="start")
    state = stacked(edition, 3, ["relic:12", "relic:7", "relic:5"])
    assert sole_leaver_relics(state) == 12
    step(state, "LCC")
    assert sole_leaver_relics(state) == 7
    step(state, ".CC")
    assert sole_leaver_relics(state) == 12
    step(state, ".LC")
    assert state.chests == [12, 12, 0]
    assert state.relics_taken == [1, 2, 0]


@pytest.mark.parametrize("name", ["incan-gold-2006", "incan-gold-2020"])
def test_one_relic_joins_before_each_expedition(stacked: Stack, name: str) -> None:
    state = stacked(built_in(name), 3)
    for expedition in range(1, 6):
        if expedition > 1:
            begin_expedition(state)
        assert state.expedition == expedition
        assert state.deck_relics == list(range(30, 30 + expedition))
        assert state.deck_size == 29 + expedition
        assert step(state, "LLL") == "empty"


def test_relics_beyond_the_expeditions_never_join(stacked: Stack) -> None:
    edition = replace(built_in("incan-gold-2006"), name="short", expeditions=2)
    state = stacked(edition, 3)
    step(state, "LLL")
    begin_expedition(state)
    assert state.deck_relics == [30, 31]


def test_expeditions_beyond_the_relics_add_none(stacked: Stack) -> None:
    edition = replace(built_in("incan-gold-2006"), name="poor", relics=(5,))
    state = stacked(edition, 3)
    step(state, "LLL")
    begin_expedition(state)
    assert state.deck_relics == [30]


def test_each_expedition_starts_with_empty_hands_and_a_fresh_path(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 3, ["treasure:9", "hazard:gas"], ["treasure:12", "hazard:fire"])
    assert state.previous == ""
    step(state, "CCC")
    assert state.previous == "CCC"
    step(state, "LCC")
    step(state, ".LL")
    begin_expedition(state)
    assert (state.previous, state.turns, state.hazards_up) == ("", [], [])
    assert (state.inside, state.pocket, state.path_rubies) == ([0, 1, 2], 4, 0)
    assert state.deck_treasures == [5, 5, 9, 11]


def test_the_highest_chest_wins_and_equals_share_the_rank(stacked: Stack, short: Edition) -> None:
    state = stacked(short, 4, ["treasure:12", "treasure:5", "hazard:gas"], ["hazard:gas"])
    step(state, "LCCC")
    step(state, ".LLC")
    step(state, "...L")
    begin_expedition(state)
    step(state, "LLLL")
    assert result(state).scores == (3, 5, 5, 4)
    assert result(state).ranks == (4, 1, 1, 3)


@pytest.mark.parametrize(("tie_break", "ranks"), [("none", (1, 1, 1, 1)), ("relics", (2, 1, 2, 2))])
def test_a_tie_is_broken_by_relics_only_where_the_edition_says_so(
    stacked: Stack, short: Edition, tie_break: Literal["none", "relics"], ranks: tuple[int, ...]
) -> None:
    edition = replace(short, tie_break=tie_break, relics=(0,))
    state = stacked(edition, 4, ["treasure:12", "relic", "hazard:gas"], ["hazard:gas"])
    step(state, "CCCC")
    assert step(state, "CLCC") is None
    assert step(state, "L.LL") == "empty"
    begin_expedition(state)
    step(state, "LLLL")
    assert result(state).relics == (0, 1, 0, 0)
    assert (result(state).scores, result(state).ranks) == ((3, 3, 3, 3), ranks)


def test_two_tables_with_one_seed_meet_the_same_cards() -> None:
    paths = []
    for seats in (3, 8):
        state = new_game(IELLO, "0123456789abcdef" * 2, 1, seats)
        begin_expedition(state)
        while step(state, "C" * seats) is None:
            pass
        paths.append(state.path)
    assert paths[0] == paths[1]
