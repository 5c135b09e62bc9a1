"""What a game ends with: scores, ranks and relics of all seats."""

from __future__ import annotations

from dataclasses import dataclass

from harness.game.state import GameState, IllegalStep

__all__ = ["GameResult", "result"]


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a game ends with, three lists by seat: points, competition ranks, relic cards taken."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    relics: tuple[int, ...]


def result(state: GameState) -> GameResult:
    """Scores, ranks and relics of a game that is over; IllegalStep if it is not.

    Forfeited seats rank below all others and tie with each other; the rest by points, in editions with that tie-break
    then by relics taken; equals share the better rank.
    """
    out = state.forfeited
    all_out = len(out) == state.seats
    if state.question_open or (state.expedition < state.edition.expeditions and not all_out):
        raise IllegalStep("game", f"is not over: expedition {state.expedition} of {state.edition.expeditions}")
    by_relics = state.edition.tie_break == "relics"
    standing = [
        (chest, relics if by_relics else 0) for chest, relics in zip(state.chests, state.relics_taken, strict=True)
    ]
    rated = sorted((standing[seat] for seat in range(state.seats) if seat not in out), reverse=True)
    last = len(rated) + 1
    ranks = tuple(last if seat in out else rated.index(standing[seat]) + 1 for seat in range(state.seats))
    return GameResult(tuple(state.chests), ranks, tuple(state.relics_taken))
