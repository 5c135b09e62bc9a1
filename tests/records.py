"""Records of matches that no bot played: random legal play by the rules, the same for the same arguments."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from harness.game import GameState, begin_expedition, built_in, new_game, opaque_word, result, step
from harness.protocol import REPLAY_FORMAT, Limits, digest_without, outcome_of
from tests.second.replay import check_record

SEED = "000102030405060708090a0b0c0d0e0f"


def random_record(
    edition: str = "iello-2016",
    seats: int = 4,
    games: int = 2,
    seed: str = SEED,
    *,
    faulty: Mapping[int, int] | None = None,
    bots: Sequence[str] | None = None,
    fixture: Mapping[str, Any] | None = None,
    leave: float = 0.2,
) -> dict[str, Any]:
    """A record of a table that leaves with chance `leave`, checked by the second implementation.

    `faulty` maps a seat to the turn of the match from which it forfeits; `fixture` is the record's own field of that
    name, None for a match outside a season.
    """
    rules = built_in(edition)
    match = _Match(random.Random(f"{edition} {seats} {seed}"), seats, faulty or {}, leave)
    played = []
    for number in range(1, games + 1):
        state = new_game(rules, seed, number, seats, [fault["seat"] for fault in match.faults])
        expeditions = [match.expedition(state) for _ in range(rules.expeditions)]
        final = result(state)
        lists = {"scores": list(final.scores), "ranks": list(final.ranks), "relics": list(final.relics)}
        played.append({"expeditions": expeditions, **lists})
    record: dict[str, Any] = {"format": REPLAY_FORMAT, "harness": "test", "match": opaque_word(seed)}
    if fixture is not None:
        record["match"] = "/".join(str(fixture[field]) for field in ("league", "season", "round", "number"))
        record["fixture"] = dict(fixture)
    record["seed"] = seed
    record["edition"] = rules.to_json()
    names = bots or [f"bot-{seat}" for seat in range(seats)]
    record["seats"] = [{"bot": name, "version": f"{seat:064x}"} for seat, name in enumerate(names)]
    record["games"] = played
    record["outcome"] = outcome_of(record)
    record["limits"] = Limits().to_json()
    record["sandbox"] = {
        "tier": "bare",
        "layers": [],
        "clock": "cpu",
        "interpreters": ["Node.js 22.11.0", "Python 3.12.7"],
        "builds": [],
    }
    record["faults"] = match.faults
    record["incidents"] = []
    record["timing"] = [
        {"decisions": n, "late": 0, "cpu_us": 20 * n, "cpu_max_us": 40, "wall_us": 30 * n, "wall_max_us": 60}
        for n in match.decisions
    ]
    record["digest"] = digest_without(record)
    check_record(record)
    return record


class _Match:
    """What goes on from game to game: turns, decisions answered, faults."""

    def __init__(self, chance: random.Random, seats: int, faulty: Mapping[int, int], leave: float) -> None:
        self._chance = chance
        self._leave = leave
        self._faulty = faulty
        self._turn = 0
        self.decisions = [0] * seats
        self.faults: list[dict[str, Any]] = []

    def expedition(self, state: GameState) -> list[str]:
        """The turns of the next expedition, none where every seat has forfeited."""
        if len(state.forfeited) == state.seats:
            return []
        begin_expedition(state)
        ended = None
        while ended is None:
            ended = step(state, self._letters(state))
        return list(state.turns)

    def _letters(self, state: GameState) -> str:
        self._turn += 1
        letters = ["."] * state.seats
        for seat in state.inside:
            letter = "L" if self._chance.random() < self._leave else "C"
            if self._faulty.get(seat, self._turn + 1) <= self._turn:
                letter = "x"
                self.faults.append(_fault(seat, state.game, state.expedition, self._turn))
            self.decisions[seat] += letter in "CL"
            letters[seat] = letter
        return "".join(letters)


def _fault(seat: int, game: int, expedition: int, turn: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "kind": "crashed",
        "game": game,
        "expedition": expedition,
        "turn": turn,
        "cpu_us": 1234,
        "wall_us": 5678,
        "expected": f"a decision for turn {turn}",
        "got": "",
        "exit": 1,
    }
