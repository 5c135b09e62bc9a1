"""Cards by id: treasures in listed order, hazards kind by kind, relics in listed order."""

from __future__ import annotations

import pytest

from harness.game import BUILT_IN, RELIC, TREASURE, Edition, Hazard, built_in, cards_of


def test_ids_follow_the_edition() -> None:
    edition = Edition(
        name="tiny",
        expeditions=1,
        min_seats=3,
        max_seats=3,
        treasures=(7, 2, 7),
        hazards=(Hazard("gas", 2), Hazard("fire", 3)),
        relics=(5, 9),
        relic_entry="start",
        relic_value="printed",
        tie_break="none",
    )
    cards = cards_of(edition)
    assert cards.names == (
        "treasure:7",
        "treasure:2",
        "treasure:7",
        "hazard:gas",
        "hazard:gas",
        "hazard:fire",
        "hazard:fire",
        "hazard:fire",
        "relic:5",
        "relic:9",
    )
    assert cards.values == (7, 2, 7, 0, 0, 0, 0, 0, 5, 9)
    assert cards.kind == (TREASURE, TREASURE, TREASURE, 0, 0, 1, 1, 1, RELIC, RELIC)
    assert (cards.treasure_ids, cards.relic_ids, cards.n) == (range(3), range(8, 10), 10)
    assert (cards.hazard_kinds, cards.hazard_copies) == (("gas", "fire"), (2, 3))
    assert cards.sorted_treasures == (2, 7, 7)


def test_relics_valued_by_order_have_no_printed_value() -> None:
    cards = cards_of(built_in("iello-2016"))
    assert [cards.names[card] for card in cards.relic_ids] == ["relic"] * 5
    assert [cards.values[card] for card in cards.relic_ids] == [0] * 5


@pytest.mark.parametrize(("name", "n"), [(name, 30 if name == "schmidt-2005" else 35) for name in BUILT_IN])
def test_relics_not_yet_in_the_deck_are_counted(name: str, n: int) -> None:
    cards = cards_of(built_in(name))
    assert cards.n == n == len(cards.names) == len(cards.values) == len(cards.kind)


def test_one_table_an_edition() -> None:
    assert cards_of(built_in("iello-2016")) is cards_of(built_in("iello-2016"))
