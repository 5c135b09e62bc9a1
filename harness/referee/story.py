"""A game of a record told turn by turn: the cards as they come, who leaves with what, what a bust costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.game import (
    GameState,
    IllegalStep,
    begin_expedition,
    edition_from_json,
    new_game,
    sole_leaver_relics,
    step,
)

__all__ = ["ExpeditionStory", "Leaver", "TurnStory", "story_of"]


@dataclass(frozen=True, slots=True)
class Leaver:
    """A seat that leaves, and what it takes: its `pocket`, its `share` of the path, and `relics` worth `relic_points`.

    `relics` counts cards; all else are points.
    """

    seat: int
    pocket: int
    share: int
    relics: int
    relic_points: int

    @property
    def total(self) -> int:
        """Points that go to its chest."""
        return self.pocket + self.share + self.relic_points


@dataclass(frozen=True, slots=True)
class TurnStory:
    """A card and what it leads to. `pocket`, `rubies` and `relics` stand as the question is asked, after the card.

    `card` is its name in the edition, `inside` are the seats that see it; of `rubies` and `relics` on the path
    `stay_rubies` and `stay_relics` lie there still when the leavers have gone. `forfeits` are the seats whose fault
    takes effect here. A card that ends the expedition as the second of its hazard asks nothing: `caught` are the seats
    that it busts, `lost` is what each of them loses; else they are empty and 0.
    """

    card: str
    inside: tuple[int, ...]
    pocket: int
    rubies: int
    relics: int
    leavers: tuple[Leaver, ...]
    stay_rubies: int
    stay_relics: int
    forfeits: tuple[int, ...]
    caught: tuple[int, ...] = ()
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ExpeditionStory:
    """One expedition: its turns, none where every seat has forfeited before, and the chests after it, by seat.

    `left_rubies` and `left_relics` are what nobody took; `removed` is the kind of hazard of which one card leaves the
    game, None where none does.
    """

    number: int
    turns: tuple[TurnStory, ...]
    chests: tuple[int, ...]
    left_rubies: int
    left_relics: int
    removed: str | None


def story_of(record: Mapping[str, Any], game: int) -> Iterator[ExpeditionStory]:
    """The expeditions of game `game` (from 1) of a `tacora-replay/1` record, played again from its decisions.

    IllegalStep where they can't be. What the record says of results is not looked at: that is for `verify_record`.
    """
    games = record["games"]
    seats = len(record["seats"])
    state = new_game(edition_from_json(record["edition"]), record["seed"], game, seats, _out_before(games[: game - 1]))
    for number, decisions in enumerate(games[game - 1]["expeditions"], start=1):
        if len(state.forfeited) == seats:
            yield ExpeditionStory(number, (), tuple(state.chests), 0, 0, None)
            continue
        begin_expedition(state)
        yield _expedition(state, number, decisions)


def _out_before(games: list[dict[str, Any]]) -> list[int]:
    turns = (letters for game in games for expedition in game["expeditions"] for letters in expedition)
    return sorted({seat for letters in turns for seat in _seats_with("x", letters)})


def _seats_with(letter: str, decisions: str) -> tuple[int, ...]:
    return tuple(seat for seat, one in enumerate(decisions) if one == letter)


def _expedition(state: GameState, number: int, decisions: list[str]) -> ExpeditionStory:
    told: list[TurnStory] = []
    ended: str | None = None
    for letters in decisions:
        turn, ended = _turn(state, letters)
        told.append(turn)
    if ended is None:
        raise IllegalStep(f"expedition {number}", "the decisions stop before the expedition has ended")
    removed = None
    if ended == "hazard":
        told.append(_bust(state, told[-1], _seats_with("C", decisions[-1])))
        removed = told[-1].card.partition(":")[2]
    last = told[-1]
    return ExpeditionStory(number, tuple(told), tuple(state.chests), last.stay_rubies, last.stay_relics, removed)


def _turn(state: GameState, letters: str) -> tuple[TurnStory, str | None]:
    """Answers the open question; its story, and what ended the expedition, None while it goes on."""
    card, inside, pocket = state.cards.names[state.path[-1]], tuple(state.inside), state.pocket
    rubies, relics = state.path_rubies, len(state.path_relics)
    leaving = _seats_with("L", letters)
    relic_points = sole_leaver_relics(state) if len(leaving) == 1 else 0
    chests, taken = list(state.chests), list(state.relics_taken)
    ended = step(state, letters)
    leavers = tuple(
        Leaver(
            seat=seat,
            pocket=pocket,
            share=state.chests[seat] - chests[seat] - pocket - relic_points,
            relics=state.relics_taken[seat] - taken[seat],
            relic_points=relic_points,
        )
        for seat in leaving
    )
    turn = TurnStory(
        card=card,
        inside=inside,
        pocket=pocket,
        rubies=rubies,
        relics=relics,
        leavers=leavers,
        stay_rubies=rubies - sum(leaver.share for leaver in leavers),
        stay_relics=relics - sum(leaver.relics for leaver in leavers),
        forfeits=_seats_with("x", letters),
    )
    return turn, ended


def _bust(state: GameState, before: TurnStory, caught: tuple[int, ...]) -> TurnStory:
    return TurnStory(
        card=state.cards.names[state.path[-1]],
        inside=caught,
        pocket=0,
        rubies=before.stay_rubies,
        relics=before.stay_relics,
        leavers=(),
        stay_rubies=before.stay_rubies,
        stay_relics=before.stay_relics,
        forfeits=(),
        caught=caught,
        lost=before.pocket,
    )
