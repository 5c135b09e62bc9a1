"""Runs with the worst bots at the table, through real workers and the installed command."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.bots import Home
from harness.executors import Job, LocalExecutor, Outcome, Result, Retry
from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.referee import Fixture, Seat, usable_cores, verify_record
from sandbox import BARE
from tests.e2e.harness_command import HARNESS, harness, league_text, started
from tests.referee.table import scripted
from tests.second.replay import check_record
from tests.second.season import check_season_file, is_record

PLAY_BARE = ["--sandbox", "bare", "--trust-bots"]
"""So that the bots of a single match can be reached from outside, as those of `league_text` can."""


def never() -> bool:
    return False


def fixture(number: int, **limits: int) -> Fixture:
    seats = tuple(Seat(bot, f"{index:064x}") for index, bot in enumerate("abc"))
    return Fixture("test", 1, 1, number, f"{number:032x}", BUILT_IN["iello-2016"], 1, Limits(**limits), seats)


def good() -> Home:
    return scripted("good")


def checked(outcome: Outcome) -> dict[str, Any]:
    """The record of a match that was played, held against both implementations."""
    assert isinstance(outcome, Result)
    assert verify_record(outcome.record) is None
    check_record(outcome.record)
    return outcome.record


def wait_for_end(pid: int) -> None:
    """Return once the process has ended; the test's own time limit is all that ends the wait otherwise."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    select.select([fd], [], [])
    os.close(fd)


# ── a league that has everything against it ──────────────────────────────────────────────────────────────────────────

BEHAVIOURS = {
    "good": "good",
    "fine": "good",
    "silent": "silent",
    "crash": "aborts",
    "flood": "flood of stderr before each answer",
}


@pytest.fixture(scope="module")
def season(trouble: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of two rounds that was played to its end: one title for all bots, and most of them misbehave."""
    folder = tmp_path_factory.mktemp("season")
    for name, behaviour in BEHAVIOURS.items():
        place = folder / name
        place.mkdir()
        shutil.copy(trouble, place / "trouble")
        words = json.dumps(["./trouble", behaviour])
        (place / "bot.toml").write_text(f'name = "{name}"\ntitle = "Ace"\ncommand = {words}\n', encoding="utf-8")
    file = folder / "troubles.toml"
    bots = [f'path = "{name}"' for name in BEHAVIOURS]
    file.write_text(league_text("troubles", bots, seats="[3]", games=2, limits="start_ms = 500"), encoding="utf-8")
    run = harness("run-league", file, "--workers", "2", cwd=folder)
    (folder / "told").write_text(run.stdout + run.stderr, encoding="utf-8")
    harness("replay", "export", file, "--season", "1", "--out", "season.jsonl", cwd=folder)
    return file


def records_of(season: Path) -> list[dict[str, Any]]:
    return [line for line in check_season_file(season.with_name("season.jsonl")) if is_record(line)]


def test_a_match_with_bots_that_never_start_or_crash_is_stored_and_its_league_goes_on(season: Path) -> None:
    records = records_of(season)
    # Five bots at tables of three, each bot once in each seat: five matches a round.
    assert len(records) == 2 * 5
    found = Counter(
        (record["seats"][fault["seat"]]["bot"], fault["kind"]) for record in records for fault in record["faults"]
    )
    assert found == {("silent", "start-timeout"): 6, ("crash", "crashed"): 6}


def test_a_fault_counts_once_in_the_ladder_whatever_the_games_of_its_match(season: Path) -> None:
    rows = json.loads(harness("standings", season, "--json", cwd=season.parent).stdout)["standings"]
    assert {row["bot"]: (row["matches"], row["games"], row["faults"]) for row in rows} == {
        "good": (6, 12, 0),
        "fine": (6, 12, 0),
        "flood": (6, 12, 0),
        "silent": (6, 12, 6),
        "crash": (6, 12, 6),
    }


def test_bots_of_one_title_are_told_apart_by_their_ids(season: Path) -> None:
    rows = json.loads(harness("bots", season, "--json", cwd=season.parent).stdout)["bots"]
    assert sorted(row["bot"] for row in rows) == sorted(BEHAVIOURS)
    assert [row["title"] for row in rows] == ["Ace"] * 5
    faults = json.loads(harness("faults", season, "crash", "--json", cwd=season.parent).stdout)["faults"]
    assert {(fault["bot"], fault["kind"]) for fault in faults} == {("crash", "crashed")}
    assert harness("faults", season, "good", cwd=season.parent).stdout.startswith("no faults of good")


def test_a_crash_is_explained_by_what_its_bot_wrote_last(season: Path) -> None:
    told = harness("faults", season, "crash", "--stderr", cwd=season.parent).stdout
    assert "assertion failed: pocket >= 0" in told
    assert "assertion failed" not in season.with_name("season.jsonl").read_text(encoding="utf-8")


def test_no_flood_of_stderr_reaches_the_terminal(season: Path) -> None:
    told = season.with_name("told").read_text(encoding="utf-8")
    assert "crash: crashed" in told
    assert "!!!!" not in told
    assert "assertion failed" not in told


def test_every_match_has_a_seed_of_its_own(season: Path) -> None:
    seeds = [record["seed"] for record in records_of(season)]
    assert len(set(seeds)) == len(seeds)


def test_a_flood_of_stderr_reaches_no_terminal_in_play_either(trouble: Path, tmp_path: Path) -> None:
    place = tmp_path / "loud"
    place.mkdir()
    shutil.copy(trouble, place / "trouble")
    (place / "bot.toml").write_text('name = "loud"\ncommand = ["./trouble", "flood of stderr before each answer"]\n')
    words = ["sample:never", "sample:at-once", "loud", *PLAY_BARE, "--stderr", "kept", "--record", "match.json"]
    done = harness("play", *words, cwd=tmp_path)
    assert "!!!!" not in done.stdout + done.stderr
    assert "bytes left out" in (tmp_path / "kept" / "seat-2-loud.txt").read_text()
    record = json.loads((tmp_path / "match.json").read_text())
    check_record(record)
    assert record["faults"] == []


# ── workers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_daemon_that_computes_is_billed_to_its_bot(trouble: Path, tmp_path: Path) -> None:
    homes = (good(), Home((str(trouble), "computes in a daemon"), str(tmp_path), None, ""), good())
    with LocalExecutor(1, BARE, scratch=tmp_path) as local:
        [outcome] = local.play([Job(fixture(1, move_ms=50, bank_ms=200), homes)], never)
    [fault] = checked(outcome)["faults"]
    assert (fault["seat"], fault["kind"], fault["turn"]) == (1, "timeout", 3)
    assert fault["cpu_us"] > 250_000
    assert "CPU" in fault["expected"]


def test_no_bot_loses_on_time_because_many_matches_share_a_core(trouble: Path, tmp_path: Path) -> None:
    thinker = Home((str(trouble), "computes 30 ms a turn"), str(tmp_path), None, "")
    # Six tables on one core: an answer takes 180 ms or more, 80 beyond the move's, and there are about twenty.
    tables = [Job(fixture(n, move_ms=100, bank_ms=100, wait_ms=300), (good(), thinker, good())) for n in range(1, 7)]
    with LocalExecutor(6, BARE, usable_cores()[:1], scratch=tmp_path) as local:
        records = [checked(outcome) for outcome in local.play(tables, never)]
    assert len(records) == 6
    assert [record["faults"] for record in records] == [[]] * 6
    assert all(record["timing"][1]["cpu_us"] >= 10 * 30_000 for record in records)


SPY = """
import json, os, sys
def tell(*words):
    print(*words, file=sys.stderr)
pid = os.getpid()
for _ in range(3):
    for file in ('cmdline', 'environ'):
        try:
            tell(open(f'/proc/{pid}/{file}', errors='replace').read().replace(chr(0), ' ')[:4000])
        except OSError as error:
            tell(error)
    pid = int(open(f'/proc/{pid}/stat').read().rpartition(')')[2].split()[1])
tell(sorted(os.listdir('/proc/self/fd')))
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'match_start':
        tell(line)
    if message['type'] == 'decide':
        print(json.dumps({'type': 'decision', 'turn': message['turn'], 'action': 'leave'}), flush=True)
"""


def test_what_lies_in_a_bots_sight_holds_no_seed_of_the_match(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    spy = Home((sys.executable, "-I", "-S", "spy.py"), str(tmp_path), None, "")
    table = Fixture.from_json({**fixture(7).to_json(), "seed": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"})
    with LocalExecutor(1, BARE, scratch=tmp_path) as local:
        [outcome] = local.play([Job(table, (spy,) * 3)], never)
    assert checked(outcome)["faults"] == []
    assert isinstance(outcome, Result)
    for text in outcome.stderr:
        # It did see its parent's command line and environment, and what it was told.
        assert "harness.executors.worker" in text
        assert "match_start" in text
        assert "TMPDIR=" in text
        assert table.opaque in text
        assert table.seed not in text
        assert table.match not in text


class Gate:
    """A match that one bot holds up until it is let through: it blocks on a pipe at its first question."""

    def __init__(self, folder: Path) -> None:
        self.pipe = folder / "gate"
        os.mkfifo(self.pipe)
        source = (
            'import json, sys\nprint(\'{"type":"ready"}\', flush=True)\nheld = True\nfor line in sys.stdin:\n'
            "    message = json.loads(line)\n    if message['type'] == 'decide':\n"
            f"        if held:\n            open({str(self.pipe)!r}).read()\n        held = False\n"
            "        print(json.dumps({'type': 'decision', 'turn': message['turn'], 'action': 'leave'}), flush=True)\n"
        )
        (folder / "slow.py").write_text(source)
        self.home = Home((sys.executable, "-I", "-S", "slow.py"), str(folder), None, "")

    def open(self) -> None:
        """Returns once the bot has come to the gate and been let through."""
        self.pipe.write_text("go")


def jobs(count: int, slow: Home) -> Iterator[Job]:
    for number in range(1, count + 1):
        table = fixture(number, stall_ms=120_000, wait_ms=240_000)
        yield Job(table, (slow if number == 1 else good(), good(), good()))


def test_one_slow_bot_holds_up_no_other_worker(tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    with LocalExecutor(2, BARE, scratch=tmp_path) as local:
        outcomes = local.play(jobs(8, gate.home), never)
        # All but its own match come while it thinks.
        early = [checked(next(outcomes)) for _ in range(7)]
        gate.open()
        rest = [checked(outcome) for outcome in outcomes]
    assert 1 not in {record["fixture"]["number"] for record in early}
    assert sorted(record["fixture"]["number"] for record in early + rest) == list(range(1, 9))
    assert all(record["faults"] == [] for record in early + rest)


def test_the_executor_sleeps_while_its_bots_think(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(tmp_path)
    real, returned = select.poll, list[int]()

    class Counted:
        def __init__(self) -> None:
            self._poll = real()
            self.register = self._poll.register

        def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
            events = self._poll.poll(timeout)
            returned.append(len(events))
            return events

    monkeypatch.setattr("select.poll", Counted)
    opener = threading.Thread(target=gate.open)
    with LocalExecutor(1, BARE, scratch=tmp_path) as local:
        opener.start()
        [outcome] = local.play(jobs(1, gate.home), never)
        opener.join()
        while_playing = list(returned)
    assert checked(outcome)["faults"] == []
    assert 0 not in while_playing, "a poll ran out with nothing to tell"
    # The worker takes what it is given, is ready, has played; each may come in a few pieces.
    assert 0 < len(while_playing) <= 8


# ── nothing outlives its run ─────────────────────────────────────────────────────────────────────────────────────────

HOSTILE = """
import os, signal
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
told = os.open({fifo!r}, os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(told, b'%d\\n' % os.getpid())
        while True:
            signal.pause()
    os._exit(0)
os.wait()
print('{{"type":"ready"}}', flush=True)
os.write(told, b'%d\\n' % os.getpid())
while True:
    signal.pause()
"""
"""A bot that heeds no signal and no end of file, and has a daemon that does not either; both tell their ids."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_no_bot_and_no_daemon_of_a_bot_outlives_a_run(tmp_path: Path, number: signal.Signals) -> None:
    none_outlives(tmp_path, number, "run-league", "last.toml")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_no_bot_and_no_daemon_of_a_bot_outlives_a_single_match(tmp_path: Path, number: signal.Signals) -> None:
    none_outlives(tmp_path, number, "play", "sample:never", "sample:at-once", "hostile.py", *PLAY_BARE)


def test_no_bot_and_no_daemon_of_a_bot_outlives_its_worker(tmp_path: Path) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    (tmp_path / "hostile.py").write_text(HOSTILE.format(fifo=str(fifo)))
    hostile = Home((sys.executable, "-I", "-S", "hostile.py"), str(tmp_path), None, "")
    pids: list[int] = []

    def kill_the_worker() -> None:
        with fifo.open("rb", buffering=0) as told:
            while len(pids) < 2:
                pids.append(int(told.readline()))
        os.kill(local.pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_the_worker)
    with LocalExecutor(1, BARE, scratch=tmp_path) as local:
        outcomes = local.play([Job(fixture(1, stall_ms=600_000), (hostile, good(), good()))], never)
        killer.start()
        assert isinstance(next(outcomes), Retry)
        killer.join()
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        outcomes.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize(
    "words",
    [
        ["run-league", "last.toml"],
        ["submit", "last.toml", "hostile"],
        ["plan", "last.toml"],
        ["play", "sample:never", "sample:at-once", "hostile", *PLAY_BARE],
    ],
    ids=lambda words: words[0],
)
def test_a_stop_does_not_wait_for_a_build_and_no_build_outlives_it(
    tmp_path: Path, number: signal.Signals, words: list[str]
) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    place = tmp_path / "hostile"
    place.mkdir()
    (place / "build.py").write_text(HOSTILE.format(fifo=str(fifo)))
    (place / "bot.toml").write_text('name = "hostile"\ncommand = "python3 bot.py"\nbuild = "python3 build.py"\n')
    bots = ['path = "hostile"', 'sample = "never"', 'sample = "at-once"']
    (tmp_path / "last.toml").write_text(league_text("last", bots, seats="[3]", rounds=1))
    with os.fdopen(os.open(fifo, os.O_RDWR), "rb", buffering=0) as told:
        run = started(*words, cwd=tmp_path)
        pids = [int(told.readline()) for _ in range(2)]
    os.kill(run.pid, number)
    _, errors = run.communicate()
    if number == signal.SIGKILL:
        assert run.returncode == -number
    else:
        assert (run.returncode, errors.splitlines()[-1]) == (
            130,
            "harness: stopped while hostile was being built; run the same command again to build it anew",
        )
    for pid in pids:
        wait_for_end(pid)


@pytest.mark.parametrize(
    "words",
    [
        ["run-league", "last.toml", "--workers", "1"],
        ["plan", "last.toml"],
        ["play", "sample:never", "sample:at-once", "hostile.py", *PLAY_BARE],
    ],
    ids=lambda words: words[0],
)
def test_a_terminal_that_is_closed_ends_a_run_in_order(tmp_path: Path, words: list[str]) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    (tmp_path / "hostile.py").write_text(HOSTILE.format(fifo=str(fifo)))
    bots = ['path = "hostile.py"', *(f'sample = "{name}"' for name in ("never", "at-once"))]
    (tmp_path / "last.toml").write_text(league_text("last", bots, seats="[3]", rounds=1, limits="stall_ms = 600000"))
    ours, theirs = os.openpty()
    with os.fdopen(os.open(fifo, os.O_RDWR), "rb", buffering=0) as told:
        run = subprocess.Popen(
            [HARNESS, *words],
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        pids = [int(told.readline()) for _ in range(2)]
    os.close(ours)  # from here on nothing can be written there
    os.kill(run.pid, signal.SIGHUP)
    assert run.wait() == 130
    for pid in pids:
        wait_for_end(pid)


def test_a_closed_terminal_is_ignored_where_the_shell_says_so(tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    words = ["play", "sample:never", "sample:at-once", "slow.py", *PLAY_BARE]
    nohup = subprocess.Popen(
        ["nohup", HARNESS, *words],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with gate.pipe.open("wb"):  # opens once the bot has come to the gate
        os.kill(nohup.pid, signal.SIGHUP)
    printed, errors = nohup.communicate()
    assert nohup.returncode == 0, errors
    assert b"slow" in printed


def none_outlives(folder: Path, number: signal.Signals, *words: str) -> None:
    fifo = folder / "told"
    os.mkfifo(fifo)
    (folder / "hostile.py").write_text(HOSTILE.format(fifo=str(fifo)))
    bots = ['path = "hostile.py"', *(f'sample = "{name}"' for name in ("never", "at-once"))]
    (folder / "last.toml").write_text(league_text("last", bots, seats="[3]", rounds=1, limits="stall_ms = 600000"))
    # Open for writing too, so that the reader meets no end of file between bot and daemon.
    with os.fdopen(os.open(fifo, os.O_RDWR), "rb", buffering=0) as told:
        run = started(*words, cwd=folder)
        pids = [int(told.readline()) for _ in range(2)]
    os.kill(run.pid, number)
    _, errors = run.communicate()
    assert run.returncode == (-number if number == signal.SIGKILL else 130), errors
    for pid in pids:
        wait_for_end(pid)
