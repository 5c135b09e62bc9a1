"""`python -m tests.soak [NAME...]`: what takes longer than a test may, with tables in the end.

Names are `sample-bots`, `kills` and `hostile`; exit status 1 where something is not as it must be. PostgreSQL takes
part where HARNESS_TEST_POSTGRES names a server. What `make test` has of it: `few-kills`, one run of three kills, and
`few-hostile` and `few-hostile-kills`, a season with hostile bots and one that is killed five times.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.soak import hostile, kills, strength
from tests.store.postgres import POSTGRES

RUNS = 20
"""Killed runs on each kind of database."""

HOSTILE_KILLS, HOSTILE_KILLS_EACH = 30, 6
"""Kills of seasons with hostile bots, and how many of them hit the same one."""


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


def hostile_bots(folder: Path) -> bool:
    """A thousand matches with every third bot hostile, and thirty kills of such seasons."""
    good = few_hostile(folder, hostile.Size(rounds=34))
    for number in range(HOSTILE_KILLS // HOSTILE_KILLS_EACH):
        place = folder / f"kills-{number}"
        place.mkdir()
        study = hostile.Study(place, hostile.Size(rounds=3))
        study.killed(hostile.drawn_moments(number, HOSTILE_KILLS_EACH))
        good = _told(study) and good
    return good


def few_hostile(folder: Path, size: hostile.Size | None = None) -> bool:
    """Sixty matches of the same."""
    study = hostile.Study(folder, size or hostile.Size())
    study.undisturbed()
    return _told(study)


def few_hostile_kills(folder: Path) -> bool:
    """Thirty matches of the same, killed five times."""
    study = hostile.Study(folder, hostile.Size(rounds=1))
    study.killed(hostile.MOMENTS)
    return _told(study)


def _told(study: hostile.Study) -> bool:
    problems = study.told.problems
    print("hostile bots:", *study.told.lines, *(f"PROBLEM: {problem}" for problem in problems), sep="\n  ", flush=True)
    return not problems


def _end(study: kills.Study, more: list[str]) -> bool:
    print(f"killed runs:\n{study.table()}", flush=True)
    problems = study.problems + more
    for problem in problems:
        print(f"  PROBLEM: {problem}")
    return not problems


STUDIES = {
    "sample-bots": sample_bots,
    "kills": many_kills,
    "hostile": hostile_bots,
    "few-kills": few_kills,
    "few-hostile": few_hostile,
    "few-hostile-kills": few_hostile_kills,
}
"""By name; the first three are run where none is named."""


def main(words: list[str]) -> int:
    if not set(words) <= set(STUDIES):
        print(__doc__, file=sys.stderr)
        return 2
    good = True
    for word in words or list(STUDIES)[:3]:
        with tempfile.TemporaryDirectory() as folder:
            good = STUDIES[word](Path(folder)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
