"""False timeouts when more matches are played at once than there are cores, by bots that stay within their limits.

A bot computes 5 to 10 ms at each decision and may take 50 ms, with nothing in the bank, so every timeout is false.
Beside them stands how many seats a harness would have failed that bills the time on the wall: those that once needed
more than 50 ms for an answer since they stood in line for a core, computing no more than the others.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fixtures import HERE, SEATS, friendly, home_of
from harness.executors import Job, LocalExecutor, Result, StopSignal
from harness.protocol import Limits
from harness.referee import cores_at_hand
from sandbox import BARE

__all__ = ["MOVE_MS", "MULTIPLES", "AtOnce", "measure"]

MULTIPLES = (1, 2, 4, 8)
"""Matches at once, as multiples of the cores."""

MOVE_MS = 50


@dataclass(frozen=True, slots=True)
class AtOnce:
    """`at_once` matches at a time, `decisions` of `seats` seats in all.

    `timeouts` counts faults of any kind, `by_wall` the seats that a clock on the wall would have failed; `cpu_max_us`
    and `wall_max_us` are of the longest decision.
    """

    at_once: int
    seats: int
    decisions: int
    timeouts: int
    by_wall: int
    cpu_max_us: int
    wall_max_us: int


def measure(*, games: int = 1, multiples: Sequence[int] = MULTIPLES, matches: int | None = None) -> list[AtOnce]:
    """Figures for each multiple of the cores; for each, `matches` are played, as many as the largest if not given."""
    cores = cores_at_hand()
    return [_at_once(size * cores, matches or max(multiples) * cores, games) for size in multiples]


def _at_once(at_once: int, matches: int, games: int) -> AtOnce:
    homes = (home_of((sys.executable, "-I", "-S", str(HERE / "thinker.py"))),) * SEATS
    limits = Limits(move_ms=MOVE_MS, bank_ms=0)
    jobs = [Job(friendly(games, seed=f"{number:032x}", limits=limits), homes) for number in range(1, matches + 1)]
    with tempfile.TemporaryDirectory() as folder, LocalExecutor(at_once, BARE, scratch=Path(folder)) as executor:
        outcomes = list(executor.play(jobs, StopSignal()))
    records = [outcome.record for outcome in outcomes if isinstance(outcome, Result)]
    if len(records) != matches or len(outcomes) != matches:
        raise RuntimeError(f"{matches} matches gave {outcomes}")
    timing = [seat for record in records for seat in record["timing"]]
    return AtOnce(
        at_once,
        len(timing),
        sum(seat["decisions"] for seat in timing),
        sum(len(record["faults"]) for record in records),
        sum(seat["wall_max_us"] > MOVE_MS * 1000 for seat in timing),
        max(seat["cpu_max_us"] for seat in timing),
        max(seat["wall_max_us"] for seat in timing),
    )
