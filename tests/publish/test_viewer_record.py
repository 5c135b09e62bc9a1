"""What the viewer makes of a record as a whole: its bounds, its faults, who won, and the check of all of its games."""

from __future__ import annotations

import signal
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import expect

from harness.protocol import FAULT_KINDS
from harness.referee import happened, mend, process_in_words, time_in_words
from tests.publish.browser import Visit
from tests.publish.viewer_shown import part
from tests.publish.viewer_site import case
from tests.records import random_record

REFUSAL = """record => {
  try { tacora.viewer.checkShape(record, "It"); return ""; } catch (error) { return error.message; }
}"""

HAZARD = {"kind": "snakes", "copies": 3}

BOUNDS: dict[str, tuple[Any, Any]] = {
    "name": ("x" * 64, "x" * 65),
    "expeditions": (10, 11),
    "treasures": ([999] * 120, [1] * 121),
    "relics": ([0, 999], [1000]),
    "hazards": ([HAZARD] * 12, [HAZARD] * 13),
}
"""The contract's ("An edition as data"): a field of an edition, what is still allowed, and what is not."""

KINDS = ((["a-" * 12], 2), (["a" * 25], 2), (["A"], 2), (["a"], 1))
"""Kinds of hazards and how many copies; only the first may be."""


def test_a_record_keeps_to_the_bounds_of_the_contract(alone: Callable[..., Visit]) -> None:
    record = case("iello-2016-4")
    page = alone(record).page

    def refusal(**edition: Any) -> str:
        told = record | {"edition": record["edition"] | edition}
        if "expeditions" in edition:
            told["games"] = [game | {"expeditions": [[]] * edition["expeditions"]} for game in record["games"]]
        message: str = page.evaluate(REFUSAL, told)
        return message

    for field, (most, beyond) in BOUNDS.items():
        assert refusal(**{field: most}) == "", field
        assert f"edition.{field}" in refusal(**{field: beyond}), field
    for place, ((kind,), copies) in enumerate(KINDS):
        assert (refusal(hazards=[{"kind": kind, "copies": copies}]) == "") is (place == 0), kind
    for seats in (2, 9):
        assert "“seats”" in page.evaluate(REFUSAL, record | {"seats": [record["seats"][0]] * seats})


FAULTS = tuple(
    {"kind": kind, "exit": ended} for kind in (*FAULT_KINDS, "of-a-later-harness") for ended in (None, 3)
) + tuple({"kind": "crashed", "exit": -number} for number in (int(signal.SIGKILL), int(signal.SIGSEGV), 250))


def test_faults_are_told_in_the_same_words_as_on_the_pages_and_in_the_terminal(alone: Callable[..., Visit]) -> None:
    record = random_record(seats=8, games=1, faulty={0: 3})
    (base,) = record["faults"]
    # More than there are seats: each one is an incident too.
    record["incidents"] = [base | fault for fault in FAULTS]
    page = alone(record).page
    articles = part(page, "incidents").locator(".trouble")
    expect(articles).to_have_count(len(FAULTS))
    told = articles.evaluate_all(
        """all => all.map(one => Object.fromEntries(
          [...one.querySelectorAll("dt")].map(name => [name.textContent, name.nextElementSibling.textContent])))"""
    )
    for fault, words in zip(record["incidents"], told, strict=True):
        assert words["What happened"] == happened(fault["kind"])
        assert words.get("To mend", "") == mend(fault["kind"])
        assert words.get("Process", "") == process_in_words(fault)
        assert f"{words['Time used']}; allowed: {words['Allowed']}" == time_in_words(fault, record["limits"])


def test_of_a_shared_victory_each_has_its_part_and_nobody_wins_where_all_forfeited(alone: Callable[..., Visit]) -> None:
    record = case("all-forfeit-3")
    record["faults"] = [fault | {"game": 4} for fault in record["faults"]]
    game = record["games"][0]
    empty = game | {"expeditions": [[]] * len(game["expeditions"]), "scores": [0, 0, 0], "relics": [0, 0, 0]}
    ranks = ([1, 2, 3], [1, 1, 3], [1, 1, 1], [1, 1, 1])
    record["games"] = [deepcopy(empty) | {"ranks": of} for of in ranks]
    record["games"][0]["expeditions"] = game["expeditions"]
    page = alone(record).page
    won = part(page, "match").locator("table").first.locator("tbody tr td:nth-child(5)")
    # 1 + 1/2 + 1/3, 1/2 + 1/3, 1/3; of game 4, which all have forfeited, nothing.
    expect(won).to_have_text(["1.83", "0.83", "0.33"])


COUNTED = """record => {
  let reads = 0;
  for (const game of record.games) {
    const { expeditions } = game;
    Object.defineProperty(game, "expeditions", { get() { reads += 1; return expeditions; } });
  }
  window.counted = () => reads;
  tacora.viewer.show(record, {}, false);
}"""


@pytest.mark.parametrize("wrong", [False, True])
def test_a_thousand_games_are_gone_through_once(alone: Callable[..., Visit], wrong: bool) -> None:
    games = 1000
    record = random_record("schmidt-2005", 3, games, faulty={1: 9000}, leave=0.6)
    last = record["games"][-1]
    if wrong:
        last["scores"] = [last["scores"][0] + 1, *last["scores"][1:]]
    page = alone(case("iello-2016-4")).page
    page.evaluate(COUNTED, record)
    part(page, "viewer", "[data-checked]").wait_for()
    checked = page.evaluate("counted()")
    assert games <= checked <= 5 * games
    warning = part(page, "warning")
    if wrong:
        expect(warning).to_contain_text(f"of game {games} it says scores")
    else:
        expect(warning).to_be_hidden()
    # Another moment of it starts nothing over, and leaves the warning where it is.
    page.evaluate("location.hash = '#g2e1c1'")
    expect(part(page, "where")).to_contain_text(f"Game 2 of {games}")
    assert page.evaluate("counted()") <= checked + games
    assert warning.is_visible() is wrong
    assert part(page, "viewer", "[data-checked]").count() == 1
