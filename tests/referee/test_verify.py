"""A record is accepted as it was written, and the place is named where one thing in it was changed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.protocol import digest_without, outcome_of
from harness.referee import verify_record

EXAMPLES = sorted((Path(__file__).parents[1] / "cases" / "replays").glob("*.json"))
NAMES = [path.stem for path in EXAMPLES]

Change = Callable[[dict[str, Any], random.Random], str]
"""Changes one thing in a record and returns its place."""


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def example(name: str) -> dict[str, Any]:
    return read(EXAMPLES[NAMES.index(name)])


def signed(record: dict[str, Any]) -> dict[str, Any]:
    """With fresh hashes, as a careful forger would leave it."""
    record["outcome"] = outcome_of(record)
    record["digest"] = digest_without(record)
    return record


@pytest.mark.parametrize("path", EXAMPLES, ids=NAMES)
def test_records_of_an_independent_implementation_hold(path: Path) -> None:
    assert verify_record(read(path)) is None


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 6


def test_unknown_fields_are_part_of_the_digest_and_else_ignored() -> None:
    record = example("iello-2016-4")
    record["note"] = {"ü": ["𝄞", "\u007f", 1]}
    problem = verify_record(record)
    assert problem is not None
    assert problem.place == "digest"
    record["digest"] = digest_without(record)
    assert verify_record(record) is None


def played_game(record: dict[str, Any], chance: random.Random) -> int:
    return chance.choice([index for index, game in enumerate(record["games"]) if any(game["expeditions"])])


def change_letter(record: dict[str, Any], chance: random.Random) -> str:
    game = played_game(record, chance)
    expeditions = record["games"][game]["expeditions"]
    number = chance.choice([index for index, turns in enumerate(expeditions) if turns])
    turns = expeditions[number]
    index = chance.randrange(len(turns))
    seat = chance.randrange(len(turns[index]))
    letter = chance.choice([one for one in "CLx." if one != turns[index][seat]])
    turns[index] = turns[index][:seat] + letter + turns[index][seat + 1 :]
    return f"games[{game}]"


def change_number(field: str) -> Change:
    def change(record: dict[str, Any], chance: random.Random) -> str:
        game = chance.randrange(len(record["games"]))
        seat = chance.randrange(len(record["seats"]))
        record["games"][game][field][seat] += chance.choice([1, 2, 7])
        return f"games[{game}].{field}[{seat}]"

    return change


def swap_strings(record: dict[str, Any], chance: random.Random) -> str:
    game = played_game(record, chance)
    expeditions = record["games"][game]["expeditions"]
    number = chance.choice([index for index, turns in enumerate(expeditions) if len(set(turns)) > 1])
    turns = expeditions[number]
    one = chance.randrange(len(turns))
    other = chance.choice([index for index, turn in enumerate(turns) if turn != turns[one]])
    turns[one], turns[other] = turns[other], turns[one]
    return f"games[{game}]"


def drop_string(record: dict[str, Any], chance: random.Random) -> str:
    game = played_game(record, chance)
    turns = chance.choice([turns for turns in record["games"][game]["expeditions"] if turns])
    turns.pop(chance.randrange(len(turns)))
    return f"games[{game}]"


def add_string(record: dict[str, Any], chance: random.Random) -> str:
    game = played_game(record, chance)
    turns = chance.choice([turns for turns in record["games"][game]["expeditions"] if turns])
    turns.append(turns[-1])
    return f"games[{game}]"


def change_seed(record: dict[str, Any], chance: random.Random) -> str:
    at = chance.randrange(32)
    digit = chance.choice([one for one in "0123456789abcdef" if one != record["seed"][at]])
    record["seed"] = record["seed"][:at] + digit + record["seed"][at + 1 :]
    return "seed"


def change_match(record: dict[str, Any], chance: random.Random) -> str:
    record["match"] = f"{chance.getrandbits(64):016x}"
    return "match"


def change_fault(field: str) -> Change:
    def change(record: dict[str, Any], chance: random.Random) -> str:
        index = chance.randrange(len(record["faults"]))
        record["faults"][index][field] += chance.choice([1, 2])
        return f"faults[{index}].{field}"

    return change


def drop_fault(record: dict[str, Any], chance: random.Random) -> str:
    record["faults"].pop(chance.randrange(len(record["faults"])))
    return "faults"


def repeat_fault(record: dict[str, Any], chance: random.Random) -> str:
    record["faults"].append(dict(chance.choice(record["faults"])))
    return f"faults[{len(record['faults']) - 1}].seat"


def change_decisions(record: dict[str, Any], chance: random.Random) -> str:
    seat = chance.randrange(len(record["seats"]))
    record["timing"][seat]["decisions"] += 1
    return f"timing[{seat}].decisions"


CHANGES = {
    "a letter": change_letter,
    "a score": change_number("scores"),
    "a rank": change_number("ranks"),
    "relics": change_number("relics"),
    "the order of strings": swap_strings,
    "a string too few": drop_string,
    "a string too many": add_string,
    "the seed": change_seed,
    "the match": change_match,
    "decisions": change_decisions,
}
FAULT_CHANGES = {
    "the game of a fault": change_fault("game"),
    "the expedition of a fault": change_fault("expedition"),
    "the turn of a fault": change_fault("turn"),
    "a fault left out": drop_fault,
    "a fault twice": repeat_fault,
}


def cases() -> list[tuple[str, str, int]]:
    return [(name, change, number) for name in NAMES for change in CHANGES for number in range(3)] + [
        (name, change, number) for name in NAMES if "forfeit" in name for change in FAULT_CHANGES for number in range(2)
    ]


@pytest.mark.parametrize(("name", "change", "number"), cases())
@pytest.mark.parametrize("forged", [False, True], ids=["as it is", "with fresh hashes"])
def test_one_changed_thing_is_named(name: str, change: str, number: int, forged: bool) -> None:
    record = example(name)
    before = copy.deepcopy(record)
    place = (CHANGES | FAULT_CHANGES)[change](record, random.Random(f"{name} {change} {number}"))
    assert record != before
    if forged:
        signed(record)
    problem = verify_record(record)
    assert problem is not None
    if change == "the match" and forged:
        # One of two words that don't belong together was changed, and fresh hashes leave nothing to tell which.
        assert problem.place in ("match", "seed")
    elif change == "the seed" and forged:
        assert problem.place in ("match", "seed")
    elif change in ("a letter", "the order of strings", "a string too few", "a string too many"):
        # The first consequence may be seen later: in the turns, the result, the faults or the count of decisions.
        assert problem.place.startswith((place, "faults", "timing")) or forged or problem.place == "outcome"
    else:
        assert problem.place == place
    assert problem.sentence


def test_a_legal_story_that_was_not_played_is_found_by_its_hash() -> None:
    record = example("all-forfeit-3")
    record["games"][0]["expeditions"][0][0] = "CCC"
    record["faults"][0]["got"] = "something else"
    problem = verify_record(record)
    assert problem is not None
    assert problem.place == "digest"


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["edition", "name"], "iello-2017", "outcome"),
        (["edition", "treasures", 0], 2, "edition"),
        (["edition", "expeditions"], 9, "edition"),
        (["edition", "tie_break"], "coin", "edition.tie_break"),
        (["seats", 0, "version"], "0" * 64, "outcome"),
        (["seats", 0, "bot"], "Capital", "seats[0].bot"),
        (["harness"], "another", "digest"),
        (["limits", "move_ms"], 101, "digest"),
        (["sandbox", "clock"], "sun", "sandbox.clock"),
        (["timing", 1, "cpu_us"], 1, "digest"),
        (["outcome"], "0" * 64, "outcome"),
        (["digest"], "0" * 64, "digest"),
        (["format"], "tacora-replay/2", "format"),
        (["games", 0, "scores"], [1, 2, 3], "games[0].scores"),
        (["games", 0, "expeditions"], [[], [], [], []], "games[0].expeditions"),
        (["games", 0, "expeditions", 0], [], "games[0].expeditions[0]"),
        (["games"], [], "games"),
        (["seed"], "0", "seed"),
        (["seed"], 7, "seed"),
        (["fixture"], {"league": "a", "season": 1, "round": 1, "number": 1}, "match"),
        (["faults"], [{"seat": 0}], "faults[0].kind"),
        (["incidents"], {}, "incidents"),
    ],
)
def test_the_place_of_a_wrong_value(path: list[Any], value: Any, place: str) -> None:
    record = example("iello-2016-4")
    spot = record
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    problem = verify_record(record)
    assert problem is not None
    assert problem.place.startswith(place), str(problem)


def test_a_bot_sits_once_at_a_table_of_a_season() -> None:
    record = example("all-forfeit-3")
    record["fixture"] = {"league": "a", "season": 1, "round": 2, "number": 3}
    record["match"] = "a/1/2/3"
    problem = verify_record(signed(record))
    assert problem is not None
    assert problem.place == "seats[2].bot"
