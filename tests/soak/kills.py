"""Runs killed at random moments and gone on with, on 1, 2 and 4 workers: each must end as the undisturbed one does."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import sandbox
from tests.e2e.harness_command import HARNESS, league_text
from tests.soak.kill_at_write import PHASES, children
from tests.soak.trace import Trace, broken, differences, trace
from tests.store.postgres import postgres_database

ROOT = Path(__file__).parents[2]
KILLER = Path(__file__).with_name("kill_at_write.py")
FAULTY = Path(__file__).with_name("faulty.py")

SAMPLES = ("never", "at-once", "random", "hazard-count", "gem-threshold", "expected-value-leavers", "depth-c")
FAULTS = {
    "exit": "crashed",
    "signal": "crashed",
    "action": "bad-action",
    "turn": "bad-turn",
    "message": "bad-message",
    "flood": "output-flood",
    "close": "closed-output",
    "burn": "timeout",
    "start": "start-failed",
}
"""By the way in which a bot goes wrong the fault that it is."""


@dataclass(frozen=True)
class Size:
    """How large the league is: by default four rounds of sixteen bots, fewer where some are benched."""

    samples: Sequence[str] = SAMPLES
    faults: Sequence[str] = tuple(FAULTS)
    games: int = 3
    rounds: int = 4


SMALL = Size(SAMPLES[:4], ("exit", "action", "start"), games=1, rounds=3)

PROGRESS = "progress"
"""The phase of a kill from outside, at a line of what a run tells of its progress: wherever the run is then."""

MIDDLE = (*(phase for phase in PHASES if phase not in ("announcing", "ending")), PROGRESS)

A_WORKER, ALL_WORKERS = "a worker", "all workers"
"""What is killed besides: before the run, or with it."""

MOST = {"announcing": 25, "opening": 12, "storing": 40, "applying": 60, "ending": 3, PROGRESS: 25}
"""The last moment, counted from the start of the run, at which a kill of that phase comes."""

LINGER_S = 30
"""How long the processes of a killed run may take to end. It takes well under a second."""

ORPHANED_S = 3
"""The same where a worker was killed with it, so that nobody is left to end a bot that does not end by itself."""


@dataclass(frozen=True)
class Kill:
    """One kill: at the `count`-th moment of a phase, with all workers or, while the run goes on, one before."""

    phase: str
    count: int
    workers: bool


@dataclass
class Disturbed:
    """What became of a run that was disturbed."""

    name: str
    kills: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    """Bots that outlived a run and their worker, killed at once: without a sandbox nothing ends them."""


@dataclass(frozen=True)
class Ran:
    """What came of one command: the matches told as stored, and how it ended."""

    told: list[str]
    died: bool
    lost_worker: bool
    stayed: list[str]
    """The command lines of processes that it left."""
    headless: bool
    """Whether a worker was killed and its run before it could see to that worker's bots."""


class Study:
    """A league in a folder, the trace of its undisturbed run, and the disturbed runs so far."""

    def __init__(self, folder: Path, size: Size) -> None:
        sandbox.become_subreaper()
        self.folder = folder
        self.league = make_league(folder, size)
        self.tmp = folder / "tmp"
        self.tmp.mkdir()
        self.done: list[Disturbed] = []
        self.undisturbed = self._undisturbed(size)

    def _undisturbed(self, size: Size) -> Trace:
        store = self.folder / "undisturbed.db"
        ran = self._run(["--store", str(store), "--workers", "1"], None)
        assert not self._left(ran), self._left(ran)
        found = trace(self.league, store)
        kinds = {(record.split("-")[-1], kind) for record, kind in self._faults_of_bots(found)}
        assert kinds == {(how, FAULTS[how]) for how in size.faults}, f"not every bot faults as it should: {kinds}"
        assert len(found["entries and voids"]) > 1, "the entries never change"
        planned = sum(row[3] for row in found["rows"]["rounds"])
        assert len(found["outcomes"]) == planned, "not every match counts"
        return found

    def _faults_of_bots(self, found: Trace) -> list[tuple[str, str]]:
        seats = {match: seats for match, _, seats in found["fixtures"]}
        return [(seats[match][seat]["bot"], kind) for match, seat, kind, *_ in found["faults"]]

    def workers(self, count: int) -> None:
        """A run with so many workers, undisturbed."""
        disturbed = Disturbed(f"{count} workers")
        store = self.folder / f"{count}-workers.db"
        self._end(disturbed, str(store), ["--workers", str(count)], Counter())
        self._judge(disturbed, str(store))

    def killed(self, number: int, *, postgresql: bool = False) -> None:
        """The run of that number: killed several times at moments drawn by it, each time gone on with."""
        draw = random.Random(f"kills/{number}")
        kills = planned_kills(number, draw)
        if postgresql:
            with contextmanager(postgres_database)() as url:
                self.killed_at(f"run {number}, PostgreSQL", kills, url, draw)
        else:
            self.killed_at(f"run {number}", kills, str(self.folder / f"run-{number}.db"), draw)

    def killed_at(self, name: str, kills: Sequence[Kill], store: str, draw: random.Random) -> None:
        """A run killed in these ways, one after the other, as far as it comes to them."""
        disturbed = Disturbed(name)
        played = Counter[str]()
        for kill in kills:
            workers = draw.choice((1, 2, 4))
            ran = self._run(["--store", store, "--workers", str(workers)], kill)
            played.update(ran.told)
            if ran.lost_worker:
                disturbed.kills.append(A_WORKER)
            if not ran.died:
                break
            disturbed.kills.append(kill.phase)
            if kill.workers and kill.phase != PROGRESS:
                disturbed.kills.append(ALL_WORKERS)
            if ran.headless:
                disturbed.orphans += ran.stayed
            else:
                disturbed.problems += [f"still running {LINGER_S} s after a kill: {each}" for each in ran.stayed]
        self._end(disturbed, store, ["--workers", str(draw.choice((1, 2, 4)))], played)
        self._judge(disturbed, store)

    def _end(self, disturbed: Disturbed, store: str, words: list[str], played: Counter[str]) -> None:
        ran = self._run(["--store", store, *words], None)
        played.update(ran.told)
        disturbed.problems += self._left(ran)
        disturbed.problems += [f"{match} was stored {times} times" for match, times in played.items() if times > 1]

    def _judge(self, disturbed: Disturbed, store: str) -> None:
        disturbed.problems += differences(self.undisturbed, trace(self.league, store))
        if "://" not in store:
            disturbed.problems += broken(Path(store))
        self.done.append(disturbed)

    def _left(self, ran: Ran) -> list[str]:
        """What a run that came to its end left behind and should not have."""
        folders = [f"left in the temporary folder: {path.name}" for path in sorted(self.tmp.iterdir())]
        return folders + [f"left running: {each}" for each in ran.stayed]

    def _run(self, words: list[str], kill: Kill | None) -> Ran:
        """Runs the league to its end or the kill."""
        words = ["run-league", str(self.league), "--json", *words]
        from_outside = kill is None or kill.phase == PROGRESS
        if kill is None or kill.phase == PROGRESS:
            command = [str(HARNESS), *words]
        else:
            also = "workers" if kill.workers else "alone"
            command = [sys.executable, str(KILLER), kill.phase, str(kill.count), also, *words]
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "TMPDIR": str(self.tmp), "PYTHONPATH": path}
        lost = False
        with (
            (self.folder / "stderr").open("w+", encoding="utf-8") as stderr,
            subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True
            ) as process,
        ):
            assert process.stdout is not None
            lines = []
            for number, line in enumerate(process.stdout, start=1):
                lines.append(line)
                if kill is None or not from_outside:
                    continue
                if kill.workers and number == kill.count // 2 + 1:
                    lost = kill_a_worker(process.pid)
                if number == kill.count:
                    process.kill()
            status = process.wait()
            # A line may have been cut by the kill.
            events = [json.loads(line) for line in lines if line.endswith("\n")]
            buried = any(event["event"] == "worker-lost" for event in events)
            headless = kill is not None and kill.workers and (not from_outside or (lost and not buried))
            stayed = end_orphans(ORPHANED_S if headless else LINGER_S)
            stderr.seek(0)
            said = stderr.read()
        died = status == -signal.SIGKILL
        assert status == 0 or (kill is not None and died), f"{command}: status {status}\n{said}"
        assert "Traceback" not in said, said
        told = [event["match"] for event in events if event["event"] == "match-played"]
        return Ran(told, died, lost, stayed, headless)

    def table(self) -> str:
        """What is printed in the end."""
        lines = [
            f"  {each.name:22}{_counted(each.kills) or 'no kill':76}{'NOT THE SAME' if each.problems else 'the same'}"
            for each in self.done
        ]
        matches, faults = len(self.undisturbed["outcomes"]), len(self.undisturbed["faults"])
        hits = [phase for each in self.done for phase in each.kills]
        bad = sum(bool(each.problems) for each in self.done)
        lines.append(f"  {len(self.done)} runs of {matches} matches with {faults} faults; killed: {_counted(hits)}")
        orphans = Counter(bot for each in self.done for bot in each.orphans)
        if orphans:
            shown = ", ".join(f"{bot} ({times})" for bot, times in orphans.items())
            lines.append(f"  outlived a run and their worker, killed at once, since nothing isolates them: {shown}")
        lines.append(f"  {bad} NOT THE SAME" if bad else "  all the same as the undisturbed one")
        return "\n".join(lines)

    @property
    def problems(self) -> list[str]:
        """What is not as in the undisturbed run."""
        return [f"{each.name}: {problem}" for each in self.done for problem in each.problems]

    @property
    def missed(self) -> list[str]:
        """Phases of a season in which no run was killed."""
        hits = {phase for each in self.done for phase in each.kills}
        return [phase for phase in (*PHASES, PROGRESS) if phase not in hits]


def _counted(kills: list[str]) -> str:
    times = Counter(kills)
    return ", ".join(f"{what} {times[what]}" for what in (*PHASES, PROGRESS, A_WORKER, ALL_WORKERS) if times[what])


def make_league(folder: Path, size: Size) -> Path:
    bots = [f'sample = "{name}"' for name in size.samples]
    for how in size.faults:
        place = folder / f"faulty-{how}"
        place.mkdir()
        shutil.copy(FAULTY, place)
        command = f'["python3", "-I", "-S", "{FAULTY.name}", "{how}"]'
        (place / "bot.toml").write_text(f'name = "faulty-{how}"\ncommand = {command}\n', encoding="utf-8")
        bots.append(f'path = "{place.name}"')
    path = folder / "same.toml"
    text = league_text(
        "same",
        bots,
        seats="[4, 3]",
        games=size.games,
        rounds=size.rounds,
        # One that never starts is benched before the third round, others perhaps before the fourth.
        more="max_forfeits = 6",
        limits="bank_ms = 200\nstall_ms = 60000\nwait_ms = 600000",
    )
    path.write_text(text, encoding="utf-8")
    return path


def planned_kills(number: int, draw: random.Random) -> list[Kill]:
    """The kills of a run: each phase comes up in every few runs."""
    phases = [MIDDLE[number % len(MIDDLE)], *draw.choices(MIDDLE, k=draw.randint(1, 3))]
    draw.shuffle(phases)
    if number % 4 == 0:
        phases.insert(0, "announcing")
    if number % 3 == 0:
        phases.append("ending")
    return [Kill(phase, draw.randint(1, MOST[phase]), draw.random() < 0.4) for phase in phases]


def kill_a_worker(run: int) -> bool:
    """Kills the first worker of a run; false where it has none now."""
    with suppress(OSError):
        for pid in children(run):
            os.kill(pid, signal.SIGKILL)
            return True
    return False


def end_orphans(seconds: int) -> list[str]:
    """Wait until no process is left that came of a run; those that stay longer than that are killed and named.

    Orphans fall to this process, a subreaper.
    """
    stayed: list[str] = []

    def kill_all(*_: object) -> None:
        for pid in children(os.getpid()):
            with suppress(OSError):  # it may just have ended
                stayed.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip())
                os.kill(pid, signal.SIGKILL)
        signal.alarm(1)  # theirs may fall to us now

    before = signal.signal(signal.SIGALRM, kill_all)
    signal.alarm(seconds)
    try:
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return stayed
