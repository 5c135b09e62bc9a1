"""A game told turn by turn: the cards as they come, who leaves with what, what a bust costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.game import GameState, IllegalStep, begin_expedition, edition_from_json, new_game, step

__all__ = ["Expedition", "Leaver", "Turn", "expeditions_of"]


@dataclass(frozen=True, slots=True)
class Leaver:
    """A seat that leaves: what it takes is `pocket + share + relic_points`."""

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
class Turn:
    """A card and what it leads to. `pocket`, `rubies` and `relics` stand as the question is asked, after the card.

    `inside` are the seats that see the card; `stay_rubies` what leavers leave on the path; `caught` the seats that this
    card busts (empty unless it ends the expedition so), `lost` what each of them loses.
    """

    card: str
    second: bool
    inside: tuple[int, ...]
    pocket: int
    rubies: int
    relics: int
    leavers: tuple[Leaver, ...] = ()
    stay_rubies: int = 0
    forfeits: tuple[int, ...] = ()
    caught: tuple[int, ...] = ()
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Expedition:
    """One expedition: its turns, how it ended (`"hazard"`, `"empty"`, `"nobody"`), and the chests after it.

    `left_rubies` and `left_relics` are what nobody took; `removed` is the hazard of which one card leaves the game.
    """

    number: int
    turns: tuple[Turn, ...]
    ended_by: str
    chests: tuple[int, ...]
    left_rubies: int
    left_relics: int
    removed: str | None


def expeditions_of(record: Mapping[str, Any], game: int) -> Iterator[Expedition]:
    """The expeditions of game `game` (from 1) of a match record. IllegalStep where its decisions can't be."""
    edition = edition_from_json(record["edition"])
    seats = len(record["seats"])
    out = sorted({fault["seat"] for fault in record["faults"] if fault["game"] < game})
    state = new_game(edition, record["seed"], game, seats, forfeited=out)
    for number, turns in enumerate(record["games"][game - 1]["expeditions"], start=1):
        if len(state.forfeited) == seats:
            yield Expedition(number, (), "nobody", tuple(state.chests), 0, 0, None)
            continue
        begin_expedition(state)
        yield _expedition(state, number, turns)


def _expedition(state: GameState, number: int, decisions: list[str]) -> Expedition:
    told: list[Turn] = []
    ended: str | None = None
    for letters in decisions:
        before = _question(state)
        chests, relics = list(state.chests), list(state.relics_taken)
        ended = step(state, letters)
        told.append(_with_answers(before, letters, state, chests, relics))
        if ended == "hazard":
            caught = tuple(seat for seat, letter in enumerate(letters) if letter == "C")
            told.append(_bust(state, caught, before.pocket, told[-1]))
    if ended is None:
        raise IllegalStep(f"expedition {number}", "the decisions stop before the expedition has ended")
    last = told[-1]
    kind = last.card.partition(":")[2] if ended == "hazard" else None
    left = last.relics - sum(leaver.relics for leaver in last.leavers)
    return Expedition(number, tuple(told), ended, tuple(state.chests), last.stay_rubies, left, kind)


def _question(state: GameState) -> Turn:
    name = state.cards.names[state.path[-1]]
    return Turn(
        card=name,
        second=False,
        inside=tuple(state.inside),
        pocket=state.pocket,
        rubies=state.path_rubies,
        relics=len(state.path_relics),
    )


def _with_answers(asked: Turn, letters: str, state: GameState, chests: list[int], taken: list[int]) -> Turn:
    seats = [seat for seat, letter in enumerate(letters) if letter == "L"]
    share, stay = divmod(asked.rubies, len(seats)) if seats else (0, asked.rubies)
    leavers = tuple(
        Leaver(
            seat=seat,
            pocket=asked.pocket,
            share=share,
            relics=state.relics_taken[seat] - taken[seat],
            relic_points=state.chests[seat] - chests[seat] - asked.pocket - share,
        )
        for seat in seats
    )
    forfeits = tuple(seat for seat, letter in enumerate(letters) if letter == "x")
    return replace(asked, leavers=leavers, stay_rubies=stay, forfeits=forfeits)


def _bust(state: GameState, caught: tuple[int, ...], lost: int, before: Turn) -> Turn:
    name = state.cards.names[state.path[-1]]
    relics = before.relics - sum(leaver.relics for leaver in before.leavers)
    rubies = before.stay_rubies
    return Turn(name, True, caught, 0, rubies, relics, stay_rubies=rubies, caught=caught, lost=lost)
