"""The league that is measured: bots that leave at different depths, four at a table, in a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.fixtures import HERE, SEATS
from harness.bots import Home, Housing
from harness.referee import Fixture, usable_cores
from harness.store import open_store

__all__ = [
    "WORKERS",
    "BenchLeague",
    "Run",
    "cpu_of",
    "homes_of",
    "on_two_cores",
    "records_of",
    "run",
    "written_league",
]

WORKERS = 2
DEPTHS = (3, 4, 5, 6, 7, 8, 9, 10)

COMMAND = Path(sys.executable).with_name("harness")
"""The installed command, as users run it."""


@dataclass(frozen=True, slots=True)
class BenchLeague:
    """A league in a folder: its file and where its records go; a round has as many `matches` as there are bots."""

    file: Path
    store: Path
    matches: int


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of the command took, in seconds: on the wall, and of CPU for all its processes, bots included.

    `main_s` is the CPU time of the main process alone; of this, `start_s` until its first round opened and `end_s`
    from the season's end on.
    """

    wall_s: float
    cpu_s: float
    main_s: float
    start_s: float
    end_s: float


def written_league(
    folder: Path, *, games: int, rounds: int, bots: int = 16, program: Path | None = None, name: str = "bench"
) -> BenchLeague:
    """Write the league's file into `folder`: its bots leave at eight depths or, if given, are all this `program`.

    A program is a Python file or a compiled one.
    """
    if program is None:
        source = (HERE / "leaver.py").read_text()
        words = []
        for depth in DEPTHS:
            bot = folder / f"leaver-{depth}.py"
            bot.write_text(source.replace("DEPTH = 5", f"DEPTH = {depth}"))
            words.append(bot.name)
    elif program.suffix == ".py":
        shutil.copy(program, folder / "program.py")
        words = ["program.py"]
    else:
        home = folder / "compiled"
        home.mkdir()
        shutil.copy(program, home / "bot")
        (home / "bot.toml").write_text('name = "compiled"\ncommand = ["./bot"]\n')
        words = [home.name]
    entries = [f'[[bots]]\npath = "{words[i % len(words)]}"\nname = "bot-{i}"\n' for i in range(bots)]
    file = folder / f"{name}.toml"
    file.write_text(
        f'[league]\nname = "{name}"\nedition = "iello-2016"\nformat = "round-robin"\nseats = [{SEATS}]\n'
        f'games = {games}\nrounds = {rounds}\nseed = "benchmark"\n[sandbox]\nbackend = "bare"\ntrust_bots = true\n'
        + "".join(entries)
    )
    return BenchLeague(file, folder / f"{name}.db", bots)


@contextmanager
def on_two_cores() -> Iterator[int]:
    """Keep this process and all that it starts on as many cores as there are workers, so that core time adds up.

    Yields how many there are.
    """
    cores = usable_cores()
    if not cores:
        yield os.cpu_count() or 1
        return
    os.sched_setaffinity(0, cores[:WORKERS])
    try:
        yield len(cores[:WORKERS])
    finally:
        os.sched_setaffinity(0, cores)


def run(league: BenchLeague) -> Run:
    """Play the whole season with the installed command and two workers; RuntimeError if it fails or a bot faults."""
    began = time.perf_counter()
    opened = ended = 0.0
    command: list[str | Path] = [COMMAND, "run-league", league.file, "--store", league.store, "--json"]
    command += ["--workers", str(WORKERS)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as popen:
        assert popen.stdout is not None
        for line in popen.stdout:
            event = json.loads(line)["event"]
            if event == "round-opened":
                opened = opened or cpu_of(popen.pid)
            elif event == "season-ended":
                ended = cpu_of(popen.pid)
            elif event == "fault-seen":
                popen.kill()
                raise RuntimeError(f"a bot faulted, so this measures nothing: {line}")
        os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOWAIT)
        over, main_s = time.perf_counter(), cpu_of(popen.pid)
        _, status, used = os.wait4(popen.pid, 0)
        popen.returncode = os.waitstatus_to_exitcode(status)
    if popen.returncode or not ended:
        raise RuntimeError(f"harness run-league ended with status {popen.returncode}")
    return Run(over - began, used.ru_utime + used.ru_stime, main_s, opened, main_s - ended)


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process without threads has used, also when it has ended and was not reaped (Linux)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def records_of(league: BenchLeague) -> list[dict[str, Any]]:
    """The records of the league's first season, in canonical order."""
    with open_store(league.store, write=False) as store:
        return list(store.records(f"{league.file.stem}/1"))


def homes_of(league: BenchLeague, fixture: Fixture, folder: Path) -> list[Home]:
    """Where the bots of a fixture live: unpacked under `folder` from the league's store, as a run does it."""
    housing = Housing(folder)
    homes = []
    with open_store(league.store, write=False) as store:
        for seat in fixture.seats:
            version = store.version(seat.version, seat.bot)
            assert version is not None
            homes.append(housing.home(seat.version, version.archive, version.built))
    return homes
