"""Always true, whatever is decided: the engine against a slow second model that recounts all from cards and turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.game import (
    BUILT_IN,
    Edition,
    GameResult,
    GameState,
    Hazard,
    begin_expedition,
    cards_of,
    deal_order,
    edition_from_json,
    new_game,
    result,
    sole_leaver_relics,
    step,
)

SEED = "000102030405060708090a0b0c0d0e0f"
seeds = st.binary(min_size=16, max_size=16).map(bytes.hex)


@dataclass
class SlowTable:
    """The rules a second time: gems card by card and seat by seat, nothing remembered that can be recounted."""

    edition: Edition
    seats: int
    out: set[int]
    deck: list[str]
    order: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    on_card: list[int] = field(default_factory=list)
    relic_lies: list[bool] = field(default_factory=list)
    cave: set[int] = field(default_factory=set)
    pockets: Counter[int] = field(default_factory=Counter)
    rubies: Counter[int] = field(default_factory=Counter)
    relic_points: Counter[int] = field(default_factory=Counter)
    relics: Counter[int] = field(default_factory=Counter)
    supply: int = 0
    revealed: int = 0

    def enter(self, order: Sequence[str]) -> None:
        self.order = list(order)
        self.names, self.on_card, self.relic_lies = [], [], []
        self.cave = set(range(self.seats)) - self.out
        self.turn_up()

    def turn_up(self) -> bool:
        name = self.order[len(self.names)]
        busts = name.startswith("hazard:") and name in self.names
        self.names.append(name)
        self.relic_lies.append(name.startswith("relic"))
        value = int(name.split(":")[1]) if name.startswith("treasure:") else 0
        self.revealed += value
        for seat in self.cave:
            self.pockets[seat] += value // len(self.cave)
        self.on_card.append(value - value // len(self.cave) * len(self.cave))
        return busts

    def decide(self, letters: str) -> str | None:
        leavers = [seat for seat in range(self.seats) if letters[seat] == "L"]
        for seat in range(self.seats):
            if letters[seat] == "x":
                self.supply += self.pockets.pop(seat, 0)
                self.cave.remove(seat)
                self.out.add(seat)
        lying = sum(self.on_card)
        if leavers:
            self.on_card = [lying - lying // len(leavers) * len(leavers)]
        for seat in leavers:
            self.cave.remove(seat)
            self.rubies[seat] += self.pockets.pop(seat, 0) + lying // len(leavers)
        if len(leavers) == 1:
            for i, lies in enumerate(self.relic_lies):
                if lies:
                    self.relic_lies[i] = False
                    already = sum(self.relics.values())
                    printed = self.edition.relic_value == "printed"
                    worth = int(self.names[i].split(":")[1]) if printed else self.edition.relics[already]
                    self.relic_points[leavers[0]] += worth
                    self.relics[leavers[0]] += 1
        if not self.cave:
            self.clear_up(None)
            return "empty"
        if self.turn_up():
            self.clear_up(self.names[-1])
            return "hazard"
        return None

    def clear_up(self, busted: str | None) -> None:
        self.supply += sum(self.on_card) + sum(self.pockets.values())
        self.on_card = []
        self.pockets.clear()
        self.cave = set()
        for name in self.names:
            if name.startswith("relic"):
                self.deck.remove(name)
        if busted is not None:
            self.deck.remove(busted)

    def chest(self, seat: int) -> int:
        return self.rubies[seat] + self.relic_points[seat]

    def ranks(self) -> tuple[int, ...]:
        def key(seat: int) -> tuple[int, ...]:
            if seat in self.out:
                return (0,)
            return (1, self.chest(seat), self.relics[seat] if self.edition.tie_break == "relics" else 0)

        return tuple(1 + sum(key(other) > key(seat) for other in range(self.seats)) for seat in range(self.seats))


def letters(rng: Random, inside: Sequence[int], seats: int, leave: float, fault: float) -> str:
    turn = ["."] * seats
    for seat in inside:
        chance = rng.random()
        turn[seat] = "x" if chance < fault else "L" if chance < fault + leave else "C"
    return "".join(turn)


def check_views(state: GameState, slow: SlowTable) -> None:
    cards = state.cards
    assert [cards.names[card] for card in state.path] == slow.names
    face_down = Counter(slow.deck) - Counter(slow.names)
    names = list(face_down.elements())
    assert state.deck_size == len(names) > 0
    assert state.deck_treasures == sorted(int(n.split(":")[1]) for n in names if n.startswith("treasure:"))
    assert state.deck_hazards == [face_down[f"hazard:{kind}"] for kind in cards.hazard_kinds]
    relics = [cards.names[card] for card in state.deck_relics]
    assert Counter(relics) == Counter(name for name in names if name.startswith("relic"))
    assert state.deck_relics == sorted(state.deck_relics)
    assert [f"hazard:{cards.hazard_kinds[kind]}" for kind in state.hazards_up] == [
        name for name in slow.names if name.startswith("hazard:")
    ]
    assert state.inside == sorted(slow.cave)
    assert state.forfeited == sorted(slow.out)
    assert {state.pocket} == {slow.pockets[seat] for seat in slow.cave}
    assert state.path_rubies == sum(slow.on_card)
    lying = [name for name, lies in zip(slow.names, slow.relic_lies, strict=True) if lies]
    assert [cards.names[card] for card in state.path_relics] == lying
    out = state.relics_out
    assert out == sum(slow.relics.values())
    printed = state.edition.relic_value == "printed"
    worth = [int(name.split(":")[1]) if printed else state.edition.relics[out + i] for i, name in enumerate(lying)]
    assert sole_leaver_relics(state) == sum(worth)


def check_conservation(state: GameState, slow: SlowTable) -> None:
    """Every ruby revealed is in a chest, in a pocket, on the path or back in the supply; relic points come on top."""
    relic_points = sum(slow.relic_points.values())
    held = sum(state.chests) + state.pocket * len(state.inside) + state.path_rubies
    assert slow.revealed == held - relic_points + slow.supply
    if state.edition.relic_value == "order":
        assert relic_points == sum(state.edition.relics[: state.relics_out])


def play_and_check(
    edition: Edition, seed: str, game: int, seats: int, rng: Random, leave: float, fault: float, out: Sequence[int]
) -> tuple[GameResult, list[list[str]]]:
    """A whole game, engine and slow model side by side; its result and turns."""
    cards = cards_of(edition)
    state = new_game(edition, seed, game, seats, out)
    late = cards.relic_ids if edition.relic_entry == "expedition" else range(0)
    slow = SlowTable(edition, seats, set(out), [name for i, name in enumerate(cards.names) if i not in late])
    played: list[list[str]] = []
    removed: set[int] = set()
    while state.expedition < edition.expeditions and len(state.forfeited) < seats:
        begin_expedition(state)
        number = state.expedition
        slow.deck += [cards.names[card] for card in late[number - 1 : number]]
        gone = removed | set(late[number:])
        order = [card for card in deal_order(cards.n, seed, game, number) if card not in gone]
        slow.enter([cards.names[card] for card in order])
        ended: str | None = None
        while ended is None:
            check_views(state, slow)
            check_conservation(state, slow)
            # A question is open, so there must be a card to reveal: the deck can't run out.
            assert state.deck_size >= 1
            assert state.previous == (state.turns[-1] if state.turns else "")
            turn = letters(rng, state.inside, seats, leave, fault)
            expected = slow.decide(turn)
            ended = step(state, turn)
            assert ended == expected
            assert state.chests == [slow.chest(seat) for seat in range(seats)]
            assert state.relics_taken == [slow.relics[seat] for seat in range(seats)]
        check_conservation(state, slow)
        assert state.path == order[: len(state.path)]
        assert len(state.turns) == len(state.path) - (ended == "hazard")
        removed |= {card for card in state.path if card in cards.relic_ids}
        if ended == "hazard":
            removed.add(state.path[-1])
        played.append(state.turns)
    got = result(state)
    everyone = range(seats)
    assert got.scores == tuple(slow.chest(seat) for seat in everyone)
    assert got.relics == tuple(slow.relics[seat] for seat in everyone)
    assert got.ranks == slow.ranks()
    return got, played


def replayed(
    edition: Edition, seed: str, game: int, seats: int, out: Sequence[int], turns: list[list[str]]
) -> GameResult:
    state = new_game(edition, seed, game, seats, out)
    for expedition in turns:
        begin_expedition(state)
        for turn in expedition:
            step(state, turn)
    return result(state)


def check_permutation(
    edition: Edition, seed: str, seats: int, rng: Random, got: GameResult, out: Sequence[int], turns: list[list[str]]
) -> None:
    """Seat i of the game as played sits at place[i] of the permuted one."""
    place = rng.sample(range(seats), seats)

    def moved(turn: str) -> str:
        return "".join(turn[place.index(seat)] for seat in range(seats))

    permuted = replayed(
        edition, seed, 1, seats, [place[seat] for seat in out], [[moved(turn) for turn in part] for part in turns]
    )
    for before, after in ((got.scores, permuted.scores), (got.ranks, permuted.ranks), (got.relics, permuted.relics)):
        assert [after[place[seat]] for seat in range(seats)] == list(before)


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("edition", BUILT_IN.values(), ids=BUILT_IN)
def test_games_of_every_edition_and_size(edition: Edition, seats: int) -> None:
    rng = Random(f"{edition.name}/{seats}")
    for game in range(1, 41):
        leave = rng.choice([0.0, 0.05, 0.15, 0.3])
        fault = rng.choice([0.0, 0.0, 0.01, 0.05])
        play_and_check(edition, SEED, game, seats, rng, leave, fault, [])


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Any edition within the bounds, small ones and tight ones as likely as large ones."""
    expeditions = draw(st.integers(1, 10))
    kinds = draw(st.integers(1, 12))
    copies = [draw(st.integers(2, 4)) for _ in range(kinds)]
    lacking = expeditions - sum(c - 1 for c in copies)
    copies[0] += max(0, lacking)
    hazards = tuple(Hazard("abcdefghijkl"[i], n) for i, n in enumerate(copies))
    values = st.integers(0, 30)
    return Edition(
        name="drawn",
        expeditions=expeditions,
        min_seats=3,
        max_seats=8,
        treasures=tuple(draw(st.lists(values, max_size=20))),
        hazards=hazards,
        relics=tuple(draw(st.lists(values, max_size=12))),
        relic_entry=draw(st.sampled_from(["start", "expedition"])),
        relic_value=draw(st.sampled_from(["order", "printed"])),
        tie_break=draw(st.sampled_from(["none", "relics"])),
    )


@settings(deadline=None, max_examples=400)
@given(
    edition=st.one_of(st.sampled_from(list(BUILT_IN.values())), editions()),
    seed=seeds,
    seats=st.integers(3, 8),
    choices=st.integers(0, 2**32),
    leave=st.sampled_from([0.0, 0.02, 0.1, 0.3, 1.0]),
    fault=st.sampled_from([0.0, 0.0, 0.01, 0.1, 1.0]),
    data=st.data(),
)
def test_any_game_of_any_edition(
    edition: Edition, seed: str, seats: int, choices: int, leave: float, fault: float, data: st.DataObject
) -> None:
    assert edition_from_json(edition.to_json()) == edition
    out = data.draw(st.one_of(st.just([]), st.lists(st.integers(0, seats - 1), unique=True)))
    rng = Random(choices)
    got, turns = play_and_check(edition, seed, 1, seats, rng, leave, fault, out)
    assert replayed(edition, seed, 1, seats, out, turns) == got
    check_permutation(edition, seed, seats, rng, got, out, turns)


@settings(deadline=None, max_examples=200)
@given(edition=editions(), seed=seeds)
def test_the_deck_never_runs_out_even_if_nobody_ever_leaves(edition: Edition, seed: str) -> None:
    # As many hazards gone as can be: the bound of the contract is just enough.
    _, turns = play_and_check(edition, seed, 1, 3, Random(0), 0.0, 0.0, [])
    assert len(turns) == edition.expeditions
    assert all(set(turn) == {"C"} for part in turns for turn in part)
