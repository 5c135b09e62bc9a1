"""The steps of a game: begin an expedition, play one turn of decisions.

The rules are those of rules.md of the contract, forfeits those of "Faults" in protocol.md.
"""

from __future__ import annotations

from bisect import insort
from typing import Literal

from harness.game.cards import RELIC, TREASURE
from harness.game.seeds import deal_order
from harness.game.state import GameState, IllegalStep

__all__ = ["begin_expedition", "sole_leaver_relics", "step"]

EndedBy = Literal["hazard", "empty"]


def begin_expedition(state: GameState) -> None:
    """All seats not forfeited enter the cave and the first card, which never busts, is revealed.

    IllegalStep while an expedition is under way, after the last one, and when every seat has forfeited.
    """
    if state.question_open:
        raise IllegalStep("expedition", f"expedition {state.expedition} is not over")
    if state.expedition == state.edition.expeditions:
        raise IllegalStep("expedition", f"all {state.expedition} expeditions are over")
    forfeited = state.forfeited
    if len(forfeited) == state.seats:
        raise IllegalStep("expedition", "every seat has forfeited, no card is revealed any more")
    cards = state.cards
    stock = state._stock
    state.expedition = expedition = state.expedition + 1
    if state.edition.relic_entry == "expedition" and expedition <= len(cards.relic_ids):
        stock[cards.relic_ids[expedition - 1]] = 1

    state._deck = deck = [card for card in deal_order(cards.n, state.seed, state.game, expedition) if stock[card]]
    state.deck_size = len(deck)
    state.deck_treasures = list(cards.sorted_treasures)
    state.deck_relics = [card for card in cards.relic_ids if stock[card]]
    state.deck_hazards = _hazards_in(state)
    state.inside = [seat for seat in range(state.seats) if seat not in forfeited]
    state.path = []
    state.path_rubies = 0
    state.path_relics = []
    state.pocket = 0
    state.hazards_up = []
    state.turns = []
    state.previous = ""
    state.question_open = True
    _reveal(state)


def step(state: GameState, decisions: str) -> EndedBy | None:
    """Plays one turn, a letter a seat: C, L or x for a seat inside, "." for any other.

    Returns None when the next card was revealed and a question is open again, else what ended the expedition: "hazard"
    (the next card busted) or "empty" (nobody is inside). IllegalStep names the seat whose letter can't be.
    """
    if not state.question_open:
        raise IllegalStep("turn", "no question is open, the expedition is over or has not begun")
    inside = state.inside
    stayers: list[int] = []
    leavers: list[int] = []
    faulted = False
    # Counting the dots is enough for the seats outside, once those inside are known to have none.
    legal = len(decisions) == state.seats and decisions.count(".") == len(decisions) - len(inside)
    if legal:
        for seat in inside:
            letter = decisions[seat]
            if letter == "C":
                stayers.append(seat)
            elif letter == "L":
                leavers.append(seat)
            elif letter == "x":
                faulted = True
            else:
                legal = False
                break
    if not legal:
        raise _what_is_illegal(state, decisions)

    state.turns.append(decisions)
    state.previous = decisions
    if leavers:
        _leave(state, leavers)
    if faulted:
        for seat in inside:
            if decisions[seat] == "x":
                insort(state.forfeited, seat)
    if not stayers:
        _end_expedition(state)
        return "empty"
    state.inside = stayers
    if _reveal(state):
        state._stock[state.path[-1]] = 0
        _end_expedition(state)
        return "hazard"
    return None


def sole_leaver_relics(state: GameState) -> int:
    """Points that a sole leaver would get now for the relics on the path."""
    lying = state.path_relics
    if not lying:
        return 0
    if state.edition.relic_value == "printed":
        values = state.cards.values
        return sum([values[card] for card in lying])
    out = state.relics_out
    return sum(state.edition.relics[out : out + len(lying)])


def _reveal(state: GameState) -> bool:
    """Turns up the next card; True when it is the second hazard of its kind."""
    path = state.path
    card = state._deck[len(path)]
    path.append(card)
    state.deck_size -= 1
    kind = state.cards.kind[card]
    if kind == TREASURE:
        value = state.cards.values[card]
        inside = len(state.inside)
        state.pocket += value // inside
        state.path_rubies += value % inside
        state.deck_treasures.remove(value)
    elif kind == RELIC:
        state.path_relics.append(card)
        state.deck_relics.remove(card)
    else:
        state.deck_hazards[kind] -= 1
        if kind in state.hazards_up:
            return True
        state.hazards_up.append(kind)
    return False


def _leave(state: GameState, leavers: list[int]) -> None:
    share = state.path_rubies // len(leavers)
    state.path_rubies -= share * len(leavers)
    gain = state.pocket + share
    if len(leavers) == 1 and state.path_relics:
        seat = leavers[0]
        gain += sole_leaver_relics(state)
        state.relics_taken[seat] += len(state.path_relics)
        state.relics_out += len(state.path_relics)
        state.path_relics = []
    chests = state.chests
    for seat in leavers:
        chests[seat] += gain


def _end_expedition(state: GameState) -> None:
    """Relics revealed leave the game, taken or not; all other cards revealed go back."""
    stock = state._stock
    kind = state.cards.kind
    for card in state.path:
        if kind[card] == RELIC:
            stock[card] = 0
    state.inside = []
    state.pocket = 0
    state.path_rubies = 0
    state.path_relics = []
    state.question_open = False


def _hazards_in(state: GameState) -> list[int]:
    cards = state.cards
    counts = []
    start = cards.treasure_ids.stop
    for copies in cards.hazard_copies:
        counts.append(state._stock.count(1, start, start + copies))
        start += copies
    return counts


def _what_is_illegal(state: GameState, decisions: str) -> IllegalStep:
    if len(decisions) != state.seats:
        return IllegalStep("turn", f"has {len(decisions)} letters, the table has {state.seats} seats")
    for seat, letter in enumerate(decisions):
        place = f"seat {seat}"
        if seat in state.inside:
            if letter not in ("C", "L", "x"):
                return IllegalStep(place, f"is in the cave, so its letter is C, L or x, not {letter!a}", seat)
        elif letter != ".":
            why = "has forfeited" if seat in state.forfeited else "has left the cave"
            return IllegalStep(place, f'{why}, so its letter is ".", not {letter!a}', seat)
    raise AssertionError("an illegal turn without a fault in it")
