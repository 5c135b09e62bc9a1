"""The naive arena plays the same games as the referee."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks import arena
from benchmarks.fixtures import friendly, home_of
from harness.bots import samples_root
from harness.game import match_seed
from harness.referee import play
from sandbox import backend

BOT = samples_root() / "fixed-depth" / "bot.py"


def test_the_arena_and_the_referee_come_to_the_same_scores(tmp_path: Path) -> None:
    scores = asyncio.run(arena.arena([BOT] * 4, 2))
    home = home_of((arena.PYTHON, str(BOT)), tmp_path)
    for number, found in enumerate(scores, start=1):
        fixture = friendly(1, seed=match_seed("0" * 32, 1, 1, number))
        record = play(fixture, [home] * 4, backend=backend("bare"), scratch=tmp_path).record
        assert record["faults"] == []
        assert record["games"][0]["scores"] == found


def test_both_sides_are_measured() -> None:
    cost = arena.measure(games=1, rounds=1, arena_games=1, blocks=1, bots=4)
    assert cost.ratio == cost.ours_per_s / cost.arena_per_s
