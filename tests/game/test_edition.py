"""Editions as data: the built-in four against rules.md, every bound of the contract refused with its field named."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import EditionError
from harness.game import BUILT_IN, DEFAULT_EDITION, Edition, Hazard, built_in, edition_from_json

TREASURES = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]
INCAN = ["mummy", "snake", "spiders", "rocks", "fire"]
FIELDS = [
    "name",
    "expeditions",
    "min_seats",
    "max_seats",
    "treasures",
    "hazards",
    "relics",
    "relic_entry",
    "relic_value",
    "tie_break",
]


def own() -> dict[str, Any]:
    """A valid edition of a league's own, close to the bounds nowhere."""
    data = copy.deepcopy(BUILT_IN["iello-2016"].to_json())
    data["name"] = "own"
    return data


@pytest.mark.parametrize(
    ("name", "kinds", "relics", "entry", "value", "tie"),
    [
        ("iello-2016", ["spiders", "snakes", "lava", "boulders", "rams"], [5, 5, 5, 10, 10], "start", "order", "none"),
        ("schmidt-2005", ["snake", "scorpion", "cave-in", "gas", "explosion"], [], "start", "order", "none"),
        ("incan-gold-2006", INCAN, [5, 5, 5, 10, 10], "expedition", "order", "relics"),
        ("incan-gold-2020", INCAN, [5, 7, 8, 10, 12], "expedition", "printed", "relics"),
    ],
)
def test_built_in_editions_are_those_of_the_rules(
    name: str, kinds: list[str], relics: list[int], entry: str, value: str, tie: str
) -> None:
    assert built_in(name).to_json() == {
        "name": name,
        "expeditions": 5,
        "min_seats": 3,
        "max_seats": 8,
        "treasures": TREASURES,
        "hazards": [{"kind": kind, "copies": 3} for kind in kinds],
        "relics": relics,
        "relic_entry": entry,
        "relic_value": value,
        "tie_break": tie,
    }


def test_there_are_four_and_the_default_is_one_of_them() -> None:
    assert list(BUILT_IN) == ["iello-2016", "schmidt-2005", "incan-gold-2006", "incan-gold-2020"]
    assert DEFAULT_EDITION == "iello-2016"
    with pytest.raises(EditionError, match=r"iello-2017.* is not built in; .*iello-2016, schmidt-2005"):
        built_in("iello-2017")


def test_a_name_that_is_not_built_in_is_no_field() -> None:
    with pytest.raises(EditionError) as caught:
        built_in("zzz")
    assert caught.value.place == ""
    assert caught.value.sentence == caught.value.reason


@pytest.mark.parametrize("edition", BUILT_IN.values(), ids=BUILT_IN)
def test_data_reads_back_to_the_same_edition(edition: Edition) -> None:
    data = edition.to_json()
    assert list(data) == FIELDS
    assert edition_from_json(json.loads(json.dumps(data))) == edition


def test_an_edition_is_a_frozen_value() -> None:
    edition = built_in("iello-2016")
    assert hash(edition) == hash(edition_from_json(edition.to_json()))
    with pytest.raises(AttributeError):
        edition.name = "other"  # type: ignore[misc]


def at_the_bounds() -> list[dict[str, Any]]:
    small = own() | {
        "name": "n" * 64,
        "expeditions": 1,
        "max_seats": 3,
        "treasures": [],
        "hazards": [{"kind": "a", "copies": 2}],
        "relics": [],
    }
    large = own() | {
        "name": "Grönland ☃",
        "expeditions": 10,
        "min_seats": 8,
        "treasures": [0, 999] * 42,
        "hazards": [{"kind": "abcdefghijklmnopqrstuvw" + chr(97 + i), "copies": 2} for i in range(12)],
        "relics": [0, 999] * 6,
    }
    return [small, large]


@pytest.mark.parametrize("data", at_the_bounds(), ids=["smallest", "largest"])
def test_what_just_keeps_the_bounds_is_taken(data: dict[str, Any]) -> None:
    assert edition_from_json(data).to_json() == data


Change = Callable[[dict[str, Any]], object]


def put(field: str, value: object) -> Change:
    return lambda data: data.update({field: value})


def hazard(index: int, **fields: object) -> Change:
    return lambda data: data["hazards"][index].update(fields)


REFUSED: list[tuple[Change, str, str]] = [
    (put("name", ""), "edition.name", "1 to 64"),
    (put("name", "n" * 65), "edition.name", "65 characters"),
    (put("name", 7), "edition.name", "is 7"),
    (put("name", None), "edition.name", "is null"),
    (put("name", "\ud800"), "edition.name", "1 to 64"),
    (put("expeditions", 0), "edition.expeditions", "from 1 to 10, is 0"),
    (put("expeditions", 11), "edition.expeditions", "from 1 to 10, is 11"),
    (put("expeditions", True), "edition.expeditions", "is true"),
    (put("expeditions", 5.0), "edition.expeditions", "is 5.0"),
    (put("expeditions", "5"), "edition.expeditions", "is '5'"),
    (put("expeditions", 10**5000), "edition.expeditions", "beyond 2^53"),
    (put("min_seats", 2), "edition.min_seats", "from 3 to 8, is 2"),
    (put("min_seats", 9), "edition.min_seats", "from 3 to 8, is 9"),
    (put("max_seats", 9), "edition.max_seats", "from 3 to 8, is 9"),
    (lambda data: data.update(min_seats=5, max_seats=4), "edition.max_seats", "from 5 to 8, is 4"),
    (put("treasures", 5), "edition.treasures", "list, is 5"),
    (put("treasures", {}), "edition.treasures", "is an object"),
    (put("treasures", [1, 2, 1000]), "edition.treasures[2]", "from 0 to 999, is 1000"),
    (put("treasures", [-1]), "edition.treasures[0]", "from 0 to 999, is -1"),
    (put("treasures", [1, False]), "edition.treasures[1]", "is false"),
    (put("treasures", [1, 2.5]), "edition.treasures[1]", "is 2.5"),
    (put("treasures", [1] * 121), "edition.treasures", "121 cards, at most 120"),
    (put("treasures", [1] * 101), "edition", "121 cards, at most 120"),
    (put("relics", [5, 1000]), "edition.relics[1]", "from 0 to 999, is 1000"),
    (put("relics", None), "edition.relics", "is null"),
    (put("hazards", "gas"), "edition.hazards", "list, is 'gas'"),
    (put("hazards", ["gas"]), "edition.hazards[0]", "object with the fields kind, copies, is 'gas'"),
    (put("hazards", []), "edition.hazards", "is 0 and must be at least the number of expeditions, 5"),
    (
        put("hazards", [{"kind": "a" * (i + 1), "copies": 2} for i in range(13)]),
        "edition.hazards",
        "13 kinds, at most 12",
    ),
    (
        put("hazards", [{"kind": "gas", "copies": 3}, {"kind": "lava", "copies": 3}]),
        "edition.hazards",
        "is 4 and must be",
    ),
    (hazard(2, copies=1), "edition.hazards[2].copies", "from 2 to 120, is 1"),
    (hazard(2, copies=True), "edition.hazards[2].copies", "is true"),
    (hazard(0, copies=200), "edition.hazards[0].copies", "from 2 to 120, is 200"),
    (hazard(0, copies=89), "edition", "121 cards, at most 120"),
    (hazard(1, kind=""), "edition.hazards[1].kind", "1 to 24 letters"),
    (hazard(1, kind="a" * 25), "edition.hazards[1].kind", "1 to 24 letters"),
    (hazard(1, kind="Gas"), "edition.hazards[1].kind", "is 'Gas'"),
    (hazard(1, kind="gas2"), "edition.hazards[1].kind", "is 'gas2'"),
    (hazard(1, kind="gas\n"), "edition.hazards[1].kind", "1 to 24 letters"),
    (hazard(1, kind="gäs"), "edition.hazards[1].kind", "1 to 24 letters"),
    (hazard(1, kind=3), "edition.hazards[1].kind", "is 3"),
    (hazard(4, kind="lava"), "edition.hazards[4].kind", "stands already at edition.hazards[2]"),
    (hazard(4, copys=3), "edition.hazards[4]", "unknown field 'copys'; did you mean 'copies'"),
    (lambda data: data["hazards"][3].pop("copies"), "edition.hazards[3].copies", "missing"),
    (put("relic_entry", "end"), "edition.relic_entry", "'start' or 'expedition', is 'end'"),
    (put("relic_value", True), "edition.relic_value", "'order' or 'printed', is true"),
    (put("tie_break", []), "edition.tie_break", "'none' or 'relics', is a list"),
    (put("treasure", []), "edition", "unknown field 'treasure'; did you mean 'treasures'"),
    (put("zzz", 1), "edition", "unknown field 'zzz'; did you mean"),
    *[(lambda data, field=field: data.pop(field), f"edition.{field}", "missing") for field in FIELDS],
]


@pytest.mark.parametrize(("change", "field", "says"), REFUSED, ids=[f"{i}-{case[1]}" for i, case in enumerate(REFUSED)])
def test_a_broken_bound_is_refused_with_its_field_named(change: Change, field: str, says: str) -> None:
    data = own()
    edition_from_json(data)
    change(data)
    with pytest.raises(EditionError, match=re.escape(says)) as caught:
        edition_from_json(data)
    assert caught.value.place == field
    assert caught.value.sentence == f"{field}: {caught.value.reason}"
    assert not caught.value.reason[0].isupper()
    assert not caught.value.reason.endswith(".")
    assert caught.value.exit_status == 2
    assert len(caught.value.sentence) < 300


@pytest.mark.parametrize("data", [None, [], "iello-2016", 3, True])
def test_what_is_no_object_is_refused(data: object) -> None:
    with pytest.raises(EditionError, match=r"^league\.edition: must be an object"):
        edition_from_json(data, "league.edition")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expeditions", 4),
        ("max_seats", 7),
        ("treasures", TREASURES[::-1]),
        ("relics", [5, 5, 5, 10, 11]),
        ("hazards", [{"kind": kind, "copies": 3} for kind in INCAN]),
        ("relic_entry", "expedition"),
        ("relic_value", "printed"),
        ("tie_break", "relics"),
    ],
)
def test_a_built_in_name_carries_the_built_in_data(field: str, value: object) -> None:
    data = BUILT_IN["iello-2016"].to_json() | {field: value}
    with pytest.raises(EditionError, match=f"^edition.{field}: is not that of the built-in edition iello-2016"):
        edition_from_json(data)
    assert edition_from_json(data | {"name": "iello-2016-mine"}).name == "iello-2016-mine"


def test_an_edition_built_by_hand_equals_the_one_read() -> None:
    by_hand = Edition("x", 1, 3, 3, (4,), (Hazard("gas", 2),), (), "start", "order", "none")
    assert edition_from_json(by_hand.to_json()) == by_hand
