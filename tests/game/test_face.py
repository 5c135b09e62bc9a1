"""The public face of the room: what other rooms may lean on."""

from __future__ import annotations

import ast
from pathlib import Path

import harness.game


def test_exported_names() -> None:
    assert sorted(harness.game.__all__) == [
        "BUILT_IN",
        "Cards",
        "DEFAULT_EDITION",
        "Edition",
        "GameResult",
        "GameState",
        "Hazard",
        "IllegalStep",
        "KIND_PATTERN",
        "MAX_CARDS",
        "MAX_EXPEDITIONS",
        "MAX_KINDS",
        "MAX_NAME",
        "MAX_SEATS",
        "MAX_VALUE",
        "MIN_COPIES",
        "MIN_SEATS",
        "PairStream",
        "RELIC",
        "TREASURE",
        "begin_expedition",
        "built_in",
        "cards_of",
        "commitment",
        "deal_order",
        "edition_from_json",
        "is_seed",
        "match_seed",
        "new_game",
        "opaque_word",
        "pair_stream",
        "result",
        "roll_words",
        "season_seed",
        "seat_seed",
        "seed_from_text",
        "sole_leaver_relics",
        "step",
        "tie_key",
    ]
    assert all(hasattr(harness.game, name) for name in harness.game.__all__)


def test_the_room_is_pure() -> None:
    # No I/O, no clock, no randomness of its own: nothing that could give it any is imported.
    pure = {
        "__future__",
        "bisect",
        "collections",
        "dataclasses",
        "difflib",
        "functools",
        "hashlib",
        "json",
        "re",
        "struct",
        "types",
        "typing",
    }
    imported: set[str] = set()
    for path in Path(harness.game.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
    rooms = {name for name in imported if name.startswith("harness.")}
    assert all(room == "harness.errors" or room.startswith("harness.game.") for room in rooms)
    assert {name.split(".")[0] for name in imported - rooms} <= pure
