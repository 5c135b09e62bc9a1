from __future__ import annotations

import os
import select
import subprocess
import threading
from pathlib import Path

import pytest

from harness.bots import build, building, load_bot, version_of
from harness.bots.archive import unpack
from harness.bots.build_disk import disk_trouble
from harness.errors import BotError, Interrupted
from sandbox import Breach, Limits, backend
from sandbox.jail import Jail
from sandbox.scratch import remove_tree

MAKER = 'name = "nova"\ncommand = "./made"\nbuild = '


def built(folder: Path, tmp_path: Path, **limits: float | Limits):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    try:
        return build(load_bot(folder), within=backend("bare"), scratch=scratch, **limits)
    finally:
        assert list(scratch.iterdir()) == []


def test_a_build_runs_in_a_copy_and_what_it_made_is_kept(bot_folder, tmp_path: Path) -> None:
    script = 'test -f bot.py && echo "#!/bin/sh" > made && chmod 755 made && mkdir out && echo x > out/x && rm bot.py'
    folder = bot_folder(MAKER + f'["sh", "-c", {script!r}]\n')
    before = load_bot(folder)
    made = built(folder, tmp_path)
    files = unpack(made.archive, "x")
    assert {file.path: (file.executable, file.data) for file in files if file.path != "bot.toml"} == {
        "made": (True, b"#!/bin/sh\n"),
        "out/x": (False, b"x\n"),
    }
    assert made.hash == version_of(files)
    assert load_bot(folder) == before


def test_what_the_manifest_excludes_is_not_there_and_may_be_made(bot_folder, tmp_path: Path) -> None:
    script = "test ! -e made && touch made && chmod 755 made"
    folder = bot_folder(MAKER + f'["sh", "-c", {script!r}]\nexclude = ["made"]\n', {"made": "an old one"})
    assert "made" in {file.path for file in unpack(built(folder, tmp_path).archive, "x")}


def test_home_and_tmpdir_of_a_build_are_outside_of_the_folder(bot_folder, tmp_path: Path) -> None:
    script = 'test "$HOME" = "$TMPDIR" && touch "$HOME/x" made && test ! -e x && ! cat'
    folder = bot_folder(MAKER + f"[\"sh\", \"-c\", '''{script}''']\n")
    with pytest.raises(BotError, match="ended with status 1, without a word"):  # `! cat`: stdin is at its end
        built(folder, tmp_path)


FAILING = [
    ("echo one; echo two >&2; exit 3", ["ended with status 3", "two"]),
    ("echo one; exit 3", ["ended with status 3: one"]),
    ("exit 1", ["ended with status 1, without a word"]),
    ("kill -9 $$", ["was ended by signal 9"]),
    ("printf 'a\\n\\n\\033[31mred\\r\\n' >&2; exit 1", ["a | ⟨U+001B⟩[31mred"]),
    ("seq 1 100000 >&2; exit 1", ["99997 | 99998 | 99999 | 100000"]),
    ("seq 1 100000; exit 1", ["99997 | 99998 | 99999 | 100000"]),
    ("true", ["ended well and made no made; let it write what `command` runs"]),
    ("ln -s /etc/passwd made", ["made: a symbolic link"]),
    ("mkfifo made", ["made: a fifo"]),
]


@pytest.mark.parametrize(("script", "told"), FAILING, ids=[script for script, _ in FAILING])
def test_a_failing_build_is_told_with_its_last_lines(bot_folder, tmp_path: Path, script: str, told: list[str]) -> None:
    folder = bot_folder(MAKER + '["sh", "go.sh"]\n', {"go.sh": script + "\n"})
    with pytest.raises(BotError) as refused:
        built(folder, tmp_path)
    sentence = refused.value.sentence
    assert sentence.startswith("nova: build: ")
    assert sentence.isprintable()
    assert sentence[-1] != "."
    for part in told:
        assert part in sentence


def test_a_build_whose_compiler_is_missing_says_so(bot_folder, tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"build: no-such-compiler can't be run .*; is it installed here"):
        built(bot_folder(MAKER + '"no-such-compiler x"\n'), tmp_path)


def test_a_build_that_runs_for_ever_is_stopped(bot_folder, tmp_path: Path) -> None:
    folder = bot_folder(MAKER + '["sh", "-c", "echo busy; while :; do :; done"]\n')
    with pytest.raises(BotError, match=r"used more than 0\.2 s of CPU: busy"):
        built(folder, tmp_path, cpu_s=0.2)


def test_a_build_that_waits_for_ever_is_stopped(bot_folder, tmp_path: Path) -> None:
    folder = bot_folder(MAKER + '["sleep", "1000"]\n')
    with pytest.raises(BotError, match=r"took longer than 0\.2 s, without a word"):
        built(folder, tmp_path, wall_s=0.2)


WRITING_FOR_EVER = [
    ("head -c 2000000 /dev/zero > big", r"wrote more than 1 MiB"),
    ("head -c 2000000 /dev/zero > $HOME/big", r"wrote more than 1 MiB"),
    ("for i in 1 2 3 4; do head -c 500000 /dev/zero > $i; done", r"wrote more than 1 MiB"),
    ("touch $(seq 100)", r"left more than 50 files and folders"),
    ("mkdir $(seq 100)", r"left more than 50 files and folders"),
    ("mkdir -p $HOME/a/b && touch $(seq -f $HOME/a/b/%g 100)", r"left more than 50 files and folders"),
]


@pytest.mark.parametrize(("script", "told"), WRITING_FOR_EVER, ids=[script for script, _ in WRITING_FOR_EVER])
def test_a_build_that_writes_too_much_is_stopped(bot_folder, tmp_path: Path, script: str, told: str) -> None:
    folder = bot_folder(MAKER + '["sh", "go.sh"]\n', {"go.sh": f"{script}; exec sleep 1000\n"})
    with pytest.raises(BotError, match=told):
        built(folder, tmp_path, limits=Limits(memory_mb=64, processes=16, disk_mb=1, files=50))


def test_many_names_of_one_file_count_once_for_its_size(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "one").write_bytes(os.urandom(600_000))
    for number in range(20):
        (room / str(number)).hardlink_to(room / "one")
    assert disk_trouble(room, Limits(memory_mb=64, processes=16, disk_mb=1, files=50)) is None


def test_what_a_build_links_to_does_not_count(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "big").write_bytes(os.urandom(2_000_000))
    (room / "link").symlink_to(tmp_path / "elsewhere")
    (room / "file").symlink_to(tmp_path / "elsewhere" / "big")
    assert disk_trouble(room, Limits(memory_mb=64, processes=16, disk_mb=1, files=50)) is None


def test_folders_too_deep_to_be_looked_into_are_trouble(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    script = f"n={'d' * 200}; for i in $(seq 30); do mkdir $n && cd -P $n || exit 1; done"
    subprocess.run(["sh", "-c", script], cwd=room, check=True)
    try:
        told = disk_trouble(room, Limits(memory_mb=64, processes=16, disk_mb=1, files=50))
        assert told is not None
        assert "can't be looked into" in told
    finally:
        remove_tree(room)


def test_a_build_that_fails_at_a_limit_is_told_which(
    bot_folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(Jail, "breach", lambda _, status: asked.append(status) or Breach("memory", "so much is known"))
    monkeypatch.setattr(Jail, "close", lambda _: asked.append("closed"))
    folder = bot_folder(MAKER + '["sh", "-c", "echo Killed; exit 1"]\n')
    with pytest.raises(
        BotError, match=r"ended with status 1, having hit a limit for builds \(so much is known\): Killed"
    ):
        built(folder, tmp_path)
    assert asked == [1, "closed"]


def test_a_build_that_leaves_a_process_behind_is_not_waited_for(bot_folder, tmp_path: Path) -> None:
    folder = bot_folder(MAKER + '["sh", "-c", "yes & touch made; chmod 755 made"]\n')
    assert "made" in {file.path for file in unpack(built(folder, tmp_path).archive, "x")}


def test_a_build_that_waits_is_not_looked_at_at_intervals(
    bot_folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifo = tmp_path / "gate"
    os.mkfifo(fifo)
    real, returned = select.poll, []

    class Counted:
        def __init__(self) -> None:
            self._poll = real()
            self.register, self.unregister = self._poll.register, self._poll.unregister

        def poll(self, timeout: float) -> list[tuple[int, int]]:
            returned.append(timeout)
            events = self._poll.poll(timeout)
            assert events, "a poll ran out with nothing to tell"
            return events

    monkeypatch.setattr("select.poll", Counted)
    monkeypatch.setattr("os.path.ismount", lambda _: True)  # else what it has written is looked at
    folder = bot_folder(MAKER + '["sh", "-c", "read line < ' + str(fifo) + '; touch made; chmod 755 made"]\n')
    opener = threading.Thread(target=lambda: fifo.write_text("go\n"))
    opener.start()
    built(folder, tmp_path)
    opener.join()
    # Nothing can be broken before all the cores together have used up what it may use.
    assert returned[0] <= building.CPU_SECONDS * 1000
    assert returned[0] == pytest.approx(building.CPU_SECONDS * 1000 / os.cpu_count(), rel=0.01)


def test_a_build_is_stopped_as_soon_as_that_is_asked_for(bot_folder, tmp_path: Path) -> None:
    fifo = tmp_path / "gate"
    os.mkfifo(fifo)
    asked, ask = os.pipe()
    folder = bot_folder(MAKER + '["sh", "-c", "echo $$ > ' + str(fifo) + '; exec sleep 1000"]\n')
    pids = []

    def stop() -> None:
        pids.append(int(fifo.read_text()))
        os.close(ask)

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Interrupted, match="stopped while nova was being built"):
        built(folder, tmp_path, stop_fd=asked)
    stopper.join()
    os.close(asked)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_the_limits_of_a_build_are_the_contracts() -> None:
    assert building.CPU_SECONDS == 300
    assert building.BUILD_LIMITS.memory_mb == 2048
