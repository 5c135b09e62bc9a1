"""What one more round costs a published site, and the memory that publishing takes at ten times as many matches.

Seasons are made without bots. Each publish is a process of its own: `python -m benchmarks.site`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench_league import BenchLeague, written_league
from benchmarks.made_records import Made
from benchmarks.memory import TIMES, peak_kb
from harness.executors import StopSignal
from harness.league import load_league, run_league
from harness.publish import publish
from harness.store import open_store

__all__ = ["Publishing", "SiteCost", "measure", "published"]

BOTS = 40
"""Bots of the season, and matches of its rounds: each bot plays four in each."""


@dataclass(frozen=True, slots=True)
class Publishing:
    """A publish: the files it wrote, the pages among them, and the process's peak in KiB and CPU time in seconds."""

    files: int
    pages: int
    peak_kb: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class SiteCost:
    """Publishes of a season of `matches`: the first, that after one more round, and one of a tenth as many matches."""

    matches: int
    full: Publishing
    again: Publishing
    short: Publishing

    @property
    def share(self) -> float:
        """Of the pages that the full publish wrote, those written again after one more round."""
        return self.again.pages / self.full.pages

    @property
    def share_of_files(self) -> float:
        """The same of all files, figures, feeds and records too."""
        return self.again.files / self.full.files

    @property
    def ratio(self) -> float:
        """The peak of the full publish over that of the short one."""
        return self.full.peak_kb / self.short.peak_kb


def measure(*, rounds: int, bots: int = BOTS) -> SiteCost:
    """Seasons of `rounds` and of ten times as many rounds of one match a bot, four at a table, made and not played."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        short, long = (_made(folder, name, rounds * times, bots) for name, times in (("short", 1), ("long", TIMES)))
        full = published(long, folder / "long")
        _play(long, 1)
        again = published(long, folder / "long")
        return SiteCost(rounds * TIMES * long.matches, full, again, published(short, folder / "short"))


def published(league: BenchLeague, out: Path) -> Publishing:
    """Publish in a process of its own and look what it wrote."""
    before = _marks(out)
    command = [sys.executable, "-m", "benchmarks.site", str(league.file), str(league.store), str(out)]
    told = subprocess.run(command, cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, check=True).stdout
    # A file that is written again is another one: it is put in place whole.
    wrote = [path for path, mark in _marks(out).items() if before.get(path) != mark]
    return Publishing(len(wrote), sum(path.endswith(".html") for path in wrote), **json.loads(told))


def _marks(out: Path) -> Mapping[str, tuple[int, int]]:
    """By path of each file of the site, what changes when it is written again."""
    return {
        str(path.relative_to(out)): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in out.rglob("*")
        if path.is_file() and ".publish" not in path.parts
    }


def _made(folder: Path, name: str, rounds: int, bots: int) -> BenchLeague:
    """A season with `rounds` over and one to come."""
    home = folder / f"of-{name}"
    home.mkdir()
    league = written_league(home, games=1, rounds=rounds + 1, bots=bots, name=name)
    _play(league, rounds)
    return league


def _play(league: BenchLeague, rounds: int) -> None:
    with open_store(league.store) as store:
        run_league(
            load_league(league.file), store, rounds=rounds, tell=lambda _: None, stop=StopSignal(), executor=Made()
        )


def main() -> None:
    """Publish once and print as JSON what it took."""
    file, store_file, out = map(Path, sys.argv[1:])
    with open_store(store_file, write=False) as store:
        publish(load_league(file), store, out)
    print(json.dumps({"peak_kb": peak_kb("self"), "cpu_s": time.process_time()}))


if __name__ == "__main__":
    main()
