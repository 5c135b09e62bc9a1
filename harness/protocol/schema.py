"""The machine-readable contracts: JSON Schema (2020-12) of messages, editions, limits, replays and season lines."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from harness.protocol.limits import Limits
from harness.protocol.messages import (
    Decide,
    Decision,
    EditionData,
    ExpeditionEnd,
    GameEnd,
    MatchEnd,
    MatchStart,
    Ready,
)
from harness.protocol.replay import Replay
from harness.protocol.season import EntriesLine, Footer, Header, VoidLine

__all__ = ["MODELS", "schemas"]

MODELS: dict[str, type[BaseModel]] = {
    "match_start": MatchStart,
    "decide": Decide,
    "expedition_end": ExpeditionEnd,
    "game_end": GameEnd,
    "match_end": MatchEnd,
    "ready": Ready,
    "decision": Decision,
    "edition": EditionData,
    "limits": Limits,
    "replay": Replay,
    "season-header": Header,
    "season-entries": EntriesLine,
    "season-void": VoidLine,
    "season-footer": Footer,
}


def schemas() -> dict[str, Any]:
    """A JSON Schema by the name of each contract; a line of a season that is no other is a `replay`."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {name: {"$schema": dialect, **model.model_json_schema()} for name, model in MODELS.items()}
