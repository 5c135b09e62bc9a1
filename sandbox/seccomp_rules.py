"""What the policy on system calls is written in: a rule, and the conditions under which it holds."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["ALLOWED", "ALL_BITS", "NOTHING_DONE", "UNKNOWN", "Condition", "Rule", "one_of", "with_any", "without"]

ALL_BITS: Final = (1 << 64) - 1
"""A mask: the kernel takes 32 bits of most arguments, but which ones it drops is better not relied on."""
ALLOWED: Final = None
"""The answer of a rule that lets a call through."""
NOTHING_DONE: Final = 0
"""The answer of a rule that has a call seem to succeed."""
UNKNOWN: Final = errno.ENOSYS
"""The answer to calls that no rule speaks of."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds if `argument`, counted from 0, is `value` in the bits of `mask`; with `differs`, if it is anything else."""

    argument: int
    value: int
    mask: int = ALL_BITS
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One answer to some calls."""

    reason: str
    calls: tuple[str, ...]
    answer: int | None
    """The errno that they fail with, `NOTHING_DONE` or `ALLOWED`."""
    cases: tuple[tuple[Condition, ...], ...] = ()
    """When it holds: in any case of which all conditions hold. Always, if there are none. Two rules with different
    answers never hold at once.
    """


def one_of(argument: int, values: Iterable[int]) -> tuple[tuple[Condition, ...], ...]:
    """Cases: the argument is one of these."""
    return tuple((Condition(argument, value),) for value in values)


def without(argument: int, bits: int) -> tuple[tuple[Condition, ...], ...]:
    """The case that the argument has none of these bits."""
    return ((Condition(argument, 0, bits),),)


def with_any(argument: int, bits: int) -> tuple[tuple[Condition, ...], ...]:
    """Cases: it has one of them."""
    single = (1 << place for place in range(64) if bits >> place & 1)
    return tuple((Condition(argument, bit, bit),) for bit in single)
