"""One game as a mutable state, before its first expedition; the steps on it stand in `turn`.

A step is played for every turn of every match, so the state holds plain ints and lists.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.game.cards import Cards, cards_of
from harness.game.edition import Edition
from harness.game.seeds import is_seed

__all__ = ["GameState", "IllegalStep", "new_game"]


class IllegalStep(ValueError):
    """A step that the rules don't allow; the state is as it was before.

    `place` is "seat 2", "turn", "expedition" or "game"; `seat` is the seat, None where it is not one seat's doing;
    `sentence` says what is wrong.
    """

    def __init__(self, place: str, sentence: str, seat: int | None = None) -> None:
        super().__init__(place, sentence, seat)
        self.place = place
        self.sentence = sentence
        self.seat = seat

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


class GameState:
    """A game as all at the table see it, and the order of the deck, which nobody sees.

    Between expeditions nobody is inside, and pocket, path_rubies and path_relics are empty; path, turns and the deck_*
    views stay until the next one begins. Read it as you like; only the functions of this package change it.
    """

    __slots__ = (
        "_deck",
        "_stock",
        "cards",
        "chests",
        "deck_hazards",
        "deck_relics",
        "deck_size",
        "deck_treasures",
        "edition",
        "expedition",
        "forfeited",
        "game",
        "hazards_up",
        "inside",
        "path",
        "path_relics",
        "path_rubies",
        "pocket",
        "previous",
        "question_open",
        "relics_out",
        "relics_taken",
        "seats",
        "seed",
        "turns",
    )

    def __init__(self, edition: Edition, seed: str, game: int, seats: int, forfeited: Sequence[int]) -> None:
        cards = cards_of(edition)
        self.edition = edition
        self.cards: Cards = cards
        self.seed = seed
        self.game = game
        self.seats = seats
        self.expedition = 0  # 0 before the first
        self.question_open = False  # decisions are due
        self.path: list[int] = []  # card ids revealed, the first first
        self.path_rubies = 0  # lying there
        self.path_relics: list[int] = []  # card ids lying there
        self.pocket = 0  # of each seat inside
        self.chests = [0] * seats
        self.relics_taken = [0] * seats
        self.relics_out = 0  # relics that have left the cave in this game, all seats together
        self.inside: list[int] = []  # ascending
        self.forfeited = sorted(set(forfeited))
        self.hazards_up: list[int] = []  # indices of kinds, in order of appearance
        self.turns: list[str] = []  # of this expedition
        self.previous = ""  # the last of them
        self.deck_size = 0
        self.deck_treasures: list[int] = []  # values face down, ascending
        self.deck_hazards: list[int] = []  # copies face down by index of kind, zeros too
        self.deck_relics: list[int] = []  # card ids face down, ascending
        self._deck: list[int] = []
        # By card id: is it in the deck when the next expedition begins?
        self._stock = bytearray(b"\1") * cards.n
        if edition.relic_entry == "expedition":
            for relic in cards.relic_ids:
                self._stock[relic] = 0


def new_game(edition: Edition, seed: str, game: int, seats: int, forfeited: Sequence[int] = ()) -> GameState:
    """Game number `game` (from 1) of a match, before its first expedition.

    `forfeited` are the seats out since earlier games. IllegalStep for a number of seats that the edition does not
    allow, for a seat that is not there, and for a malformed seed.
    """
    if not edition.min_seats <= seats <= edition.max_seats:
        raise IllegalStep(
            "game", f"has {seats} seats, {edition.name} is for {edition.min_seats} to {edition.max_seats}"
        )
    if game < 1:
        raise IllegalStep("game", f"has number {game}, games count from 1")
    if not is_seed(seed):
        raise IllegalStep("game", "has a seed that is not 32 lower-case hex digits")
    for seat in forfeited:
        if not 0 <= seat < seats:
            raise IllegalStep(f"seat {seat}", f"can't have forfeited, the seats are 0 to {seats - 1}", seat)
    return GameState(edition, seed, game, seats, forfeited)
