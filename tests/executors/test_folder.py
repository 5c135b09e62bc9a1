"""The private folder of a run: private, removed at the end, and those of dead runs with it."""

import errno
import importlib
import os
import select
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from harness.executors import run_folder
from sandbox import BARE, Probe, SandboxError

folder_module = importlib.import_module("harness.executors.folder")


def test_it_is_private_and_gone_at_the_end_with_read_only_folders_in_it(tmp_path: Path) -> None:
    with run_folder(BARE, tmp_path) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert str(os.getpid()) in folder.name
        home = folder / "home"
        home.mkdir()
        (home / "bot.py").touch(0o400)
        home.chmod(0o500)
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_it_is_removed_and_not_followed(tmp_path: Path) -> None:
    treasure = tmp_path / "treasure"
    treasure.mkdir(0o500)
    with run_folder(BARE, tmp_path) as folder:
        (folder / "link").symlink_to(treasure)
    assert stat.S_IMODE(treasure.stat().st_mode) == 0o500


def killed_run(place: Path) -> Path:
    """A folder whose owner was killed."""
    code = (
        "import contextlib, os, sys; from pathlib import Path; from harness.executors import run_folder\n"
        "from sandbox import BARE\n"
        "sys.modules['harness.executors.folder'].janitor = lambda _: contextlib.nullcontext()  # killed with it\n"
        "with run_folder(BARE, Path(sys.argv[1])) as folder:\n"
        "    (folder / 'home').mkdir(0o500); print(folder, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(place)], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -9
    return Path(done.stdout.strip())


def test_the_janitor_removes_what_a_killed_run_left_and_ends_what_it_had_started(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys; from pathlib import Path; from harness.executors import run_folder\n"
        "from sandbox import BARE\n"
        "with run_folder(BARE, Path(sys.argv[1])) as folder:\n"
        "    (janitor,) = map(int, Path(f'/proc/self/task/{os.getpid()}/children').read_text().split())\n"
        "    home = folder / 'home'; home.mkdir(0o500)\n"
        "    stray = subprocess.Popen(['sleep', '1000'], env={'HOME': str(home), 'TMPDIR': str(home)},\n"
        "        stdout=subprocess.DEVNULL, start_new_session=True)\n"
        "    print(janitor, stray.pid, folder, flush=True); input(); os.kill(os.getpid(), 9)"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        janitor, stray, folder = run.stdout.readline().split()
        assert Path(folder).is_dir()
        with os.fdopen(os.pidfd_open(int(janitor))) as janitor_ends, os.fdopen(os.pidfd_open(int(stray))) as stray_ends:
            print(file=run.stdin, flush=True)
            assert run.wait() == -9
            assert select.select([stray_ends], [], [], 60)[0], "the program lives on"
            assert select.select([janitor_ends], [], [], 60)[0], "the janitor waits for what does not come"
    assert not Path(folder).exists()


def test_a_later_run_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    left = killed_run(tmp_path)
    assert left.is_dir()
    with run_folder(BARE, tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_a_later_run_leaves_the_folder_of_a_living_one_alone(tmp_path: Path) -> None:
    with run_folder(BARE, tmp_path) as folder, run_folder(BARE, tmp_path) as other:
        assert {folder, other} == set(tmp_path.iterdir())


def test_a_folder_that_is_locked_is_left_alone_though_its_pid_is_dead_here(tmp_path: Path) -> None:
    """As seen from another container, where the owner's pid means nothing."""
    with run_folder(BARE, tmp_path) as folder:
        stranger = folder.rename(tmp_path / "harness-run-999999999-1-x")
        with run_folder(BARE, tmp_path):
            assert stranger.is_dir()
        stranger.rename(folder)


def test_a_pid_that_was_given_out_again_does_not_keep_a_folder(tmp_path: Path) -> None:
    left = killed_run(tmp_path)
    reused = left.rename(tmp_path / f"harness-run-{os.getpid()}-1-x")
    with run_folder(BARE, tmp_path):
        assert not reused.exists()


def test_nothing_else_is_touched(tmp_path: Path) -> None:
    (tmp_path / "harness-run-notes").mkdir()
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "harness-run-999999999-1-link").symlink_to(target)
    with run_folder(BARE, tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "harness-run-999999999-1-link",
        "harness-run-notes",
        "target",
    ]


@pytest.mark.parametrize("call", ["chmod", "open"])
def test_a_folder_that_can_not_be_made_ready_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    really_open = os.open

    def refuse(path: object, *words: Any, **more: Any) -> int:
        if call == "chmod" or "owner.lock" in str(path):
            raise OSError(errno.EMFILE, "no more descriptors")
        return really_open(cast(Path, path), *words, **more)

    landlock = Probe("landlock", "confined", ("own-uid",), "cpu", ())
    monkeypatch.setattr(*{"chmod": (Path, "chmod", refuse), "open": (os, "open", refuse)}[call])
    with pytest.raises(OSError, match="no more descriptors"), run_folder(landlock, tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_strays_that_the_kernel_holds_do_not_keep_the_next_run_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = killed_run(tmp_path)

    def fail(_: Path) -> int:
        raise SandboxError("processes can't be watched")

    monkeypatch.setattr(folder_module, "end_strays", fail)
    with run_folder(BARE, tmp_path):
        assert not left.exists()


@pytest.mark.parametrize("kind", ["probe", "trial"])
def test_what_killed_trials_of_the_sandbox_left_goes_too(tmp_path: Path, kind: str) -> None:
    left = tmp_path / f"harness-{kind}-{1 << 22}-1-x"
    left.mkdir()
    with run_folder(BARE, tmp_path):
        assert not left.exists()
