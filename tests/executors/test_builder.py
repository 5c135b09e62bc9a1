"""A build in a process of its own: the same as elsewhere, and stopped at once."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from harness.bots import Bot, Built, build, building, load_bot
from harness.errors import BotError, HarnessFailure, Interrupted
from harness.executors import StopSignal, build_apart, builder_process
from sandbox import BARE, backend


def bot(folder: Path, script: str) -> Bot:
    place = folder / "bot"
    place.mkdir()
    (place / "bot.toml").write_text('name = "nova"\ncommand = "./made"\nbuild = ["sh", "make.sh"]\n')
    (place / "make.sh").write_text(script)
    return load_bot(place)


def scratch(folder: Path) -> Path:
    place = folder / "scratch"
    place.mkdir()
    return place


def built_here(given: Bot, place: Path) -> Built:
    return build(given, within=backend("bare"), scratch=place)


def test_what_is_built_is_what_a_build_here_makes_and_nothing_else_is_left(tmp_path: Path) -> None:
    given, place = bot(tmp_path, "echo noise; echo x > made; chmod 755 made"), scratch(tmp_path)
    assert build_apart(given, BARE, scratch=place) == built_here(given, place)
    assert list(place.iterdir()) == []


def test_a_single_source_file_is_built_too(tmp_path: Path) -> None:
    (tmp_path / "nova.c").write_text("int main(void) { return 0; }\n")
    given = load_bot(tmp_path / "nova.c")
    place = scratch(tmp_path)
    assert build_apart(given, BARE, scratch=place).hash == built_here(given, place).hash


def test_what_the_bot_is_to_blame_for_is_told_as_a_build_here_does(tmp_path: Path) -> None:
    given, place = bot(tmp_path, "echo no such header >&2; exit 3"), scratch(tmp_path)
    with pytest.raises(BotError) as here:
        built_here(given, place)
    with pytest.raises(BotError) as apart:
        build_apart(given, BARE, scratch=place)
    assert apart.value.sentence == here.value.sentence == "nova: build: sh make.sh ended with status 3: no such header"


def hanging(folder: Path) -> tuple[Bot, Path]:
    """A bot whose build heeds no end of file and tells its own id and its parent's."""
    fifo = folder / "told"
    os.mkfifo(fifo)
    return bot(folder, f"echo $PPID $$ > {fifo}\nexec sleep 1000\n"), fifo


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_stop_asked_for_by_another_thread_ends_it_at_once(tmp_path: Path) -> None:
    given, fifo = hanging(tmp_path)
    place = scratch(tmp_path)
    pids: list[int] = []

    def ask() -> None:
        pids.extend(map(int, fifo.read_text().split()))
        stop.request()

    with StopSignal() as stop:
        asker = threading.Thread(target=ask)
        asker.start()
        with pytest.raises(Interrupted, match="stopped while nova was being built"):
            build_apart(given, BARE, scratch=place, stop=stop)
        asker.join()
    assert all(map(gone, pids))
    assert list(place.iterdir()) == []


def test_a_stop_asked_for_before_builds_nothing(tmp_path: Path) -> None:
    given = bot(tmp_path, f"touch {tmp_path / 'begun'}; exec sleep 1000\n")
    with StopSignal() as stop:
        stop.request()
        with pytest.raises(Interrupted):
            build_apart(given, BARE, scratch=scratch(tmp_path), stop=stop)
    assert not (tmp_path / "begun").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_heeded_where_no_stop_is_given_and_its_handler_is_given_back(
    tmp_path: Path, number: signal.Signals
) -> None:
    given, fifo = hanging(tmp_path)
    before = signal.getsignal(number)

    def ask() -> None:
        fifo.read_text()
        os.kill(os.getpid(), number)

    asker = threading.Thread(target=ask)
    asker.start()
    with pytest.raises(Interrupted):
        build_apart(given, BARE, scratch=scratch(tmp_path))
    asker.join()
    assert signal.getsignal(number) == before


def test_a_builder_that_is_killed_takes_its_build_with_it_and_is_nobodys_fault(tmp_path: Path) -> None:
    given, fifo = hanging(tmp_path)
    pids: list[int] = []

    def kill() -> None:
        pids.extend(map(int, fifo.read_text().split()))
        os.kill(pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(
        HarnessFailure, match=r"^nova: build: it was lost .* \(a builder ended with signal 9\); run it again$"
    ):
        build_apart(given, BARE, scratch=scratch(tmp_path))
    killer.join()
    assert all(map(gone, pids))


def test_a_builder_is_not_given_up_before_its_build_is() -> None:
    assert builder_process._LONGEST_S > 2 * building.WALL_SECONDS
