"""Games a second of a real league, as a share of what the bare pipes would allow, and where the rest goes.

The league is played by the installed command: two workers, SQLite on disk, Python bots. The ceiling is what two pinned
workers reach with the same bots on the same questions when lines are only written and answers only awaited; start-up is
not part of it. Everything is kept on two cores, so that a run has twice its wall time to spend, and what it spent it on
can be added up.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.bench_league import WORKERS, Run, homes_of, on_two_cores, records_of, run, written_league
from benchmarks.fixtures import fixture_of, turns_of
from benchmarks.side_by_side import Laps, cpu_so_far, side_by_side
from benchmarks.store import Times, times_of
from harness.executors import Job, LocalExecutor, Result, StopSignal
from sandbox import BARE

__all__ = ["IDLE", "LeagueCost", "measure"]

IDLE = "idle, or others' programs"
"""The part that is no CPU time of the run."""

LONG = 50
"""Games of the matches from which the costs of a turn and of a start are told apart."""


@dataclass(frozen=True, slots=True)
class LeagueCost:
    """Medians over the blocks, `share` of the blocks' own: of the ceiling, both in games a second.

    `spent_us` is the time on both cores that the run had for each game, the mean of the blocks; `parts` are what it
    went to, in µs of CPU a game, and add up to it. Two of them are rests: what of the workers' or of the main
    process's CPU time was measured in no other way.
    """

    games: int
    matches: int
    per_s: float
    ceiling_per_s: float
    share: float
    spent_us: float
    parts: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Block:
    per_s: float
    ceiling_per_s: float
    spent_us: float
    parts: dict[str, float]


def measure(
    *,
    games: int,
    rounds: int,
    blocks: int = 3,
    tables: int = 4,
    bots: int = 16,
    long: int = LONG,
    program: Path | None = None,
) -> LeagueCost:
    """A season of `rounds` times `bots` matches a block; `tables` of it are played again for the ceiling.

    Those have at least `long` games. The bots are the least that leave at a depth or, if given, copies of `program`.
    """
    with on_two_cores() as cores:
        measured = [_block(games, rounds, tables, bots, long, program, cores) for _ in range(blocks)]

    def middle(name: str) -> float:
        found: float = statistics.median(getattr(block, name) for block in measured)
        return found

    # Means, which add up as medians would not.
    parts = {name: statistics.mean(block.parts[name] for block in measured) for name in measured[0].parts}
    spent_us = statistics.mean(block.spent_us for block in measured)
    share = statistics.median(block.per_s / block.ceiling_per_s for block in measured)
    return LeagueCost(games, rounds * bots, middle("per_s"), middle("ceiling_per_s"), share, spent_us, parts)


def _block(games: int, rounds: int, tables: int, bots: int, long: int, program: Path | None, cores: int) -> _Block:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        league = written_league(place, games=games, rounds=rounds, bots=bots, program=program)
        went = run(league)
        records = records_of(league)
        chosen = records[:: max(1, len(records) // tables)][:tables]
        fixtures = [fixture_of(record, max(long, games)) for record in chosen]
        jobs = [Job(fixture, tuple(homes_of(league, fixture, place / "homes"))) for fixture in fixtures]
        laps = [lap for worker in side_by_side(jobs) for lap in worker]
        started_s = _workers_start(jobs[0], place)
        times = times_of(league, place, time.process_time)
    turns_a_game = sum(turns_of(record) for record in records) / (games * len(records))
    played = games * len(records)
    bare_turn_s = sum(lap.bare_s for lap in laps) / sum(lap.turns for lap in laps)
    parts = {
        name: seconds / played * 1e6
        for name, seconds in _parts(went, laps, times, started_s, turns_a_game * games).items()
    }
    spent_us = cores * went.wall_s / played * 1e6
    parts[IDLE] = spent_us - went.cpu_s / played * 1e6
    return _Block(played / went.wall_s, WORKERS / (bare_turn_s * turns_a_game), spent_us, parts)


def _parts(went: Run, laps: Sequence[Laps], times: Times, workers_s: float, turns: float) -> dict[str, float]:
    """What the CPU time of a whole run went to, in seconds; `turns` are a match's."""
    # Its first game alone taken off a match, its start and end drop out.
    turn_s = sum(lap.match_cpu_s - lap.first_cpu_s for lap in laps) / sum(lap.turns - lap.first_turns for lap in laps)
    bare_turn_s = sum(lap.bare_cpu_s for lap in laps) / sum(lap.turns for lap in laps)
    match_s = statistics.mean(lap.first_cpu_s - turn_s * lap.first_turns for lap in laps)
    matches = times.records
    of_workers = {
        "bare pipes": bare_turn_s * turns * matches,
        "referee": (turn_s - bare_turn_s) * turns * matches,
        "start and end of matches": match_s * matches,
        "start of workers": workers_s,
    }
    of_main = {
        "start and end of the command": went.start_s + went.end_s,
        "store": times.whole_s - times.ratings_s,
        "ratings": times.ratings_s,
    }
    return {
        **of_workers,
        "rest of the workers": went.cpu_s - went.main_s - sum(of_workers.values()),
        **of_main,
        "rest of the main process": went.main_s - sum(of_main.values()),
    }


def _workers_start(job: Job, scratch: Path) -> float:
    """Seconds of CPU to start the workers: they are started twice, and the second time play twice as much."""
    jobs = [Job(replace(job.fixture, games=1), job.homes)] * WORKERS
    took = []
    for times in (1, 2):
        before_s = cpu_so_far()
        with LocalExecutor(WORKERS, BARE, scratch=scratch) as executor:
            outcomes = list(executor.play(jobs * times, StopSignal()))
        assert all(isinstance(outcome, Result) for outcome in outcomes), outcomes
        took.append(cpu_so_far() - before_s)
    return 2 * took[0] - took[1]
