"""Waiting until something is done to the entries of a season, by another process."""

from __future__ import annotations

import select
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from harness.executors import StopSignal

if TYPE_CHECKING:
    from harness.store import EntryChange, Store

__all__ = ["wait_for_change"]

_LOOK_EVERY_MS = 2000
"""Between two looks at the entries. A look takes 2 ms of CPU where there are 300 of them: .1 % of a core."""


def wait_for_change(store: Store, season_id: str, known: Mapping[str, Sequence[EntryChange]], stop: StopSignal) -> None:
    """Return once the season's `entry_changes` are not what is `known` any more, or `stop` was asked for."""
    poll = select.poll()
    if stop.fileno() >= 0:
        poll.register(stop.fileno(), select.POLLIN)
    while not stop() and store.entry_changes(season_id) == known:
        poll.poll(_LOOK_EVERY_MS)
