"""One sentence on how a bot leaves: the threshold that tells its decisions apart best, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.publish.render import percent, plural
from harness.publish.site_facts import Style, StyleBar
from harness.publish.words import NO_BREAK

__all__ = ["FEW_DECISIONS", "Split", "best_split", "style_sentence"]

FEW_DECISIONS = 100
"""With fewer decisions nothing is said of thresholds: a single odd expedition would make one."""

_FEW_ON_A_SIDE = 20
"""A side of a threshold needs that many decisions."""

_MOSTLY = 0.9
"""From this share on a side is told as what the bot does."""

_HALF = 0.5

_TELLS = 0.1
"""A threshold that takes away less than this part of the doubt about a decision tells nothing worth a sentence."""


@dataclass(frozen=True, slots=True)
class Split:
    """A threshold: decisions `at` something or more, and those below; `told` is the part of the doubt that it takes."""

    at: int
    asked_below: int
    left_below: int
    asked_above: int
    left_above: int
    told: float


def best_split(bars: Sequence[StyleBar]) -> Split | None:
    """The threshold between two bars that takes away most of the doubt about a decision, in bits; None without one."""
    asked, left = sum(bar.asked for bar in bars), sum(bar.left for bar in bars)
    doubt = _doubt(left, asked)
    found: Split | None = None
    asked_below = left_below = 0
    for i, bar in enumerate(bars[1:], start=1):
        asked_below += bars[i - 1].asked
        left_below += bars[i - 1].left
        asked_above, left_above = asked - asked_below, left - left_below
        if min(asked_below, asked_above) < _FEW_ON_A_SIDE or not doubt:
            continue
        rest = _doubt(left_below, asked_below) + _doubt(left_above, asked_above)
        told = 1 - rest / doubt
        if found is None or told > found.told:
            found = Split(bar.low, asked_below, left_below, asked_above, left_above, told)
    return found


def _doubt(left: int, asked: int) -> float:
    """The bits that it takes to tell all decisions, knowing only how many were to leave."""
    return -sum(part * math.log2(part / asked) for part in (left, asked - left) if part)


def _danger_sides(at: int) -> tuple[str, str]:
    return f"where danger is {at}{NO_BREAK}% or more", f"where danger is less than {at}{NO_BREAK}%"


def _pocket_sides(at: int) -> tuple[str, str]:
    fewer = "with nothing in its pocket" if at == 1 else f"with fewer than {plural(at, 'ruby', 'rubies')} in its pocket"
    return f"with {plural(at, 'ruby', 'rubies')} or more in its pocket", fewer


def _inside_sides(at: int) -> tuple[str, str]:
    return f"with {at} or more inside", "when it is alone inside" if at == 2 else f"with fewer than {at} inside"


_SIDES: tuple[tuple[str, Callable[[int], tuple[str, str]]], ...] = (
    ("danger", _danger_sides),
    ("pocket", _pocket_sides),
    ("inside", _inside_sides),
)
"""How the two sides of a threshold are told, what lies above it first; where two tell as much, the first is said."""


def _bars(style: Style, name: str) -> Sequence[StyleBar]:
    """The narrowest bars there are: a threshold may lie within a wide one."""
    single: dict[str, Sequence[StyleBar]] = {"pocket": style.single_pocket, "danger": style.single_danger}
    wide: Sequence[StyleBar] = getattr(style, name)
    return single.get(name) or wide


def style_sentence(style: Style) -> str:
    """What its decisions say of how it leaves, with their number."""
    asked, left = sum(bar.asked for bar in style.danger), sum(bar.left for bar in style.danger)
    if not asked:
        return "It has not been asked for a decision yet."
    if asked < FEW_DECISIONS:
        return f"It left in {left} of its {plural(asked, 'decision', 'decisions')}: too few to tell how it decides."
    if not left:
        return f"It never left in {plural(asked, 'decision', 'decisions')}."
    if left == asked:
        return f"It left at every one of its {plural(asked, 'decision', 'decisions')}."
    splits = [
        (split, sides)
        for name, sides in _SIDES
        if (split := best_split(_bars(style, name))) is not None and split.told >= _TELLS
    ]
    if not splits:
        return (
            f"It leaves in {percent(left / asked)} of its {plural(asked, 'decision', 'decisions')}, "
            "and neither danger nor pocket nor the number inside tells well when."
        )
    split, sides = max(splits, key=lambda one: one[0].told)
    above, below = sides(split.at)
    here = above, split.left_above / split.asked_above, split.asked_above
    there = below, split.left_below / split.asked_below, split.asked_below
    if here[1] < there[1]:
        here, there = there, here
    verb = "leaves" if here[1] >= _MOSTLY else "mostly leaves" if here[1] >= _HALF else "leaves most often"
    return (
        f"It {verb} {here[0]}: in {percent(here[1])} of {plural(here[2], 'such decision', 'such decisions')}, "
        f"and in {percent(there[1])} of the {plural(there[2], 'other', 'others')}."
    )
