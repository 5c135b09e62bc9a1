"""Tiers: what a backend promises, told by the layers that hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

__all__ = ["TIERS", "tier_of"]

TIERS: Final = ("full", "isolated", "confined", "bare")
"""The strongest first; each promises all that those behind it do."""

_CALLS = frozenset({"seccomp", "no-new-privileges", "rlimits"})
_APART = frozenset({"pid-namespace", "network-namespace", "ipc-namespace", "uts-namespace", "read-only-root"})
_SCRATCH = frozenset({"scratch-size"})
_GROUP = frozenset({"group-memory", "group-processes", "group-cpu"})
_LANDLOCK = frozenset({"landlock-files"})
_UNTOUCHABLE = frozenset({"landlock-scopes", "own-uid"})


def tier_of(layers: Collection[str]) -> str:
    """The strongest tier whose layers are all among these."""
    held = frozenset(layers)
    if held >= _CALLS | _APART | _SCRATCH | _GROUP:
        return "full"
    if held >= _CALLS | _APART | _SCRATCH:
        return "isolated"
    # Without either a program could kill others, who have the same user.
    if held >= _CALLS | _LANDLOCK and held & _UNTOUCHABLE:
        return "confined"
    return "bare"
