"""Stacked decks: a game whose cards are chosen by name, through the one door by which chance enters a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

import harness.game.turn as turn_module
from harness.game import Edition, GameState, Hazard, begin_expedition, cards_of, new_game

SEED = "000102030405060708090a0b0c0d0e0f"

Stack = Callable[..., GameState]


@pytest.fixture
def stacked(monkeypatch: pytest.MonkeyPatch) -> Stack:
    """A game in its first expedition: ``stacked(edition, seats, [cards of expedition 1], [cards of expedition 2], …)``.

    A card is given by name, or by id where it matters which of the same name; all others follow in the order of ids.
    """

    def make(edition: Edition, seats: int, *tops: Sequence[str | int], forfeited: Sequence[int] = ()) -> GameState:
        names = cards_of(edition).names
        orders: Mapping[int, tuple[int, ...]] = {
            expedition: _order(names, top) for expedition, top in enumerate(tops, start=1)
        }

        def deal(n: int, seed: str, game: int, expedition: int) -> tuple[int, ...]:
            return orders.get(expedition, tuple(range(n)))

        monkeypatch.setattr(turn_module, "deal_order", deal)
        state = new_game(edition, SEED, 1, seats, forfeited)
        begin_expedition(state)
        return state

    return make


def _order(names: Sequence[str], top: Sequence[str | int]) -> tuple[int, ...]:
    first: list[int] = []
    for card in top:
        first.append(
            card
            if isinstance(card, int)
            else next(i for i, name in enumerate(names) if name == card and i not in first)
        )
    return (*first, *(i for i in range(len(names)) if i not in first))


@pytest.fixture
def short() -> Edition:
    """Two expeditions, a small deck, shared ties: for games played by hand."""
    return Edition(
        name="short",
        expeditions=2,
        min_seats=3,
        max_seats=8,
        treasures=(5, 5, 9, 11, 12),
        hazards=(Hazard("gas", 3), Hazard("fire", 3)),
        relics=(5, 5, 5, 10, 10),
        relic_entry="start",
        relic_value="order",
        tie_break="none",
    )
