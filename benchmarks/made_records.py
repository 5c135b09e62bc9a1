"""Records made without bots: what the bots of the bench league would have played, so that it runs without processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from benchmarks.bench_league import DEPTHS
from benchmarks.rules import games_of
from harness.executors import Job, Outcome, Result
from harness.game import GameState
from harness.protocol import REPLAY_FORMAT, digest_without, outcome_of
from harness.referee import Fixture

__all__ = ["Made", "made_record"]


def made_record(fixture: Fixture) -> dict[str, Any]:
    """The record of a match of the bench league, as the referee would write it, but for times that are all alike."""
    depths = [DEPTHS[int(seat.bot.rpartition("-")[2]) % len(DEPTHS)] for seat in fixture.seats]
    seats = len(depths)
    decisions = [0] * seats

    def decide(state: GameState) -> str:
        letters = ["."] * seats
        for seat in state.inside:
            letters[seat] = "L" if len(state.path) >= depths[seat] else "C"
            decisions[seat] += 1
        return "".join(letters)

    record: dict[str, Any] = {
        "format": REPLAY_FORMAT,
        "harness": "0",
        "match": fixture.match,
        "fixture": fixture.reference,
        "seed": fixture.seed,
        "edition": fixture.edition.to_json(),
        "seats": [{"bot": seat.bot, "version": seat.version} for seat in fixture.seats],
        "games": list(games_of(fixture, decide)),
    }
    record["outcome"] = outcome_of(record)
    times = {"late": 0, "cpu_us": 2000, "cpu_max_us": 50, "wall_us": 4000, "wall_max_us": 100}
    record |= {
        "limits": fixture.limits.to_json(),
        "sandbox": {"tier": "bare", "layers": [], "clock": "cpu", "interpreters": [], "builds": []},
        "faults": [],
        "incidents": [],
        "timing": [{"decisions": answered, **times} for answered in decisions],
    }
    record["digest"] = digest_without(record)
    return record


class Made:
    """An executor that has every record ready, in the order of the fixtures."""

    def play(self, jobs: Iterable[Job], stop: Callable[[], bool], wake_fd: int = -1) -> Iterator[Outcome]:
        """Yield a made record for each job."""
        del wake_fd
        for job in jobs:
            if stop():
                return
            yield Result(job.fixture, made_record(job.fixture), ("",) * len(job.fixture.seats), 1)
