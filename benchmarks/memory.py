"""Peak memory of a league's processes at ten times as many matches, over that at so many.

The main process is measured with made records, so that thousands of matches take a minute, and once more, with its
workers, on fewer matches that are really played. Each run is a process of its own: `python -m benchmarks.memory`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.bench_league import WORKERS, written_league
from benchmarks.made_records import Made
from harness.executors import LocalExecutor, StopSignal, run_folder
from harness.league import Event, MatchPlayed, RoundOver, load_league, run_league
from harness.store import open_store
from sandbox import BARE

__all__ = ["MemoryCost", "Peak", "measure", "peak"]

TIMES = 10
"""How many times as many matches the long league has."""

BOTS = 20
"""Matches of a round."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory in KiB that the main process of a run, and the largest of its workers, ever had resident."""

    matches: int
    main_kb: int
    worker_kb: int


@dataclass(frozen=True, slots=True)
class MemoryCost:
    """The peaks of a short and a long league; `worker_ratio` is 0 where there were no workers."""

    short: Peak
    long: Peak

    @property
    def ratio(self) -> float:
        """Of the main process."""
        return self.long.main_kb / self.short.main_kb

    @property
    def worker_ratio(self) -> float:
        """Of the workers."""
        return self.long.worker_kb / self.short.worker_kb if self.short.worker_kb else 0.0


def measure(*, rounds: int, program: Path | None = None, played: bool = False) -> MemoryCost:
    """Leagues of `rounds` and ten times as many rounds of twenty matches of one game.

    Records are made, or, if `played`, come from real workers and bots: copies of `program`, or Python bots.
    """
    return MemoryCost(_apart(rounds, program, played), _apart(rounds * TIMES, program, played))


def peak(folder: Path, rounds: int, program: Path | None, played: bool) -> Peak:
    """Run the league in this process. The peak is that of the process so far, so let it be a new one."""
    written = written_league(folder, games=1, rounds=rounds, bots=BOTS, program=program)
    league = load_league(written.file)
    worker_kb = 0
    with (
        open_store(written.store) as store,
        run_folder(BARE) as scratch,
        LocalExecutor(WORKERS, BARE, scratch=scratch) as workers,
    ):

        def look(event: Event) -> None:
            nonlocal worker_kb
            if isinstance(event, MatchPlayed) and event.record["faults"]:
                raise RuntimeError(f"a bot faulted, so this measures nothing: {event.record['faults']}")
            if isinstance(event, RoundOver):
                worker_kb = max([worker_kb, *map(peak_kb, workers.pids)])

        executor = workers if played else Made()
        summary = run_league(league, store, tell=look, stop=StopSignal(), executor=executor)
    return Peak(summary.played, peak_kb("self"), worker_kb)


def peak_kb(pid: int | str) -> int:
    """The most memory that a living process ever had resident, in KiB (Linux)."""
    # Not ru_maxrss: that of a child begins with what its parent had when it was forked.
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def _apart(rounds: int, program: Path | None, played: bool) -> Peak:
    with tempfile.TemporaryDirectory() as folder:
        words = [folder, str(rounds), str(program or ""), "played" if played else "made"]
        command = [sys.executable, "-m", "benchmarks.memory", *words]
        told = subprocess.run(command, cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, check=True).stdout
    return Peak(**json.loads(told))


def main() -> None:
    """Print the peak of one run as JSON."""
    folder, rounds, program, how = sys.argv[1:]
    found = peak(Path(folder), int(rounds), Path(program) if program else None, how == "played")
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
