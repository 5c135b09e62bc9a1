"""Chances when nobody ever leaves: exact fractions by enumeration, and the engine within statistical bounds of them.

The seeds are fixed, so each comparison has one outcome; the bounds are wide enough that a right engine rarely meets an
unlucky seed (4.5 standard deviations) and a wrong one can't hide.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb, sqrt

import pytest

from harness.game import BUILT_IN, GameState, begin_expedition, built_in, cards_of, new_game, step

SEED = "000102030405060708090a0b0c0d0e0f"
GAMES = 8_000
SIGMAS = 4.5

IELLO = [
    Fraction(3, 119),
    Fraction(64, 1309),
    Fraction(33, 476),
    Fraction(3456, 40579),
    Fraction(15513, 162316),
    Fraction(10728, 106981),
]
SCHMIDT = [
    Fraction(1, 29),
    Fraction(27, 406),
    Fraction(113, 1218),
    Fraction(2633, 23751),
    Fraction(52, 435),
    Fraction(4709, 39585),
]
SAFE = {"iello-2016": 20, "schmidt-2005": 15, "incan-gold-2006": 16, "incan-gold-2020": 16}


@lru_cache(maxsize=4096)
def ends_at(safe: int, copies: tuple[int, ...]) -> tuple[Fraction, ...]:
    """P(the expedition ends exactly at the k-th card) at index k, by walking all states (safe cards seen, kinds up)."""
    total = safe + sum(copies)
    states: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    chances = [Fraction(0)]
    while states:
        after: dict[tuple[int, int], Fraction] = {}
        bust = Fraction(0)
        for (seen, up), chance in states.items():
            left = total - seen - up.bit_count()
            if seen < safe:
                key = (seen + 1, up)
                after[key] = after.get(key, Fraction(0)) + chance * Fraction(safe - seen, left)
            for kind, count in enumerate(copies):
                if up >> kind & 1:
                    bust += chance * Fraction(count - 1, left)
                elif count:
                    key = (seen, up | 1 << kind)
                    after[key] = after.get(key, Fraction(0)) + chance * Fraction(count, left)
        chances.append(bust)
        states = after
    return tuple(chances)


def mean(chances: tuple[Fraction, ...]) -> Fraction:
    return sum((k * chance for k, chance in enumerate(chances)), Fraction(0))


def variance(chances: tuple[Fraction, ...]) -> float:
    return float(sum((k * k * chance for k, chance in enumerate(chances)), Fraction(0)) - mean(chances) ** 2)


def never_leave(state: GameState) -> int:
    """Plays an expedition to its bust; the number of cards."""
    begin_expedition(state)
    stay = "C" * state.seats
    while (ended := step(state, stay)) is None:
        pass
    assert ended == "hazard"
    return len(state.path)


@pytest.mark.parametrize(
    ("name", "table", "last", "last_chance", "cards"),
    [
        ("iello-2016", IELLO, 26, Fraction(81, 61193132), Fraction(8622, 1001)),
        ("schmidt-2005", SCHMIDT, 21, Fraction(27, 3338335), Fraction(14849, 2002)),
    ],
)
def test_enumeration_gives_the_fractions_of_the_rules(
    name: str, table: list[Fraction], last: int, last_chance: Fraction, cards: Fraction
) -> None:
    chances = ends_at(SAFE[name], (3,) * 5)
    assert sum(chances) == 1
    assert list(chances[:2]) == [0, 0]
    assert list(chances[2:8]) == table
    assert max(k for k, chance in enumerate(chances) if chance) == last
    assert chances[last] == last_chance
    assert mean(chances) == cards


@pytest.mark.parametrize("safe", range(15, 21))
def test_enumeration_agrees_with_the_closed_form(safe: int) -> None:
    chances = ends_at(safe, (3,) * 5)
    for k in range(safe + 7):
        alive = sum(comb(5, j) * 3**j * comb(safe, k - j) for j in range(min(k, 5) + 1) if k - j <= safe)
        assert 1 - sum(chances[: k + 1]) == Fraction(alive, comb(safe + 15, k))
    # The longest safe run: 25 cards in 2016, 20 in 2005, 20 + e in expedition e of Incan Gold.
    assert max(k for k, chance in enumerate(chances) if chance) == safe + 6


def test_a_given_safe_card_shows_up_before_the_bust() -> None:
    # Among it and the 15 hazards its place is uniform; j hazards come before it and must be of different kinds.
    direct = sum(Fraction(comb(5, j) * 3**j, comb(15, j)) for j in range(6)) / 16
    assert direct == Fraction(479, 2002)
    for safe in (15, 16, 20):
        # Expected number of safe cards before the bust, from the closed form; each of them is equally likely.
        shown = Fraction(0)
        for k in range(1, safe + 7):
            for j in range(min(5, k - 1) + 1):
                if k - 1 - j <= safe:
                    alive = Fraction(comb(5, j) * 3**j * comb(safe, k - 1 - j), comb(safe + 15, k - 1))
                    shown += alive * Fraction(safe - (k - 1 - j), safe + 15 - (k - 1))
        assert shown / safe == direct


def test_enumeration_agrees_with_every_order_of_a_tiny_deck() -> None:
    ends: dict[int, int] = {}
    for order in permutations(["safe", "safe", "a", "a", "b", "b", "b"]):
        hazards = [card for card in order if card != "safe"]
        second = next(i for i, card in enumerate(hazards) if card in hazards[:i])
        places = [place for place, card in enumerate(order, start=1) if card != "safe"]
        ends[places[second]] = ends.get(places[second], 0) + 1
    chances = ends_at(2, (2, 3))
    assert {k: Fraction(count, 5040) for k, count in ends.items()} == {k: c for k, c in enumerate(chances) if c}


@pytest.mark.parametrize("name", BUILT_IN)
def test_first_expeditions_of_the_engine_follow_the_exact_chances(name: str) -> None:
    edition = built_in(name)
    safe = SAFE[name]
    chances = ends_at(safe, (3,) * 5)
    cards = cards_of(edition)
    lengths = [0] * (len(chances) + 1)
    shown = [0] * cards.n
    for game in range(1, GAMES + 1):
        state = new_game(edition, SEED, game, 3)
        lengths[never_leave(state)] += 1
        for card in state.path:
            shown[card] += 1
    for k, chance in enumerate(chances):
        expected = float(GAMES * chance)
        assert abs(lengths[k] - expected) <= SIGMAS * sqrt(expected * (1 - float(chance))) + 1, k
    average = sum(k * count for k, count in enumerate(lengths)) / GAMES
    assert abs(average - float(mean(chances))) < SIGMAS * sqrt(variance(chances) / GAMES)
    # No bust in k cards, for every k: a drift of the whole distribution would show here.
    for k in range(len(chances)):
        alive = float(1 - sum(chances[: k + 1]))
        assert abs(sum(lengths[k + 1 :]) - GAMES * alive) <= SIGMAS * sqrt(GAMES * alive * (1 - alive)) + 1, k
    p = 479 / 2002
    in_deck = [*cards.treasure_ids, *cards.relic_ids[: safe - 15]]
    for card in in_deck:
        assert abs(shown[card] - GAMES * p) < SIGMAS * sqrt(GAMES * p * (1 - p)), cards.names[card]
    assert all(shown[card] == 0 for card in cards.relic_ids[safe - 15 :])


@pytest.mark.parametrize("name", BUILT_IN)
def test_later_expeditions_follow_the_chances_of_their_decks(name: str) -> None:
    # What is in the deck is counted here, from the cards that were seen: one hazard less for each bust, no relic twice.
    edition = built_in(name)
    cards = cards_of(edition)
    drift = [0.0] * 6
    spread = [0.0] * 6
    for game in range(1, GAMES // 4 + 1):
        state = new_game(edition, SEED, game, 4)
        copies = [3] * 5
        relics_seen = 0
        for expedition in range(1, 6):
            relics = expedition if edition.relic_entry == "expedition" else len(edition.relics)
            chances = ends_at(15 + relics - relics_seen, tuple(sorted(copies)))
            drift[expedition] += never_leave(state) - float(mean(chances))
            spread[expedition] += variance(chances)
            copies[cards.hazard_kinds.index(cards.names[state.path[-1]].removeprefix("hazard:"))] -= 1
            relics_seen += sum(card in cards.relic_ids for card in state.path)
        assert sum(copies) == 10
    for expedition in range(1, 6):
        assert abs(drift[expedition]) < SIGMAS * sqrt(spread[expedition]), expedition


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_bust_falls_on_each_kind_alike(name: str) -> None:
    edition = built_in(name)
    kind = cards_of(edition).kind
    busts = [0] * 5
    for game in range(1, 4001):
        state = new_game(edition, SEED, game, 3)
        never_leave(state)
        busts[kind[state.path[-1]]] += 1
    assert all(abs(count - 800) < SIGMAS * sqrt(4000 * 0.2 * 0.8) for count in busts)
