"""What each sample bot decides, against its rule computed once more, the slow way, on random states."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from harness.bots import sample_names

TREASURES = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]
KINDS = ["spiders", "snakes", "lava", "boulders", "rams"]
ORDER = [5, 5, 5, 10, 10]
PRINTED = [5, 7, 8, 10, 12]
LEAVE = [Fraction(p, 100) for p in (4, 6, 8, 13, 15, 21, 22, 27, 27, 31, 31)]

State = dict[str, Any]


def states(count: int, seed: int) -> list[State]:
    """Questions as they can come up; under ``_lying`` and ``_out`` what the oracle below wants to know as well."""
    draw = random.Random(seed)
    return [state(draw, turn) for turn in range(1, count + 1)]


def state(draw: random.Random, turn: int) -> State:
    up = draw.sample(KINDS, draw.choice([0, 0, 1, 1, 2, 2, 3, 4, 5]))
    gone = draw.choices(KINDS, k=draw.randint(0, 4))
    copies = {kind: max(3 - gone.count(kind) - (kind in up), 0) for kind in KINDS}
    treasures = draw.sample(TREASURES, len(TREASURES))
    shown = draw.randint(0, 8)
    printed = draw.random() < 0.3
    relics = list(range(5))
    draw.shuffle(relics)
    taken, lying = draw.choice([0, 0, 1, 2]), draw.choice([0, 0, 0, 1, 2])
    relics_out, relics_here = relics[:taken], relics[taken : taken + lying]
    relics_left = sorted(relics[taken + lying : taken + lying + draw.randint(0, 5)])
    value = sum(PRINTED[i] for i in relics_here) if printed else sum(ORDER[taken : taken + lying])
    seats = draw.randint(3, 8)
    inside = sorted(draw.sample(range(seats), draw.randint(1, seats)))
    path = [f"treasure:{v}" for v in treasures[:shown]] + [f"hazard:{kind}" for kind in up]
    path += [f"relic:{PRINTED[i]}" if printed else "relic" for i in relics_here]
    draw.shuffle(path)
    return {
        "type": "decide", "turn": turn, "seat": inside[0], "game": 1, "expedition": 2, "expeditions": 5,
        "path": path or ["treasure:1"], "path_rubies": draw.choice([0, 0, 1, 2, 3, 5, 8, 13, 20]),
        "path_relics": lying, "path_relics_value": value, "pocket": draw.choice([0, 1, 2, 3, 4, 6, 8, 9, 10, 15, 25]),
        "chests": [0] * seats, "relics_taken": [0] * seats, "inside": inside, "forfeited": [], "hazards_up": up,
        "deck_size": len(TREASURES) - shown + sum(copies.values()) + len(relics_left),
        "deck_treasures": sorted(treasures[shown:]), "deck_hazards": copies,
        "deck_relics": [f"relic:{PRINTED[i]}" if printed else "relic" for i in relics_left],
        "relic_values": [] if printed else ORDER[taken:], "previous": "", "roll": draw.random(),
        "_lying": [PRINTED[i] if printed else None for i in relics_here], "_out": len(relics_out),
    }  # fmt: skip


def deadly(s: State) -> int:
    return sum(s["deck_hazards"][kind] for kind in s["hazards_up"])


def one_step(s: State) -> bool:
    others = len(s["inside"]) - 1
    return s["pocket"] * deadly(s) >= sum(v // (others + 1) for v in s["deck_treasures"])


def with_leavers(s: State) -> bool:
    deck = [("treasure", v) for v in s["deck_treasures"]]
    deck += [("hazard", kind) for kind, copies in s["deck_hazards"].items() for _ in range(copies)]
    deck += [("relic", int(word[6:]) if ":" in word else None) for word in s["deck_relics"]]

    def bin_(n: int, q: Fraction, k: int) -> Fraction:
        return comb(n, k) * q**k * (1 - q) ** (n - k)

    def worth(lying: list[int | None], out: int) -> int:
        return sum(ORDER[out + i] if printed is None else printed for i, printed in enumerate(lying))

    def home(pocket: int, path: int, lying: list[int | None], out: int, m: int, q: Fraction) -> Fraction:
        shares = sum(bin_(m, q, k) * (path // (k + 1)) for k in range(m + 1))
        return pocket + shares + (1 - q) ** m * worth(lying, out)

    def risk(up: list[str], unseen: list[tuple[str, Any]]) -> Fraction:
        return LEAVE[min(sum(kind == "hazard" and what in up for kind, what in unseen), 10)]

    pocket, path, lying, out, up = s["pocket"], s["path_rubies"], s["_lying"], s["_out"], s["hazards_up"]
    others = len(s["inside"]) - 1
    q = risk(up, deck)
    expected = Fraction(0)
    for k in range(others + 1):
        m = others - k
        rubies = path if k == 0 else path % k
        here, gone = ([], out + len(lying)) if k == 1 else (lying, out)
        for i, (kind, what) in enumerate(deck):
            unseen = deck[:i] + deck[i + 1 :]
            if kind == "hazard" and what in up:
                continue
            if kind == "treasure":
                after = home(pocket + what // (m + 1), rubies + what % (m + 1), here, gone, m, risk(up, unseen))
            elif kind == "hazard":
                after = home(pocket, rubies, here, gone, m, risk([*up, what], unseen))
            else:
                after = home(pocket, rubies, [*here, what], gone, m, risk(up, unseen))
            expected += bin_(others, q, k) * after / len(deck)
    return home(pocket, path, lying, out, others, q) >= expected


RULES: dict[str, Callable[[State], bool]] = {
    "never": lambda s: False,
    "at-once": lambda s: True,
    "random": lambda s: s["roll"] < 0.2,
    "hazard-count": lambda s: len(s["hazards_up"]) >= 3,
    "risk-threshold": lambda s: Fraction(deadly(s), s["deck_size"]) > Fraction(15, 100),
    "gem-threshold": lambda s: s["pocket"] >= 9,
    "gem-threshold-js": lambda s: s["pocket"] >= 9,
    "fixed-depth": lambda s: len(s["path"]) >= 6,
    "depth-c": lambda s: len(s["path"]) >= 6,
    "expected-value": one_step,
    "expected-value-leavers": with_leavers,
}


@pytest.mark.parametrize("name", RULES)
def test_it_decides_by_its_rule(talk_to, name: str) -> None:
    rule = RULES[name]
    seen = set()
    with talk_to(name) as bot:
        bot.hear()
        for question in states(150, seed=1):
            asked = {field: value for field, value in question.items() if not field.startswith("_")}
            leaves = rule(question)
            seen.add(leaves)
            action = "leave" if leaves else "continue"
            assert bot.ask(asked) == b'{"type":"decision","turn":%d,"action":"%s"}' % (asked["turn"], action.encode())
    assert len(seen) == (1 if name in ("never", "at-once") else 2)


def test_every_sample_has_its_rule_here() -> None:
    assert set(sample_names()) == set(RULES)


def test_a_risk_of_exactly_fifteen_in_a_hundred_is_taken(talk_to) -> None:
    question = states(1, seed=1)[0] | {"hazards_up": ["lava"], "deck_hazards": {"lava": 3}, "deck_size": 20}
    with talk_to("risk-threshold") as bot:
        bot.hear()
        assert b"continue" in bot.ask(question)
        assert b"leave" in bot.ask(question | {"deck_size": 19})


def test_mixing_goes_by_the_roll_alone(talk_to) -> None:
    with talk_to("random") as bot:
        bot.hear()
        for roll, action in ((0, b"leave"), (0.19999999999999998, b"leave"), (0.2, b"continue"), (0.99, b"continue")):
            assert action in bot.ask(states(1, seed=1)[0] | {"roll": roll})
