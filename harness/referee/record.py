"""The match record: what was played, as the contract's replay format has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import harness
from harness.bots import Home
from harness.protocol import REPLAY_FORMAT, digest_without, outcome_of
from harness.referee.fixture import Fixture
from sandbox import Backend

__all__ = ["match_record"]


def match_record(
    fixture: Fixture,
    homes: Sequence[Home],
    backend: Backend,
    *,
    games: list[dict[str, Any]],
    faults: list[dict[str, Any]],
    incidents: list[dict[str, Any]],
    timing: list[dict[str, int]],
) -> dict[str, Any]:
    """The `tacora-replay/1` record of a match that was played, with its `outcome` and `digest`."""
    record: dict[str, Any] = {"format": REPLAY_FORMAT, "harness": harness.__version__, "match": fixture.match}
    reference = fixture.reference
    if reference is not None:
        record["fixture"] = reference
    record["seed"] = fixture.seed
    record["edition"] = fixture.edition.to_json()
    record["seats"] = [{"bot": seat.bot, "version": seat.version} for seat in fixture.seats]
    record["games"] = games
    record["outcome"] = outcome_of(record)
    record["limits"] = fixture.limits.to_json()
    record["sandbox"] = {
        "tier": backend.tier,
        "layers": list(backend.layers),
        "clock": backend.clock,
        "interpreters": sorted({home.interpreter for home in homes if home.interpreter}),
        "builds": sorted({home.build_hash for home in homes if home.build_hash}),
    }
    record["faults"] = faults
    record["incidents"] = incidents
    record["timing"] = timing
    record["digest"] = digest_without(record)
    return record
