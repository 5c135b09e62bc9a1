"""The games of a match played by the rules alone, without bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from harness.game import GameState, begin_expedition, new_game, result, step
from harness.game.turn import EndedBy
from harness.referee import Fixture

__all__ = ["Decider", "games_of"]

Decider = Callable[[GameState], str]
"""Gives the turn string of a turn, before its step."""


def games_of(
    fixture: Fixture, decide: Decider, over: Callable[[GameState, EndedBy], object] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the match's games as a record has them; `over` is called when an expedition has ended, and how."""
    for number in range(1, fixture.games + 1):
        state = new_game(fixture.edition, fixture.seed, number, len(fixture.seats))
        expeditions = []
        for _ in range(fixture.edition.expeditions):
            begin_expedition(state)
            ended = None
            while ended is None:
                ended = step(state, decide(state))
            if over is not None:
                over(state, ended)
            expeditions.append(list(state.turns))
        final = result(state)
        yield {
            "expeditions": expeditions,
            "scores": list(final.scores),
            "ranks": list(final.ranks),
            "relics": list(final.relics),
        }
