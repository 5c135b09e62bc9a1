"""The nine strategies of the sample bots a second time, from their text alone, in whole numbers where it has fractions.

Each says of a question and a seat's roll whether the seat leaves. Cards face up are all that were revealed in the
expedition, relics since taken too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from math import comb

from tests.second.rules import Edition, Question, roll

Strategy = Callable[[Edition, Question, Callable[[], float]], bool]
"""Of an edition, a question and the roll, asked for where it is needed: whether to leave."""

LEAVES = (4, 6, 8, 13, 15, 21, 22, 27, 27, 31, 31)
"""In percent, how likely another explorer leaves at that many deadly cards; the last is for more, too."""


def kinds_up(question: Question) -> set[str]:
    return {card.kind for card in question.path if card.sort == "hazard"}


def deadly(question: Question) -> int:
    """Face-down cards that end the expedition."""
    up = kinds_up(question)
    return sum(card.kind in up for card in question.face_down if card.sort == "hazard")


def risky(edition: Edition, question: Question, chance: Callable[[], float]) -> bool:
    return 100 * deadly(question) > 15 * len(question.face_down)


def one_step(edition: Edition, question: Question, chance: Callable[[], float]) -> bool:
    inside = len(question.inside)
    gain = sum(card.value // inside for card in question.face_down if card.sort == "treasure")
    return question.pocket * deadly(question) >= gain


def with_leavers(edition: Edition, question: Question, chance: Callable[[], float]) -> bool:
    others, down, up = len(question.inside) - 1, question.face_down, kinds_up(question)
    now, printed = deadly(question), edition["relic_value"] == "printed"
    treasures = Counter(card.value for card in down if card.sort == "treasure")
    hazards = Counter(card.kind for card in down if card.sort == "hazard" and card.kind not in up)
    unseen_relics = Counter(edition["relics"][card.value] if printed else 0 for card in down if card.sort == "relic")
    lying = [edition["relics"][card.value] if printed else 0 for card in question.relics]

    def worth(relics: list[int], out: int) -> int:
        return sum(relics) if printed else sum(edition["relics"][out : out + len(relics)])

    expected = 0  # times the number of cards, times 100 ** others twice
    for leavers in range(others + 1):
        left, rubies = others - leavers, question.rubies % leavers if leavers else question.rubies
        relics, out = ([], question.relics_out + len(lying)) if leavers == 1 else (lying, question.relics_out)
        here, total = worth(relics, out), 0
        for value, cards in treasures.items():
            each, rest = divmod(value, left + 1)
            total += cards * home(question.pocket + each, rubies + rest, here, left, now)
        for copies in hazards.values():
            total += copies * home(question.pocket, rubies, here, left, now + copies - 1)
        for value, cards in unseen_relics.items():
            total += cards * home(question.pocket, rubies, worth([*relics, value], out), left, now)
        expected += chances(others, now)[leavers] * total * 100**leavers
    value_now = home(question.pocket, question.rubies, worth(lying, question.relics_out), others, now)
    return value_now * len(down) * 100**others >= expected


@cache
def chances(others: int, deadly: int) -> tuple[int, ...]:
    """How likely so many of the others leave, times 100 ** others."""
    leaves = LEAVES[min(deadly, len(LEAVES) - 1)]
    return tuple(comb(others, k) * leaves**k * (100 - leaves) ** (others - k) for k in range(others + 1))


@lru_cache(maxsize=100_000)
def home(pocket: int, rubies: int, relics: int, others: int, deadly: int) -> int:
    """What leaving is worth on average, times 100 ** others."""
    likely = chances(others, deadly)
    shares = sum(chance * (rubies // (k + 1)) for k, chance in enumerate(likely))
    return pocket * 100**others + shares + likely[0] * relics


STRATEGIES: Mapping[str, Strategy] = {
    "never": lambda edition, question, chance: False,
    "at-once": lambda edition, question, chance: True,
    "random": lambda edition, question, chance: chance() < 0.2,
    "hazard-count": lambda edition, question, chance: len(kinds_up(question)) >= 3,
    "risk-threshold": risky,
    "gem-threshold": lambda edition, question, chance: question.pocket >= 9,
    "fixed-depth": lambda edition, question, chance: len(question.path) >= 6,
    "expected-value": one_step,
    "expected-value-leavers": with_leavers,
}
"""By the sample bot that plays it, in the order of the text: weakest to strongest."""

TWINS = {"depth-c": "fixed-depth", "gem-threshold-js": "gem-threshold"}
"""Sample bots that play another's strategy, in another language."""


def turn(edition: Edition, seed: str, bots: list[str], question: Question) -> str:
    """What a table of sample bots decides, a letter a seat."""
    letters = ["."] * len(bots)
    for seat in question.inside:
        strategy = STRATEGIES[TWINS.get(bots[seat], bots[seat])]
        leaves = strategy(edition, question, lambda seat=seat: roll(seed, question, seat))
        letters[seat] = "L" if leaves else "C"
    return "".join(letters)
