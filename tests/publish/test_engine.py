"""The viewer's own rules, against the second implementation: every number of every frame."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.publish.browser import Visit, Visits
from tests.publish.viewer_frames import Frame, frames_of
from tests.publish.viewer_site import case, record_site
from tests.records import SEED, random_record
from tests.second.rules import EDITIONS, Edition, ExpeditionOver, GameOver, Table

CASES = (
    "all-forfeit-3",
    "iello-2016-4",
    "iello-2016-5-forfeit",
    "incan-gold-2006-8",
    "incan-gold-2020-6-forfeit",
    "schmidt-2005-3",
)

OWN: Edition = {
    "name": "a cave of our own",
    "expeditions": 7,
    "min_seats": 3,
    "max_seats": 5,
    "treasures": [0, 1, 2, 30, 999],
    "hazards": [{"kind": "dragons", "copies": 2}, {"kind": "very-long-and-deep-holes", "copies": 8}],
    "relics": [0, 3, 400, 5],
    "relic_entry": "expedition",
    "relic_value": "printed",
    "tie_break": "relics",
}

SAME = ("beat", "expedition", "card", "turn", "rubies", "inside", "forfeited", "pocket", "chests", "relics", "leaving")
"""What the viewer's frames call as the expected ones do."""

EXPAND = """text => JSON.stringify(
  JSON.parse(text).map(record => record.games.map((_, at) => tacora.viewer.expand(record, at + 1)))
)"""


@pytest.fixture
def viewer(visit: Visits, tmp_path: Path) -> Visit:
    return visit(record_site(tmp_path, case("iello-2016-4")), "viewer.html")


def expanded(viewer: Visit, records: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """All games of the records as the viewer tells them. As one text: many small values take a browser long."""
    games: list[list[dict[str, Any]]] = json.loads(viewer.page.evaluate(EXPAND, json.dumps(records)))
    return games


def own_record(seats: int, seed: str) -> dict[str, Any]:
    """Two games by an edition of a league's own, random play by the second implementation."""
    chance = random.Random(seed)
    decide = lambda question: "".join(  # noqa: E731
        chance.choice("CCCL") if seat in question.inside else "." for seat in range(seats)
    )
    games: list[dict[str, Any]] = [{"expeditions": []}, {"expeditions": []}]
    for event in Table(OWN, seed, seats).play_by(decide, 2):
        if isinstance(event, ExpeditionOver):
            games[event.game - 1]["expeditions"].append(list(event.turns))
        elif isinstance(event, GameOver):
            games[event.game - 1] |= {
                "scores": list(event.scores),
                "ranks": list(event.ranks),
                "relics": list(event.relics),
            }
    base = random_record(seats=seats, games=1)
    return base | {"edition": OWN, "seed": seed, "games": games}


def told(frame: Frame) -> Frame:
    """A frame of the viewer in the words of the expected one."""
    if frame["beat"] == "over":
        result = frame["result"]
        return {
            "beat": "over",
            **{name: result[name] for name in ("scores", "ranks", "relics")},
            "forfeited": frame["forfeited"],
        }
    risk = frame["risk"]
    made = {name: frame[name] for name in (*SAME, "letters", "lost")} | {
        "path": [_name(card) for card in frame["path"]],
        "relics_lying": frame["relicsLying"],
        "relics_out": frame["relicsOut"],
        "risk": risk and [risk["deadly"], risk["of"]],
        "gains": {gain["seat"]: gain["total"] for gain in frame["gains"]},
    }
    assert made["rubies"] == sum(card["lying"] for card in frame["path"] if card["sort"] == "treasure")
    assert all(card["lying"] <= card["value"] for card in frame["path"] if card["sort"] == "treasure")
    if frame["beat"] == "bust":
        made["caught"] = frame["caught"]
    return made


def _name(card: dict[str, Any]) -> str:
    if card["sort"] == "hazard":
        return str(card["kind"])
    return card["sort"] if card["value"] is None else f"{card['sort']} {card['value']}"


def compare(viewer: Visit, records: list[dict[str, Any]]) -> int:
    """Fails at the first frame that differs; how many there were."""
    count = 0
    for record, games in zip(records, expanded(viewer, records), strict=True):
        for number, game in enumerate(games, start=1):
            expected = frames_of(record, number)
            where = f"{record['edition']['name']} {len(record['seats'])} seats, game {number}"
            assert [frame["beat"] for frame in game["frames"]] == [frame["beat"] for frame in expected], where
            for at, (shown, due) in enumerate(zip(game["frames"], expected, strict=True)):
                assert told(shown) == due, f"{where}, frame {at}"
                count += 1
    return count


def test_every_frame_of_all_editions_and_sizes_is_that_of_the_second_implementation(viewer: Visit) -> None:
    records = [
        random_record(edition, seats, 2, f"{seats:032x}", faulty=faulty, leave=leave)
        for edition in EDITIONS
        for seats in range(3, 9)
        for faulty, leave in ((None, 0.15), ({0: 3, seats - 1: 25}, 0.3))
    ]
    assert compare(viewer, records) > 4_000


def test_matches_that_all_seats_forfeit_are_told_to_their_end(viewer: Visit) -> None:
    at_once = random_record(seats=3, games=3, faulty=dict.fromkeys(range(3), 1))
    later = random_record(seats=4, games=2, faulty={0: 2, 1: 5, 2: 9, 3: 30}, leave=0.05)
    compare(viewer, [at_once, later])
    games = expanded(viewer, [at_once])[0]
    assert [len(game["frames"]) for game in games] == [3, 1, 1]


def test_the_example_records_of_another_implementation_come_out_as_they_say(viewer: Visit) -> None:
    records = [case(name) for name in CASES]
    compare(viewer, records)
    for record, games in zip(records, expanded(viewer, records), strict=True):
        for said, game in zip(record["games"], games, strict=True):
            assert [game[name] for name in ("scores", "ranks", "relics")] == [
                said[name] for name in ("scores", "ranks", "relics")
            ]


def test_an_edition_of_a_leagues_own_is_played_by_its_data(viewer: Visit) -> None:
    assert compare(viewer, [own_record(seats, f"{seats:032x}") for seats in (3, 4, 5)]) > 60


def test_the_digest_is_shake_256(viewer: Visit) -> None:
    texts = ["", "text/a", f"id/{SEED}", *("x" * length for length in (135, 136, 137, 271, 272, 600))]
    digests = viewer.page.evaluate("texts => texts.map(text => Array.from(tacora.viewer.shake(text, 300)))", texts)
    assert [bytes(digest) for digest in digests] == [hashlib.shake_256(text.encode()).digest(300) for text in texts]
    # The contract's own vectors.
    assert bytes(digests[1][:16]).hex() == "beefd062373ef01191195dd848b2803b"
    assert bytes(digests[2][:8]).hex() == "b7b877393a89a056"


def test_the_deal_starts_as_the_contract_says(viewer: Visit) -> None:
    order = viewer.page.evaluate("seed => tacora.viewer.dealOrder(35, seed, 1, 1)", SEED)
    assert order[:10] == [18, 28, 17, 30, 27, 5, 29, 12, 9, 34]
    assert sorted(order) == list(range(35))


IMPOSSIBLE = (
    ([], "stops before it is over"),
    (["CCCC"] * 40, "has a turn at a card that ends the expedition"),
    (["LLLL", "...."], "has turns after its end"),
    (["LLL"], "has the turn"),
    (["LLL."], "has the turn"),
)
"""Turns of expedition 2, and why they can't be."""


def test_decisions_that_can_t_be_are_refused_with_their_place(viewer: Visit) -> None:
    for turns, sentence in IMPOSSIBLE:
        record = case("iello-2016-4")
        record["games"][0]["expeditions"][1] = turns
        message = viewer.page.evaluate(
            "record => { try { tacora.viewer.expand(record, 1); return ''; } catch (error) { return error.message; } }",
            record,
        )
        assert "game 1, expedition 2" in message
        assert sentence in message
