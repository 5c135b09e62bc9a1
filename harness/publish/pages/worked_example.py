"""An expedition that shows all there is to a turn, played by the referee's own rules, and one question from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from harness.game import Edition, begin_expedition, new_game, roll_words, step
from harness.protocol import TurnEncoder
from harness.referee import TurnStory, story_of

__all__ = ["WorkedExample", "worked_example"]

_TRIES = 4000
"""Deals looked through; of the built-in editions one in some fifty is as wanted."""

_ASKED = 3
"""The turn whose question is shown: by then the path has cards, and somebody leaves alone."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """The turns of an expedition, the last of them a bust, and the letters of each decision.

    `question` is the line that seat 0 reads at turn `asked`, when it leaves alone; `chests` are those at the end.
    """

    seats: int
    turns: tuple[tuple[TurnStory, str], ...]
    asked: int
    question: str
    chests: tuple[int, ...]


@lru_cache(maxsize=8)  # a run publishes after each round, and the search is long where no deal is as wanted
def worked_example(edition: Edition, seats: int) -> WorkedExample | None:
    """An expedition at a table of that many seats; None for an edition that has none as is wanted.

    Its first card leaves rubies on the path, seat 0 leaves alone at the third, seat 1 at the fourth (with seat 2 where
    there are four or more) and takes a share of the path, and the fifth card catches all others.
    """
    decisions = _decisions(seats)
    for seed in (f"{number:032x}" for number in range(_TRIES)):
        if _fits(edition, seed, seats, decisions):
            return _told(edition, seed, seats, decisions)
    return None


def _decisions(seats: int) -> tuple[str, ...]:
    stay = "C" * seats
    fourth = ".LL" if seats > 3 else ".L"
    return stay, stay, "L" + stay[1:], fourth + stay[len(fourth) :]


def _fits(edition: Edition, seed: str, seats: int, decisions: tuple[str, ...]) -> bool:
    state = new_game(edition, seed, 1, seats)
    begin_expedition(state)
    if not state.path_rubies or state.pocket == 0:
        return False
    for number, letters in enumerate(decisions, 1):
        if number == len(decisions) and state.path_rubies < letters.count("L"):
            return False
        ended = step(state, letters)
        if (ended == "hazard") != (number == len(decisions)):
            return False
    return True


def _told(edition: Edition, seed: str, seats: int, decisions: tuple[str, ...]) -> WorkedExample:
    record = {
        "edition": edition.to_json(),
        "seed": seed,
        "seats": [{} for _ in range(seats)],
        "games": [{"expeditions": [list(decisions)]}],
    }
    expedition = next(iter(story_of(record, 1)))
    letters = (*decisions, "")
    return WorkedExample(
        seats=seats,
        turns=tuple(zip(expedition.turns, letters, strict=True)),
        asked=_ASKED,
        question=_question(edition, seed, seats, decisions[: _ASKED - 1]),
        chests=expedition.chests,
    )


def _question(edition: Edition, seed: str, seats: int, decisions: tuple[str, ...]) -> str:
    state = new_game(edition, seed, 1, seats)
    begin_expedition(state)
    for letters in decisions:
        step(state, letters)
    words = [roll_words(_ASKED, seed, 1, 1, seat)[-1] for seat in range(seats)]
    return TurnEncoder(edition, seats).questions(state, _ASKED, words)[0].decode().rstrip("\n")
