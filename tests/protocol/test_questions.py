"""The questions that `TurnEncoder` writes, against what a slow builder reads off the state."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.game import BUILT_IN, Edition, GameState, Hazard, begin_expedition, new_game, step
from harness.protocol import Decide, TurnEncoder, read_strict


def asked(state: GameState, turn: int, seat: int, roll: float) -> dict[str, Any]:
    """The question by the words of the contract, with nothing kept from turn to turn."""
    edition = state.edition
    printed = edition.relic_value == "printed"
    names = [f"treasure:{value}" for value in edition.treasures]
    for hazard in edition.hazards:
        names += [f"hazard:{hazard.kind}"] * hazard.copies
    names += [f"relic:{value}" if printed else "relic" for value in edition.relics]
    values = [int(names[card].partition(":")[2]) if printed else 0 for card in state.path_relics]
    taken = sum(state.relics_taken)
    left = list(edition.relics[taken:])
    return {
        "type": "decide",
        "turn": turn,
        "seat": seat,
        "game": state.game,
        "expedition": state.expedition,
        "expeditions": edition.expeditions,
        "path": [names[card] for card in state.path],
        "path_rubies": state.path_rubies,
        "path_relics": len(state.path_relics),
        "path_relics_value": sum(values) if printed else sum(left[: len(state.path_relics)]),
        "pocket": state.pocket,
        "chests": list(state.chests),
        "relics_taken": list(state.relics_taken),
        "inside": sorted(state.inside),
        "forfeited": sorted(state.forfeited),
        "hazards_up": list(
            dict.fromkeys(name.partition(":")[2] for card in state.path if (name := names[card]).startswith("hazard:"))
        ),
        "deck_size": len(state.deck_treasures) + sum(state.deck_hazards) + len(state.deck_relics),
        "deck_treasures": sorted(state.deck_treasures),
        "deck_hazards": {
            hazard.kind: copies for hazard, copies in zip(edition.hazards, state.deck_hazards, strict=True)
        },
        "deck_relics": [names[card] for card in sorted(state.deck_relics)],
        "relic_values": [] if printed else left,
        "previous": state.turns[-1] if state.turns else "",
        "roll": roll,
    }


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    kinds = draw(st.lists(st.sampled_from(["a", "b-c", "abcdefghijklmnopqrstuvwx", "d"]), min_size=1, unique=True))
    hazards = tuple(Hazard(kind, draw(st.integers(2, 4))) for kind in kinds)
    value = st.integers(0, 999)
    return Edition(
        name="any",
        expeditions=draw(st.integers(1, sum(hazard.copies - 1 for hazard in hazards))),
        min_seats=3,
        max_seats=8,
        treasures=tuple(draw(st.lists(value, max_size=20))),
        hazards=hazards,
        relics=tuple(draw(st.lists(value, max_size=12))),
        relic_entry=draw(st.sampled_from(["start", "expedition"])),
        relic_value=draw(st.sampled_from(["order", "printed"])),
        tie_break="none",
    )


@given(st.sampled_from(list(BUILT_IN.values())) | editions(), st.integers(3, 8), st.integers(0, 2**128 - 1), st.data())
@settings(max_examples=60, deadline=None)
def test_a_question_says_what_the_state_is(edition: Edition, seats: int, seed: int, data: st.DataObject) -> None:
    encoder = TurnEncoder(edition, seats)
    turn = 0
    forfeited: list[int] = []
    randoms = data.draw(st.randoms(use_true_random=False))
    for game in range(1, 3):
        state = new_game(edition, f"{seed:032x}", game, seats, forfeited)
        while state.expedition < edition.expeditions and len(state.forfeited) < seats:
            begin_expedition(state)
            while state.question_open:
                turn += 1
                check_turn(encoder, state, turn, randoms.getrandbits(64))
                step(
                    state,
                    "".join(
                        randoms.choice("CCCCCCCCLLx"[: 10 + (randoms.random() < 0.2)]) if seat in state.inside else "."
                        for seat in range(seats)
                    ),
                )
        forfeited = state.forfeited


def check_turn(encoder: TurnEncoder, state: GameState, turn: int, word: int) -> None:
    lines = encoder.questions(state, turn, [word ^ seat << 11 for seat in range(state.seats)])
    for seat, line in zip(state.inside, lines, strict=True):
        assert line.isascii()
        assert line.startswith(b'{"type":"decide",')
        assert line.endswith(b"}\n")
        # Words and numbers of a question hold no spaces, so it has none at all.
        assert not set(line[:-1]) & set(b" \t\r\n")
        message = read_strict(line)
        expected = asked(state, turn, seat, (word >> 11 ^ seat) / 2**53)
        assert Decide.model_validate(message).model_dump() == Decide.model_validate(expected).model_dump() == expected
        assert set(message) == set(expected)


def test_states_may_come_in_any_order() -> None:
    edition = BUILT_IN["incan-gold-2006"]
    encoder = TurnEncoder(edition, 3)
    states = []
    for seed in range(6):
        state = new_game(edition, f"{seed:032x}", 1, 3)
        begin_expedition(state)
        for _ in range(seed):
            if state.question_open:
                step(state, "CCC")
        if state.question_open:
            states.append(state)
    assert len(states) > 2
    for state in [*states, *reversed(states), states[0], states[0]]:
        check_turn(encoder, state, 7, 1 << 62)


def test_the_largest_question_is_far_below_a_line() -> None:
    kinds = tuple(Hazard("abcdefghijklmnopqrstuvw" + letter, 9) for letter in "abcdefghijkl")
    edition = Edition("n", 10, 3, 8, (999,) * 6, kinds, (999,) * 6, "start", "printed", "none")
    state = new_game(edition, "0" * 32, 1, 8)
    begin_expedition(state)
    state.path = list(range(120))
    state.chests = [2**53 - 1] * 8
    state.deck_relics = [119] * 120
    state.deck_treasures = [999] * 120
    encoder = TurnEncoder(edition, 8)
    line = encoder.questions(state, 2**53 - 1, [1 << 11] * 8)[7]
    assert len(line) < 16 * 1024
    assert len(read_strict(line)["path"]) == 120


@given(st.integers(0, 2**53 - 1))
@example(0)
@example(1)
@example(2**53 - 1)
@example(2**53 // 10)
@example(2**53 // 10 + 1)
def test_a_roll_has_no_exponent_and_reads_back(bits: int) -> None:
    state = new_game(BUILT_IN["iello-2016"], "0" * 32, 1, 3)
    begin_expedition(state)
    line = TurnEncoder(state.edition, 3).questions(state, 1, [0, 0, bits << 11])[2]
    written = line.partition(b'"roll":')[2].removesuffix(b"}\n")
    assert set(written) <= set(b"0123456789.")
    assert float(written) == bits / 2**53
