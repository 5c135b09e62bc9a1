"""The local executor, with workers that follow a script instead of playing."""

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.bots import Home
from harness.errors import HarnessFailure
from harness.executors import Failure, Job, LocalExecutor, Outcome, Result, Retry
from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.referee import Fixture, Seat
from sandbox import BARE

SCRIPT = (sys.executable, str(Path(__file__).with_name("scripted_worker.py")))


def never() -> bool:
    return False


def job(number: int, word: str, folder: Path) -> Job:
    seats = tuple(Seat(bot, "0" * 64) for bot in (word, "b", "c"))
    fixture = Fixture("test", 1, 1, number, f"{number:032x}", BUILT_IN["iello-2016"], 1, Limits(), seats)
    place = folder / f"home-{number}"
    place.mkdir(exist_ok=True)
    if word.startswith(("hangs", "ignores")):
        os.mkfifo(place / "started")
    if word.startswith("waits"):
        os.mkfifo(place / "go")
    return Job(fixture, tuple(Home(("true",), str(place), None, "") for _ in seats))


def executor(folder: Path, workers: int = 1) -> LocalExecutor:
    return LocalExecutor(workers, BARE, (), scratch=folder, command=SCRIPT)


class StopsOnce:
    """A stop that is asked for when the job whose folder is `home` is being played, and not before."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.calls = 0

    def __call__(self) -> bool:
        self.calls += 1
        if self.calls == 2:
            (self.home / "started").read_text()  # blocks until the worker says so
        return self.calls >= 2


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_fixture_comes_back_once_whatever_the_number_of_workers(tmp_path: Path, workers: int) -> None:
    with executor(tmp_path, workers) as local:
        found = list(local.play((job(n, "plays", tmp_path) for n in range(1, 21)), never))
    assert sorted(outcome.fixture.number for outcome in found) == list(range(1, 21))
    assert all(isinstance(o, Result) and o.record["number"] == o.fixture.number and o.tries == 1 for o in found)
    assert len({outcome.record["pid"] for outcome in found if isinstance(outcome, Result)}) <= workers


def test_workers_serve_one_round_after_the_other_and_end_with_the_executor(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        for first in (1, 3):
            assert len(list(local.play([job(n, "plays", tmp_path) for n in (first, first + 1)], never))) == 2
        (pid,) = local.pids
        assert os.getsid(pid) == pid  # a terminal's Ctrl-C does not reach it
        assert alive(pid)
    assert not alive(pid)


def test_no_jobs_start_no_worker(tmp_path: Path) -> None:
    with executor(tmp_path, 4) as local:
        assert list(local.play([], never)) == []
        assert local.pids == ()


def test_jobs_are_drawn_only_as_workers_fall_free(tmp_path: Path) -> None:
    drawn = 0

    def endless() -> Iterator[Job]:
        nonlocal drawn
        while True:
            drawn += 1
            yield job(drawn, "plays", tmp_path)

    with executor(tmp_path) as local:
        outcomes = local.play(endless(), never)
        for received in range(1, 6):
            next(outcomes)
            assert drawn <= received + 2
        outcomes.close()  # type: ignore[attr-defined]


def slow_and_quick(folder: Path, slow: str, third: str = "plays") -> list[Job]:
    """Seven jobs. Of two workers the first gets 1, which waits until it may go, and holds 3 meanwhile."""
    words = {1: slow, 3: third}
    return [job(number, words.get(number, "plays"), folder) for number in range(1, 8)]


def told(outcomes: list[Outcome]) -> list[tuple[type, int, int]]:
    return sorted(
        ((type(outcome), outcome.fixture.number, outcome.tries) for outcome in outcomes), key=lambda one: one[1:]
    )


def played(*numbers: int) -> list[tuple[type, int, int]]:
    return [(Result, number, 1) for number in numbers]


def let_go(folder: Path) -> None:
    (folder / "home-1" / "go").write_text("go")


def test_what_a_worker_with_a_slow_match_holds_is_played_by_another(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play(slow_and_quick(tmp_path, "waits"), never)
        early = [next(outcomes) for _ in range(6)]
        let_go(tmp_path)
        assert told(early) == played(2, 3, 4, 5, 6, 7)
        assert told(list(outcomes)) == played(1)


@pytest.mark.parametrize("workers", [3, 5])
def test_the_slowest_match_of_all_holds_nothing_back_whatever_the_number_of_workers(
    tmp_path: Path, workers: int
) -> None:
    with executor(tmp_path, workers) as local:
        outcomes = local.play([job(n, "waits" if n == 1 else "plays", tmp_path) for n in range(1, 21)], never)
        early = [next(outcomes) for _ in range(19)]
        let_go(tmp_path)
        assert told(early) == played(*range(2, 21))
        assert told(list(outcomes)) == played(1)


def test_a_match_that_was_begun_before_it_was_taken_back_counts_once(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play(slow_and_quick(tmp_path, "waits-deaf"), never)
        early = [next(outcomes) for _ in range(6)]
        let_go(tmp_path)
        assert told(early + list(outcomes)) == played(1, 2, 3, 4, 5, 6, 7)
        assert told(list(local.play([job(n, "plays", tmp_path) for n in range(8, 15)], never))) == played(*range(8, 15))


def test_a_worker_that_is_lost_takes_no_match_with_it_that_was_taken_back(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play(slow_and_quick(tmp_path, "waits-and-dies-once"), never)
        early = [next(outcomes) for _ in range(6)]
        let_go(tmp_path)
        assert told(early) == played(2, 3, 4, 5, 6, 7)
        assert [(type(o), o.fixture.number, o.tries) for o in outcomes] == [(Retry, 1, 1), (Result, 1, 2)]


def test_a_worker_that_dies_of_a_match_that_another_has_played_charges_nobody(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play(slow_and_quick(tmp_path, "waits-deaf", third="dies-if-again"), never)
        early = [next(outcomes) for _ in range(6)]
        before = local.pids
        let_go(tmp_path)
        assert told(early + list(outcomes)) == played(1, 2, 3, 4, 5, 6, 7)
        # Of these one worker has two to play, so that the end of the other is known before the last has come.
        jobs = [job(8, "waits", tmp_path), *(job(n, "plays", tmp_path) for n in (9, 10, 11))]
        outcomes = local.play(jobs, never)
        early = [next(outcomes) for _ in range(3)]
        (tmp_path / "home-8" / "go").write_text("go")
        assert told(early + list(outcomes)) == played(8, 9, 10, 11)
        assert set(local.pids) != set(before)


def test_nothing_is_taken_back_from_a_worker_that_has_news(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play([job(n, "waits" if n == 1 else "plays", tmp_path) for n in (1, 2, 3)], never)
        next(outcomes)  # 2, since 1 waits
        let_go(tmp_path)
        [worker] = [worker for worker in local._workers.values() if len(worker.tasks) == 2]
        select.select([worker.outlet], [], [])
        # It is with its second match by now, or through with it.
        assert not worker.has_one_to_spare()
        assert told(list(outcomes)) == played(1, 3)


def test_a_worker_that_dies_is_replaced_and_only_what_it_played_is_charged(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        found = list(local.play([job(1, "dies-once", tmp_path), job(2, "plays", tmp_path)], never))
    assert [type(outcome) for outcome in found] == [Retry, Result, Result]
    assert [(o.fixture.number, o.tries) for o in found] == [(1, 1), (1, 2), (2, 1)]
    assert isinstance(found[0], Retry)
    assert found[0].reason == "a worker ended with signal 9"


def test_a_worker_that_was_stopped_is_lost_and_the_match_is_tried_again(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        found = list(local.play([job(1, "stops-once", tmp_path), job(2, "plays", tmp_path)], never))
    assert [(type(o), o.fixture.number, o.tries) for o in found] == [(Retry, 1, 1), (Result, 1, 2), (Result, 2, 1)]
    assert isinstance(found[0], Retry)
    assert found[0].reason == "a worker was stopped (SIGSTOP)"


def test_a_fixture_that_stops_three_workers_is_given_up(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        found = list(local.play([job(1, "stops", tmp_path), job(2, "plays", tmp_path)], never))
    (failure,) = (outcome for outcome in found if isinstance(outcome, Failure))
    assert (failure.fixture.number, failure.tries, failure.machine) == (1, 3, False)
    assert [outcome.fixture.number for outcome in found if isinstance(outcome, Result)] == [2]


def test_a_worker_stopped_between_two_matches_costs_none(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        assert len(list(local.play([job(1, "plays", tmp_path)], never))) == 1
        (pid,) = local.pids
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)
        found = list(local.play([job(n, "plays", tmp_path) for n in (2, 3)], never))
    assert {outcome.fixture.number for outcome in found if isinstance(outcome, Result)} == {2, 3}
    assert not alive(pid)


def test_a_worker_stopped_at_the_end_of_the_run_takes_no_grace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.executors.local._GRACE_S", 1e6)  # the test would not end
    with executor(tmp_path) as local:
        assert len(list(local.play([job(1, "plays", tmp_path)], never))) == 1
        os.kill(local.pids[0], signal.SIGSTOP)


def test_sigchld_is_given_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGCHLD)
    with executor(tmp_path):
        assert signal.getsignal(signal.SIGCHLD) != before
    assert signal.getsignal(signal.SIGCHLD) == before


class Impatience:
    """Leaves a match no time at all once it is being played, until `over`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.started = self.over = False

    def __call__(self, fixture: Fixture) -> float:
        if self.over:
            return 1e6
        if not self.started:
            (self.home / "started").read_text()  # blocks until the worker says so
            self.started = True
        return 0.0


def test_a_worker_that_is_silent_for_longer_than_its_match_can_last_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [job(1, "ignores-once", tmp_path), job(2, "plays", tmp_path)]
    impatience = Impatience(tmp_path / "home-1")
    monkeypatch.setattr("harness.executors.worker_process.longest_s", impatience)
    monkeypatch.setattr("harness.executors.worker_process._SLACK_S", 0.0)
    with executor(tmp_path) as local:
        outcomes = local.play(jobs, never)
        first = next(outcomes)
        impatience.over = True
        assert isinstance(first, Retry)
        assert first.reason == "a worker was silent for longer than its match can last"
        assert [(type(o), o.fixture.number, o.tries) for o in outcomes] == [(Result, 1, 2), (Result, 2, 1)]


def test_the_longest_match_of_all_can_be_waited_for(tmp_path: Path) -> None:
    limits = Limits(start_ms=3_600_000, stall_ms=3_600_000)
    seats = tuple(Seat(bot, "0" * 64) for bot in ("plays", "b", "c"))
    fixture = Fixture("test", 1, 1, 1, "0" * 32, BUILT_IN["iello-2016"], 10_000, limits, seats)
    with executor(tmp_path) as local:
        (found,) = local.play([Job(fixture, tuple(Home(("true",), str(tmp_path), None, "") for _ in seats))], never)
    assert isinstance(found, Result)


def test_a_fixture_that_kills_three_workers_is_given_up_and_the_others_are_played(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        found = list(local.play([job(1, "dies", tmp_path), job(2, "plays", tmp_path)], never))
    assert [(type(o), o.fixture.number, o.tries) for o in found] == [
        (Retry, 1, 1),
        (Retry, 1, 2),
        (Failure, 1, 3),
        (Result, 2, 1),
    ]
    assert isinstance(found[2], Failure)
    assert not found[2].machine


def test_what_the_machine_lacks_is_tried_three_times_and_then_said(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        found = list(local.play([job(1, "fails", tmp_path), job(2, "fails-once", tmp_path)], never))
    failure = next(outcome for outcome in found if isinstance(outcome, Failure))
    assert (failure.machine, failure.tries, failure.reason) == (True, 3, "no space left")
    result = next(outcome for outcome in found if isinstance(outcome, Result))
    assert (result.fixture.number, result.tries) == (2, 2)


def test_the_bots_of_a_killed_worker_are_found_and_ended(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        outcomes = local.play([job(1, "orphans-once", tmp_path)], never)
        assert isinstance(next(outcomes), Retry)
        assert not alive(int((tmp_path / "home-1" / "orphan").read_text()))
        assert isinstance(next(outcomes), Result)


def test_a_worker_that_never_starts_blames_no_bot_and_says_why(tmp_path: Path) -> None:
    with (
        LocalExecutor(1, BARE, (), scratch=tmp_path, command=(*SCRIPT, "broken")) as local,
        pytest.raises(HarnessFailure, match=r"no worker .* status 1: no module named nonsense"),
    ):
        list(local.play([job(1, "plays", tmp_path)], never))


def test_a_command_that_is_not_there_is_the_machines_failure(tmp_path: Path) -> None:
    with (
        LocalExecutor(1, BARE, (), scratch=tmp_path, command=(str(tmp_path / "nothing"),)) as local,
        pytest.raises(HarnessFailure, match="can't be started"),
    ):
        list(local.play([job(1, "plays", tmp_path)], never))


def test_a_stop_wakes_the_executor_and_ends_a_worker_that_is_in_a_match(tmp_path: Path) -> None:
    hanging = job(1, "hangs", tmp_path)
    asked = threading.Event()
    wake_read, wake_write = os.pipe()

    def ask_once_it_plays() -> None:
        (tmp_path / "home-1" / "started").read_text()
        asked.set()
        os.write(wake_write, b"x")

    asker = threading.Thread(target=ask_once_it_plays)
    asker.start()
    with executor(tmp_path) as local:
        outcomes = local.play([hanging], asked.is_set, wake_read)
        assert list(outcomes) == []
        assert local.pids == ()
    asker.join()
    os.close(wake_read)
    os.close(wake_write)


def test_a_result_that_was_sent_before_the_stop_is_kept(tmp_path: Path) -> None:
    jobs = [job(1, "plays", tmp_path), job(2, "hangs", tmp_path), job(3, "plays", tmp_path)]
    with executor(tmp_path) as local:
        # What became of the first was sent before the second began.
        assert [outcome.fixture.number for outcome in local.play(jobs, StopsOnce(tmp_path / "home-2"))] == [1]


def test_a_stop_asked_for_before_the_first_job_plays_nothing(tmp_path: Path) -> None:
    with executor(tmp_path) as local:
        assert list(local.play([job(1, "plays", tmp_path)], lambda: True)) == []


def test_a_worker_that_does_not_heed_the_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.executors.local._GRACE_S", 0.0)
    with executor(tmp_path) as local:
        assert list(local.play([job(1, "ignores", tmp_path)], StopsOnce(tmp_path / "home-1"))) == []
        assert local.pids == ()


def test_giving_up_half_way_ends_the_workers_that_hold_matches(tmp_path: Path) -> None:
    with executor(tmp_path, 2) as local:
        outcomes = local.play([job(n, "plays", tmp_path) for n in range(1, 9)], never)
        next(outcomes)
        outcomes.close()  # type: ignore[attr-defined]
        assert local.pids == ()
        assert len(list(local.play([job(9, "plays", tmp_path)], never))) == 1
