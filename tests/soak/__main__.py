"""`python -m tests.soak [sample-bots | kills | few-kills]`: what takes longer than a test may, with tables in the end.

Exit status 1 where something is not as it must be. PostgreSQL takes part where HARNESS_TEST_POSTGRES names a server.
`few-kills`, one run of three kills, is what `make test` has of it.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.soak import kills, strength
from tests.store.postgres import POSTGRES

RUNS = 20
"""Killed runs on each kind of database."""


def sample_bots(folder: Path) -> bool:
    """Every sample bot decides as the second implementation of its strategy, and is as strong."""
    good = True
    for field in (*strength.EVERYWHERE, strength.NINE, strength.TWINS_IN):
        finding = strength.study(field, folder)
        print(strength.table(finding), flush=True)
        good = good and not finding.problems
    return good


def many_kills(folder: Path) -> bool:
    """A run ends the same on any number of workers, and however often it was killed."""
    study = kills.Study(folder, kills.Size())
    for workers in (2, 4):
        study.workers(workers)
    for number in range(RUNS):
        study.killed(number)
    for number in range(RUNS, 2 * RUNS if POSTGRES else RUNS):
        study.killed(number, postgresql=True)
    return _end(study, [f"no kill while {phase}: draw other moments" for phase in study.missed])


def few_kills(folder: Path) -> bool:
    """The same in short."""
    study = kills.Study(folder, kills.SMALL)
    moments = [kills.Kill(phase, 2, workers=phase == "applying") for phase in ("opening", "applying", "ending")]
    study.killed_at("three kills", moments, str(folder / "killed.db"), random.Random(0))
    killed = [phase for each in study.done for phase in each.kills if phase != kills.ALL_WORKERS]
    return _end(study, [] if len(killed) == len(moments) else [f"killed only while {', '.join(killed)}"])


def _end(study: kills.Study, more: list[str]) -> bool:
    print(f"killed runs:\n{study.table()}", flush=True)
    problems = study.problems + more
    for problem in problems:
        print(f"  PROBLEM: {problem}")
    return not problems


STUDIES = {"sample-bots": sample_bots, "kills": many_kills, "few-kills": few_kills}


def main(words: list[str]) -> int:
    if not set(words) <= set(STUDIES):
        print(__doc__, file=sys.stderr)
        return 2
    good = True
    for word in words or ("sample-bots", "kills"):
        with tempfile.TemporaryDirectory() as folder:
            good = STUDIES[word](Path(folder)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
