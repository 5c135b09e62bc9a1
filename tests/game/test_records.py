"""The example records, written by another implementation of the contract, replay to their results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.game import begin_expedition, edition_from_json, new_game, result, step

RECORDS = sorted((Path(__file__).parents[1] / "cases" / "replays").glob("*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_an_example_record_replays_to_its_results(path: Path) -> None:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    edition = edition_from_json(record["edition"])
    seats = len(record["seats"])
    faults = {(fault["game"], fault["expedition"]): set[int]() for fault in record["faults"]}
    for fault in record["faults"]:
        faults[fault["game"], fault["expedition"]].add(fault["seat"])
    forfeited: list[int] = []
    for number, game in enumerate(record["games"], start=1):
        state = new_game(edition, record["seed"], number, seats, forfeited)
        for expedition, turns in enumerate(game["expeditions"], start=1):
            if len(state.forfeited) == seats:
                assert turns == []
                continue
            begin_expedition(state)
            ends = [step(state, turn) for turn in turns]
            assert ends[:-1] == [None] * (len(turns) - 1)
            assert ends[-1] == ("hazard" if "C" in turns[-1] else "empty")
            assert state.turns == turns
            assert len(state.path) == len(turns) + (ends[-1] == "hazard")
            new = set(state.forfeited) - set(forfeited)
            assert new == faults.get((number, expedition), set())
            forfeited = state.forfeited[:]
        got = result(state)
        assert [list(got.scores), list(got.ranks), list(got.relics)] == [game["scores"], game["ranks"], game["relics"]]


def test_there_are_six_examples() -> None:
    assert len(RECORDS) >= 6
