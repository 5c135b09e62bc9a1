"""The rules of Diamant a second time, from their text alone: editions, the deal of a seed, what turns come to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypedDict


class Hazard(TypedDict):
    kind: str
    copies: int


class Edition(TypedDict):
    """An edition as the contract writes it down."""

    name: str
    expeditions: int
    min_seats: int
    max_seats: int
    treasures: list[int]
    hazards: list[Hazard]
    relics: list[int]
    relic_entry: str
    relic_value: str
    tie_break: str


def _edition(name: str, kinds: str, relics: list[int], relic_entry: str, relic_value: str, tie_break: str) -> Edition:
    return {
        "name": name,
        "expeditions": 5,
        "min_seats": 3,
        "max_seats": 8,
        "treasures": [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17],
        "hazards": [{"kind": kind, "copies": 3} for kind in kinds.split()],
        "relics": relics,
        "relic_entry": relic_entry,
        "relic_value": relic_value,
        "tie_break": tie_break,
    }


_INCAN = "mummy snake spiders rocks fire"
_BY_ORDER = [5, 5, 5, 10, 10]
EDITIONS = {
    edition["name"]: edition
    for edition in (
        _edition("iello-2016", "spiders snakes lava boulders rams", _BY_ORDER, "start", "order", "none"),
        _edition("schmidt-2005", "snake scorpion cave-in gas explosion", [], "start", "order", "none"),
        _edition("incan-gold-2006", _INCAN, _BY_ORDER, "expedition", "order", "relics"),
        _edition("incan-gold-2020", _INCAN, [5, 7, 8, 10, 12], "expedition", "printed", "relics"),
    )
}


class Card(NamedTuple):
    """A card of an edition; its id is its place in the edition's list."""

    sort: str
    """`treasure`, `hazard` or `relic`."""
    kind: str
    """A hazard's, else empty."""
    value: int
    """A treasure's rubies; a relic's place in the edition's list, from 0."""


def cards_of(edition: Edition) -> list[Card]:
    treasures = [Card("treasure", "", value) for value in edition["treasures"]]
    hazards = [Card("hazard", hazard["kind"], 0) for hazard in edition["hazards"] for _ in range(hazard["copies"])]
    return [*treasures, *hazards, *(Card("relic", "", place) for place in range(len(edition["relics"])))]


def shake(text: str, size: int) -> bytes:
    return hashlib.shake_256(text.encode("utf-8")).digest(size)


def words(text: str, count: int) -> list[int]:
    """The 64-bit words that a text stands for."""
    digest = shake(text, 8 * count)
    return [int.from_bytes(digest[8 * i : 8 * i + 8], "big") for i in range(count)]


def roll(seed: str, question: Question, seat: int) -> float:
    """The number in [0, 1) that is a seat's own at a turn."""
    text = f"roll/{seed}/{question.game}/{question.expedition}/{seat}"
    return (words(text, len(question.path))[-1] >> 11) / 2.0**53


class Impossible(Exception):
    """No match by the rules has these turns."""


@dataclass(frozen=True)
class Question:
    """The cave as those inside see it when they decide, and what they decided."""

    game: int
    expedition: int
    turn: int
    path: tuple[Card, ...]
    face_down: tuple[Card, ...]
    """In the order of the edition's list."""
    rubies: int
    relics: tuple[Card, ...]
    """Lying on the path, in the order of their appearance."""
    relics_out: int
    pocket: int
    chests: tuple[int, ...]
    relics_taken: tuple[int, ...]
    inside: tuple[int, ...]
    forfeited: tuple[int, ...]
    previous: str
    letters: str = ""


@dataclass(frozen=True)
class ExpeditionOver:
    game: int
    expedition: int
    path: tuple[Card, ...]
    turns: tuple[str, ...]
    ended_by: str
    chests: tuple[int, ...]
    forfeited: tuple[int, ...]


@dataclass(frozen=True)
class GameOver:
    game: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    relics: tuple[int, ...]
    forfeited: tuple[int, ...]


Event = Question | ExpeditionOver | GameOver

Decide = Callable[[Question], str]
"""Answers a question, whose `letters` are empty yet, with a letter a seat."""


@dataclass
class _Cave:
    """One expedition: cards by id."""

    deck: list[int]
    inside: list[int]
    path: list[int] = field(default_factory=list)
    pocket: int = 0
    rubies: int = 0
    relics: list[int] = field(default_factory=list)


class Table:
    """A match at one table: turns go in, or are asked for, and what happens comes out."""

    def __init__(self, edition: Edition, seed: str, seats: int) -> None:
        self.edition = edition
        self.seed = seed
        self.seats = range(seats)
        self.cards = cards_of(edition)
        self.turn = 0
        self.forfeited: list[int] = []
        self._open_game()

    def _open_game(self) -> None:
        self.chests = [0 for _ in self.seats]
        self.relics_taken = [0 for _ in self.seats]
        self.relics_out = 0
        self.gone: set[int] = set()

    def play(self, games: Sequence[Sequence[Sequence[str]]]) -> Iterator[Event]:
        """All that happens when a match has these turns, by game and expedition; `Impossible` where it can't."""
        for game, expeditions in enumerate(games, start=1):
            self._open_game()
            if len(expeditions) != self.edition["expeditions"]:
                raise Impossible(f"game {game}: {len(expeditions)} expeditions")
            for expedition, turns in enumerate(expeditions, start=1):
                where = f"game {game}, expedition {expedition}"
                if len(self.forfeited) < len(self.seats):
                    left = list(reversed(turns))
                    yield from self._expedition(game, expedition, lambda _, left=left: left.pop() if left else "")
                    if left:
                        raise Impossible(f"{where}: {len(turns)} turns, and it was over after {len(turns) - len(left)}")
                elif turns:
                    raise Impossible(f"{where}: turns although all have forfeited")
            yield self._game_over(game)

    def play_by(self, decide: Decide, games: int) -> Iterator[Event]:
        """All that happens when every turn is what `decide` says; no seat may forfeit."""
        for game in range(1, games + 1):
            self._open_game()
            for expedition in range(1, self.edition["expeditions"] + 1):
                yield from self._expedition(game, expedition, decide)
            yield self._game_over(game)

    def _expedition(self, game: int, expedition: int, decide: Decide) -> Iterator[Event]:
        where = f"game {game}, expedition {expedition}"
        cave = _Cave(self._deck(game, expedition), [seat for seat in self.seats if seat not in self.forfeited])
        turns: list[str] = []
        ended_by = "empty"
        while cave.inside:
            if len(cave.path) == len(cave.deck):
                raise Impossible(f"{where}: the deck has run out")
            if self._busts(cave):
                ended_by = "hazard"
                break
            self.turn += 1
            question = self._question(cave, game, expedition, turns[-1] if turns else "")
            letters = decide(question)
            if not letters:
                raise Impossible(f"{where}: no turn after {len(turns)}, and {cave.inside} are inside")
            self._check(letters, cave.inside, f"{where}, turn {len(turns) + 1}")
            turns.append(letters)
            yield replace(question, letters=letters)
            self._decided(cave, letters)
        self.gone.update(cave.relics)
        path = tuple(self.cards[card] for card in cave.path)
        yield ExpeditionOver(
            game, expedition, path, tuple(turns), ended_by, tuple(self.chests), tuple(sorted(self.forfeited))
        )

    def _deck(self, game: int, expedition: int) -> list[int]:
        keys = words(f"deal/{self.seed}/{game}/{expedition}", len(self.cards))
        order = sorted(range(len(self.cards)), key=lambda card: (keys[card], card))
        return [card for card in order if card not in self.gone and not self._joins_later(card, expedition)]

    def _joins_later(self, card: int, expedition: int) -> bool:
        late = self.edition["relic_entry"] == "expedition" and self.cards[card].sort == "relic"
        return late and self.cards[card].value + 1 > expedition

    def _busts(self, cave: _Cave) -> bool:
        """Reveals the next card."""
        card = cave.deck[len(cave.path)]
        sort, _, value = self.cards[card]
        again = sort == "hazard" and self.cards[card] in [self.cards[before] for before in cave.path]
        cave.path.append(card)
        if sort == "treasure":
            cave.pocket += value // len(cave.inside)
            cave.rubies += value % len(cave.inside)
        elif sort == "relic":
            cave.relics.append(card)
        elif again:
            self.gone.add(card)
        return again

    def _check(self, letters: str, inside: list[int], where: str) -> None:
        if len(letters) != len(self.seats):
            raise Impossible(f"{where}: {letters!r} has not a letter for each seat")
        for seat, letter in enumerate(letters):
            if letter not in ("CLx" if seat in inside else "."):
                raise Impossible(f"{where}: {letters!r} while {inside} are inside")

    def _decided(self, cave: _Cave, letters: str) -> None:
        self.forfeited += [seat for seat in cave.inside if letters[seat] == "x"]
        leavers = [seat for seat in cave.inside if letters[seat] == "L"]
        cave.inside = [seat for seat in cave.inside if letters[seat] == "C"]
        if not leavers:
            return
        share, cave.rubies = divmod(cave.rubies, len(leavers))
        for seat in leavers:
            self.chests[seat] += cave.pocket + share
        if len(leavers) == 1:
            self._take_relics(cave, leavers[0])

    def _take_relics(self, cave: _Cave, seat: int) -> None:
        for card in cave.relics:
            printed = self.edition["relic_value"] == "printed"
            self.chests[seat] += self.edition["relics"][self.cards[card].value if printed else self.relics_out]
            self.relics_out += 1
            self.relics_taken[seat] += 1
            self.gone.add(card)
        cave.relics = []

    def _question(self, cave: _Cave, game: int, expedition: int, previous: str) -> Question:
        return Question(
            game=game,
            expedition=expedition,
            turn=self.turn,
            path=tuple(self.cards[card] for card in cave.path),
            face_down=tuple(self.cards[card] for card in sorted(set(cave.deck) - set(cave.path))),
            rubies=cave.rubies,
            relics=tuple(self.cards[card] for card in cave.relics),
            relics_out=self.relics_out,
            pocket=cave.pocket,
            chests=tuple(self.chests),
            relics_taken=tuple(self.relics_taken),
            inside=tuple(cave.inside),
            forfeited=tuple(sorted(self.forfeited)),
            previous=previous,
        )

    def _game_over(self, game: int) -> GameOver:
        by_relics = self.edition["tie_break"] == "relics"
        standing = [(self.chests[seat], self.relics_taken[seat] if by_relics else 0) for seat in self.seats]
        survivors = [seat for seat in self.seats if seat not in self.forfeited]
        ranks = [1 + sum(standing[other] > standing[seat] for other in survivors) for seat in self.seats]
        for seat in self.forfeited:
            ranks[seat] = len(survivors) + 1
        return GameOver(game, tuple(self.chests), tuple(ranks), tuple(self.relics_taken), tuple(sorted(self.forfeited)))
