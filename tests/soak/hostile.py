"""Seasons in which every third bot means harm: played to their ends, or killed; then nothing of them is anywhere."""

from __future__ import annotations

import json
import os
import random
import secrets
import select
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import sandbox
from tests.e2e.harness_command import HARNESS, harness
from tests.second.season import check_season_file, is_record
from tests.soak.kill_at_write import children
from tests.soak.kills import end_orphans
from tests.soak.remains import await_ends, descendants, groups_of, left_objects, mounts_below, rounds, watch

__all__ = ["FAULTS", "MOMENTS", "Moment", "Size", "Study", "drawn_moments"]

BOT: Final = Path(__file__).with_name("hostile_bot.py")

FAULTS: Final[dict[str, frozenset[str]]] = {
    "spins": frozenset({"timeout"}),
    "forks": frozenset({"processes"}),
    "hogs": frozenset({"memory"}),
    "fills": frozenset({"disk"}),
    "scatters": frozenset({"disk"}),
    "floods": frozenset({"output-flood"}),
    "sleeps": frozenset({"timeout"}),
    "signals": frozenset({"crashed"}),
    "stays": frozenset(),
    "litters": frozenset(),
}
"""By what a bot does the fault that it is in every match; what only means to leave something behind plays on."""

SLOW: Final = ("forks", "hogs", "fills", "scatters")
"""Those that on a busy machine may be out of time before they are at their limit; not in every match of a season."""

HONEST: Final = ("gem-threshold", "hazard-count", "risk-threshold", "at-once")

LIMITS: Final = """\
start_ms = 5000
move_ms = 50
bank_ms = 250
stall_ms = 300
wait_ms = 600
memory_mb = 64
processes = 16
disk_mb = 4
"""

RUN, WORKERS, BOTH = "the run", "all its workers", "the run and all its workers"

WITHIN_S: Final = 10.0
"""How long what a kill has left may be there."""

FLAT: Final = 1.1
"""The most memory at the end of a season over that after its first matches."""

FIRST: Final = 20
"""Matches after which a run is looked at first: by then it has met everything."""

_QUIET_S = 60.0
_QUIET_LOOKS = 8
_SEEN_MS = 5


@dataclass(frozen=True)
class Size:
    """Rounds of a season; one has a match for each bot, and every third bot is hostile."""

    rounds: int = 2
    bots: int = 3 * len(FAULTS)

    @property
    def matches(self) -> int:
        """At tables of three each bot sits once in each seat."""
        return self.rounds * self.bots


@dataclass(frozen=True)
class Moment:
    """What is killed, and when: after so many more matches, then as soon as there is a bot that does one of `deeds`."""

    what: str
    matches: int
    deeds: tuple[str, ...] = ()


MOMENTS: Final = (
    Moment(RUN, 3, ("forks", "spins", "sleeps")),
    Moment(WORKERS, 3),
    Moment(BOTH, 2, ("hogs", "fills", "forks")),
    Moment(WORKERS, 3, ("stays", "signals", "litters")),
    Moment(BOTH, 3),
)
"""One of each kind, for a season of thirty matches."""


@dataclass(frozen=True)
class Look:
    """A run between two matches: by process its descriptors and the most memory it ever had, in KiB."""

    descriptors: dict[str, int]
    peak_kib: dict[str, int]


@dataclass
class Told:
    """What came of a study: lines for a table, and what is not as it must be."""

    lines: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class Study:
    """Leagues in a folder of its own; to be made by a process that has nothing else running: orphans fall to it."""

    def __init__(self, folder: Path, size: Size) -> None:
        sandbox.become_subreaper()
        self.size = size
        self.folder = folder
        self.tmp = folder / "tmp"
        self.tmp.mkdir()
        self.mark = secrets.token_hex(3)
        self.league = _made_league(folder, size, self.mark)
        self.told = Told()
        self._owners: set[int] = set()

    def undisturbed(self) -> None:
        """Play a season to its end, with a look at the run when it has just begun and one when it is about to end."""
        store = self.folder / "undisturbed.db"
        looks: list[Look] = []
        tries: Counter[int] = Counter()
        with self._run(store) as run:
            for event in run.events():
                if event["event"] != "match-played":
                    continue
                tries[event["tries"]] += 1
                if tries.total() in (FIRST, self.size.matches - 5):
                    looks.append(self._quiet(run))
        self._none_left("the season", run)
        if tries != {1: self.size.matches}:
            self.told.problems.append(f"matches by the number of their tries: {dict(tries)}")
        self._flat(*looks)
        self._judge(store)

    def killed(self, moments: Sequence[Moment], number: int = 1) -> None:
        """Play a season that is killed at all of these moments, as far as it gets to them; then play it to its end."""
        store = self.folder / f"killed-{number}.db"
        left = list(moments)
        while left:
            with self._run(store) as run:
                died = any(self._kill(run, left.pop(0)) for _ in moments[: len(left)] if run.alive())
                for _ in run.events():
                    pass
            self._none_left("a kill" if died else "the season", run)
            if not died:
                break
        if left:
            self.told.problems.append(f"the season was over with {len(left)} kills to go")
        with self._run(store) as run:
            for _ in run.events():
                pass
        self._none_left("the season", run)
        self._judge(store)

    def _kill(self, run: _Run, moment: Moment) -> bool:
        """Wait for the moment and kill; true where that was the run's end."""
        played = 0
        for event in run.events():
            played += event["event"] == "match-played"
            if played >= moment.matches:
                break
        else:
            self.told.problems.append(f"the season was over before {moment}")
            return True
        seen = self._seen(run, moment.deeds)
        if not run.alive():
            self.told.problems.append(f"the season was over before {moment}")
            return True
        workers = run.workers()
        self._owners |= {run.pid, *workers}
        victims = [pid for worker in workers for pid in (worker, *descendants(worker))]
        if moment.what != RUN:
            for pid in workers:
                os.kill(pid, signal.SIGKILL)
        if moment.what != WORKERS:
            os.kill(run.pid, signal.SIGKILL)
        stayed = await_ends(watch(victims), WITHIN_S)
        self.told.problems += [f"{WITHIN_S:.0f} s after a kill of {moment.what}: {_words(pid)}" for pid in stayed]
        self._none_of(workers, f"a kill of {moment.what}")
        when = f" while a bot {seen}" if seen else ""
        self.told.lines.append(f"killed: {moment.what} after {moment.matches} matches more{when}")
        return moment.what != WORKERS

    def _seen(self, run: _Run, deeds: Collection[str]) -> str:
        """Wait until a bot is running that does one of these; which. Nothing where the run ends before."""
        while deeds and run.alive():
            commands = [_command(pid) for pid in descendants(run.pid)]
            for deed in deeds:
                if any(f"\0{deed}\0{self.mark}\0" in command for command in commands):
                    return deed
            select.poll().poll(_SEEN_MS)
        return ""

    @contextmanager
    def _run(self, store: Path) -> Iterator[_Run]:
        words = [str(HARNESS), "run-league", str(self.league), "--store", str(store), "--json", "--workers", "2"]
        path = self.folder / "stderr"
        with path.open("w") as stderr:
            popen = subprocess.Popen(
                words,
                env={**os.environ, "TMPDIR": str(self.tmp)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        with popen:
            run = _Run(popen)
            try:
                yield run
            except BaseException:
                popen.kill()
                raise
            self._owners |= run.seen
        said = path.read_text()
        if popen.returncode not in (0, -signal.SIGKILL) or "Traceback" in said:
            self.told.problems.append(f"the run ended with status {popen.returncode}: {said}")

    def _quiet(self, run: _Run) -> Look:
        """Hold the run until its workers have played what they have in hand, and look at all three then."""
        os.kill(run.pid, signal.SIGSTOP)
        try:
            workers = run.workers()
            states: list[list[str]] = []
            for _ in rounds(_QUIET_S):
                states.append([_state(pid) for pid in workers])
                last = states[-_QUIET_LOOKS:]
                if len(last) == _QUIET_LOOKS and all(each == last[0] and all(each) for each in last):
                    break
            else:
                self.told.problems.append(f"the workers do not come to rest: {states[-1]}")
            self.told.problems += [f"between matches: {group}" for group in groups_of(workers)]
            self.told.problems += [f"between matches: {mount}" for mount in mounts_below(self.tmp, workers)]
            named = {"the run": run.pid} | {f"worker {number}": pid for number, pid in enumerate(workers, start=1)}
            return Look(
                {name: len(os.listdir(f"/proc/{pid}/fd")) for name, pid in named.items()},  # noqa: PTH208
                {name: _peak_kib(pid) for name, pid in named.items()},
            )
        finally:
            os.kill(run.pid, signal.SIGCONT)

    def _flat(self, first: Look, last: Look) -> None:
        for name, before in first.descriptors.items():
            if (after := last.descriptors.get(name)) != before:
                self.told.problems.append(f"{name} has {after} descriptors, and had {before} after {FIRST} matches")
        for name, before in first.peak_kib.items():
            after_kib = last.peak_kib.get(name, 0)
            self.told.lines.append(f"memory of {name}: {before} KiB after {FIRST} matches, {after_kib} at the end")
            if not 0 < after_kib <= FLAT * before:
                self.told.problems.append(self.told.lines[-1])

    def _none_left(self, what: str, run: _Run) -> None:
        """Nothing of a run that is over is left: what is on its way out has some seconds for it."""
        self.told.problems += [f"{WITHIN_S:.0f} s after {what}: {each}" for each in end_orphans(int(WITHIN_S))]
        self._owners.add(run.pid)
        self._none_of(self._owners, what)
        found = [str(path) for path in self.tmp.iterdir()]
        found += mounts_below(self.tmp, [os.getpid(), 1])
        self.told.problems += [f"left by {what}: {each}" for each in (*found, *left_objects(self.mark))]

    def _none_of(self, owners: Collection[int], what: str) -> None:
        found: list[str] = []
        for _ in rounds(WITHIN_S):
            if not (found := groups_of(owners)):
                return
        self.told.problems += [f"{WITHIN_S:.0f} s after {what}: {group}" for group in found]

    def _judge(self, store: Path) -> None:
        """Every match is played to a record that holds; who is honest is at no fault, who is hostile at its own."""
        file = store.with_suffix(".jsonl")
        words = [self.league, "--store", store, "--season", "1", "--out", file]
        harness("replay", "export", *words, cwd=self.folder)
        harness("replay", "verify", file, cwd=self.folder)
        records = [line for line in check_season_file(file) if is_record(line)]
        if len(records) != self.size.matches:
            self.told.problems.append(f"{len(records)} matches, not {self.size.matches}")
        reached: set[str] = set()
        for record in records:
            found = {seat["bot"]: set[str]() for seat in record["seats"]}
            for fault in (*record["faults"], *record["incidents"]):
                found[record["seats"][fault["seat"]]["bot"]].add(fault["kind"])
            for bot, kinds in found.items():
                if kinds == FAULTS.get(bot, frozenset()):
                    reached.add(bot)
                elif bot not in SLOW or kinds != {"timeout"}:
                    self.told.problems.append(f"{record['match']}: {bot} {sorted(kinds)} {record['faults']}")
        self.told.problems += [f"{bot} never was at its limit" for bot in FAULTS if bot not in reached]
        self.told.lines.append(f"{len(records)} matches, {sum(len(record['faults']) for record in records)} faults")


class _Run:
    """A run of the command, and the processes that it was seen to have."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.pid = popen.pid
        self.seen: set[int] = set()
        self._popen = popen

    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._popen.poll() is None

    def events(self) -> Iterator[dict[str, Any]]:
        """What it tells as it happens, until its end or as long as it is asked."""
        assert self._popen.stdout is not None
        # Not `for`: that reads ahead, and would lose lines when it is given up.
        while line := self._popen.stdout.readline():
            self.seen.update(self.workers())
            # The last one may have been cut by a kill.
            if line.endswith(b"\n"):
                event = json.loads(line)
                if "event" in event:
                    yield event

    def workers(self) -> list[int]:
        """Its workers, in the order of their start."""
        with suppress(OSError):
            return sorted(pid for pid in children(self.pid) if "\0harness.executors.worker\0" in _command(pid))
        return []


def _made_league(folder: Path, size: Size, mark: str) -> Path:
    bots = []
    for number, how in zip(range(size.bots // 3), FAULTS, strict=False):
        place = folder / how
        place.mkdir()
        shutil.copy(BOT, place)
        command = json.dumps(["python3", "-I", "-S", BOT.name, how, mark])
        (place / "bot.toml").write_text(f'name = "{how}"\ncommand = {command}\n', encoding="utf-8")
        bots.append(f'path = "{how}"')
        samples = (2 * number, 2 * number + 1)
        bots += [f'sample = "{HONEST[each % len(HONEST)]}"\nname = "honest-{each}"' for each in samples]
    lines = [
        "[league]",
        'name = "hostile"',
        'edition = "iello-2016"',
        'format = "round-robin"',
        "seats = [3]",
        "games = 1",
        f"rounds = {size.rounds}",
        'seed = "hostile"',
        "[sandbox]",
        'require = "full"',
        "files = 200",
        "[limits]",
        LIMITS,
    ]
    path = folder / "hostile.toml"
    path.write_text("\n".join([*lines, *(f"[[bots]]\n{bot}" for bot in bots)]) + "\n", encoding="utf-8")
    return path


def drawn_moments(number: int, count: int) -> list[Moment]:
    """So many kills for the season of that number."""
    draw = random.Random(f"hostile/{number}")
    return [
        Moment(
            draw.choice((RUN, WORKERS, BOTH)), draw.randint(1, 4), tuple(draw.sample(list(FAULTS), draw.choice((0, 4))))
        )
        for _ in range(count)
    ]


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    return ""


def _words(pid: int) -> str:
    return _command(pid).replace("\0", " ") or f"process {pid}"


def _state(pid: int) -> str:
    """Tells of a worker that waits for something to do how long it has run; empty for any other."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    if stat[0] != "S" or descendants(pid):
        return ""
    return Path(f"/proc/{pid}/schedstat").read_text()


def _peak_kib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
