"""Plays a record again from its edition, seed and decisions, and finds the first thing in it that can't be.

What can't be checked from the record alone (times, stderr, what a bot sent) is held by its `digest`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import EditionError
from harness.game import (
    Edition,
    GameState,
    IllegalStep,
    begin_expedition,
    edition_from_json,
    new_game,
    opaque_word,
    result,
    step,
)
from harness.protocol import digest_without, outcome_of, replay_problem

__all__ = ["Problem", "verify_record"]

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """The first place that can't be, as a path into the record such as `games[0].scores[2]`, and why."""

    place: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


class _Found(Exception):
    def __init__(self, place: str, sentence: str) -> None:
        self.problem = Problem(place, sentence)


def verify_record(record: dict[str, Any]) -> Problem | None:
    """Check a `tacora-replay/1` record, as read from JSON; returns the first problem, or `None` if it holds.

    In order: shape, edition, seats, match and seed, every turn and result, faults, incidents, timing, `outcome`,
    `digest`.
    """
    try:
        _check(record)
    except _Found as found:
        return found.problem
    return None


def _check(record: dict[str, Any]) -> None:
    shape = replay_problem(record)
    if shape is not None:
        raise _Found(*shape)
    try:
        edition = edition_from_json(record["edition"])
    except EditionError as error:
        raise _Found(error.place, error.reason) from error
    _check_identity(record, edition)
    seats = len(record["seats"])
    play = _Replay(seats)
    forfeited: list[int] = []
    for index, game in enumerate(record["games"]):
        forfeited = play.game(edition, record["seed"], index, game, forfeited)
    _check_faults(record["faults"], play.forfeits)
    _check_incidents(record["incidents"], play)
    _check_timing(record["timing"], play)
    outcome = outcome_of(record)
    if record["outcome"] != outcome:
        raise _Found("outcome", f"says {record['outcome']}; edition, seed, seats and games have the hash {outcome}")
    digest = digest_without(record)
    if record["digest"] != digest:
        raise _Found("digest", f"says {record['digest']}; everything else in the record has the hash {digest}")


def _check_identity(record: dict[str, Any], edition: Edition) -> None:
    seats = record["seats"]
    if not edition.min_seats <= len(seats) <= edition.max_seats:
        raise _Found("seats", f"{len(seats)} seats; {edition.name} takes {edition.min_seats} to {edition.max_seats}")
    fixture = record.get("fixture")
    if fixture is None:
        word = opaque_word(record["seed"])
        if record["match"] != word:
            # Both are single words: the outcome, which holds the seed, tells which of them was changed.
            place = "match" if record["outcome"] == outcome_of(record) else "seed"
            raise _Found(place, f"match {record['match']!r} is not the word of this seed, {word!r}")
        return
    name = f"{fixture['league']}/{fixture['season']}/{fixture['round']}/{fixture['number']}"
    if record["match"] != name:
        raise _Found("match", f"{record['match']!r}; its fixture is {name!r}")
    seen: dict[str, int] = {}
    for seat, who in enumerate(seats):
        if who["bot"] in seen:
            raise _Found(f"seats[{seat}].bot", f"{who['bot']!r} sits on seat {seen[who['bot']]} too")
        seen[who["bot"]] = seat


class _Replay:
    """Plays the decisions again; `forfeits` are the places of each x, `last` those of the seats' last decisions."""

    def __init__(self, seats: int) -> None:
        self.turn = 0
        self.forfeits: dict[int, Place] = {}
        self.last: list[Place | None] = [None] * seats
        self.decisions = [0] * seats

    def game(self, edition: Edition, seed: str, index: int, game: dict[str, Any], forfeited: list[int]) -> list[int]:
        where = f"games[{index}]"
        expeditions = game["expeditions"]
        if len(expeditions) != edition.expeditions:
            raise _Found(
                f"{where}.expeditions", f"{len(expeditions)} expeditions; {edition.name} has {edition.expeditions}"
            )
        try:
            state = new_game(edition, seed, index + 1, len(self.last), forfeited)
        except IllegalStep as error:
            raise _Found(where, str(error)) from error
        for number, turns in enumerate(expeditions):
            self._expedition(state, f"{where}.expeditions[{number}]", turns)
        final = result(state)
        for field, due in (("scores", final.scores), ("ranks", final.ranks), ("relics", final.relics)):
            _compare(f"{where}.{field}", game[field], due)
        return list(state.forfeited)

    def _expedition(self, state: GameState, where: str, turns: list[str]) -> None:
        if len(state.forfeited) == state.seats:
            if turns:
                raise _Found(f"{where}[0]", "all seats have forfeited, so no turn follows")
            return
        begin_expedition(state)
        ended = None
        for index, letters in enumerate(turns):
            if ended is not None:
                how = "nobody was left inside" if ended == "empty" else f"{_last_card(state)} ended it"
                raise _Found(f"{where}[{index}]", f"the expedition was over by then: {how}")
            try:
                ended = step(state, letters)
            except IllegalStep as error:
                raise _Found(f"{where}[{index}]", f"turn {self.turn + 1}: {error}") from error
            self.turn += 1
            self._note(state, letters)
        if ended is None:
            raise _Found(where, f"it stops after {len(turns)} turns with seats {state.inside} still inside")

    def _note(self, state: GameState, letters: str) -> None:
        place = (state.game, state.expedition, self.turn)
        for seat, letter in enumerate(letters):
            if letter in "CL":
                self.last[seat] = place
                self.decisions[seat] += 1
            elif letter == "x":
                self.forfeits[seat] = place


def _last_card(state: GameState) -> str:
    return f"{state.cards.names[state.path[-1]]} at card {len(state.path)}"


def _compare(where: str, given: list[int], due: Sequence[int]) -> None:
    if len(given) != len(due):
        raise _Found(where, f"{len(given)} numbers for {len(due)} seats")
    for seat, (one, other) in enumerate(zip(given, due, strict=True)):
        if one != other:
            raise _Found(f"{where}[{seat}]", f"{one}; played again it is {other}")


def _differences(fault: dict[str, Any], due: Place) -> Iterator[tuple[str, int, int]]:
    for field, value in zip(("game", "expedition", "turn"), due, strict=True):
        if fault[field] != value:
            yield field, fault[field], value


def _check_faults(faults: list[dict[str, Any]], forfeits: dict[int, Place]) -> None:
    explained: set[int] = set()
    for index, fault in enumerate(faults):
        seat = fault["seat"]
        where = f"faults[{index}]"
        if seat not in forfeits:
            raise _Found(f"{where}.seat", f"seat {seat} never forfeits in this match")
        if seat in explained:
            raise _Found(f"{where}.seat", f"seat {seat} has a fault already; there is one for each x")
        explained.add(seat)
        for field, given, due in _differences(fault, forfeits[seat]):
            raise _Found(f"{where}.{field}", f"{given}; the x of seat {seat} stands at {field} {due}")
    for seat, place in sorted(forfeits.items()):
        if seat not in explained:
            raise _Found("faults", f"none for seat {seat}, which forfeits at turn {place[2]}")


def _check_incidents(incidents: list[dict[str, Any]], play: _Replay) -> None:
    for index, incident in enumerate(incidents):
        seat = incident["seat"]
        where = f"incidents[{index}]"
        if seat >= len(play.last):
            raise _Found(f"{where}.seat", f"there is no seat {seat}")
        due = play.last[seat]
        if due is None:
            raise _Found(f"{where}.seat", f"seat {seat} never decided anything")
        for field, given, value in _differences(incident, due):
            raise _Found(f"{where}.{field}", f"{given}; the last decision of seat {seat} stands at {field} {value}")


def _check_timing(timing: list[dict[str, Any]], play: _Replay) -> None:
    if len(timing) != len(play.decisions):
        raise _Found("timing", f"{len(timing)} entries for {len(play.decisions)} seats")
    for seat, decisions in enumerate(play.decisions):
        if timing[seat]["decisions"] != decisions:
            raise _Found(
                f"timing[{seat}].decisions", f"{timing[seat]['decisions']}; the seat answered {decisions} times"
            )
