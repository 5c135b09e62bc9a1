"""Scratch space that is a mount of a worker's own: of a size, for a number of files, seen by nobody else."""

from __future__ import annotations

import errno
import json
import os
import select
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import Limits, scratch_folder
from sandbox.mounts import mounts_are_private, take_private_mounts
from tests.sandbox.jailed import USERS, Ground, Worker, hired, needs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mount namespaces are Linux's")

SMALL = Limits(memory_mb=64, processes=8, disk_mb=2, files=10)


@pytest.fixture(scope="module")
def root() -> Iterator[Worker]:
    yield from hired("root")


@pytest.fixture(scope="module")
def ordinary() -> Iterator[Worker]:
    yield from hired("an ordinary user")


@pytest.fixture(params=USERS)
def worker(request: pytest.FixtureRequest) -> Worker:
    found: Worker = request.getfixturevalue("root" if request.param == "root" else "ordinary")
    needs(found, "scratch-files")
    return found


def _bytes_until_refused(ground: Ground) -> list[Any]:
    with scratch_folder(ground.place, SMALL) as scratch, (scratch / "large").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            return [file.tell(), errno.errorcode[error.errno or 0]]


def test_no_more_bytes_fit_in_than_it_may_hold(worker: Worker) -> None:
    held, why = worker.call(_bytes_until_refused)
    assert why == "ENOSPC"
    assert (1 << 20) < held <= (2 << 20)


def _files_until_refused(ground: Ground) -> list[Any]:
    with scratch_folder(ground.place, SMALL) as scratch:
        made = 0
        try:
            for made in range(100):
                (scratch / f"{made}").touch()
        except OSError as error:
            return [made, errno.errorcode[error.errno or 0]]
    return [made, ""]


def test_no_more_files_fit_in_than_it_may_hold(worker: Worker) -> None:
    assert worker.call(_files_until_refused) == [10, "ENOSPC"]


def _folders_until_refused(ground: Ground) -> int:
    with scratch_folder(ground.place, SMALL) as scratch:
        inner = scratch
        for depth in range(100):
            inner /= "deeper"
            try:
                inner.mkdir()
            except OSError:
                return depth
    return -1


def test_folders_count_as_files(worker: Worker) -> None:
    assert worker.call(_folders_until_refused) == 10


def _modes(ground: Ground) -> dict[str, Any]:
    with scratch_folder(ground.place, SMALL) as scratch:
        line = next(line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(scratch) in line)
        return {"mode": scratch.stat().st_mode & 0o777, "options": line.split()[5].split(",")}


def test_it_is_private_and_no_device_or_set_user_id_program_works_in_it(worker: Worker) -> None:
    said = worker.call(_modes)
    assert said["mode"] == 0o700
    assert {"nosuid", "nodev"} <= set(said["options"])


def _leaves_in_it(ground: Ground) -> list[Any]:
    before = Path("/proc/self/mountinfo").read_text()
    with scratch_folder(ground.place, SMALL) as scratch:
        held = (scratch / "held").open("w")
        (scratch / "closed").mkdir(mode=0)
    with held:
        held.write("still in use")
    return [before == Path("/proc/self/mountinfo").read_text(), [path.name for path in ground.place.glob("s-*")]]


def test_it_is_gone_with_all_that_is_in_it_though_something_is_in_use(worker: Worker) -> None:
    assert worker.call(_leaves_in_it) == [True, []]


def _shows_and_waits(ground: Ground) -> None:
    with scratch_folder(ground.place, SMALL) as scratch:
        (scratch / "secret").write_text("of the worker's")
        print(json.dumps({"done": [str(ground.place), str(scratch)]}), flush=True)
        select.select([], [], [])


@pytest.mark.parametrize("user", USERS)
def test_nobody_else_sees_it_and_it_ends_with_its_worker_however_that_ends(user: str) -> None:
    hiring = hired(user)
    worker = next(hiring)
    needs(worker, "scratch-files")
    worker.ask(_shows_and_waits)
    place, scratch = map(Path, worker.answer())
    before = list(scratch.iterdir()), str(scratch) in Path("/proc/self/mountinfo").read_text()
    seen_within = Path(f"/proc/{worker.pid}/mountinfo").read_text()
    worker.kill()
    after = list(scratch.iterdir())
    for folder in (scratch, place / "program", place):
        folder.rmdir()
    assert str(scratch) in seen_within
    assert before == ([], False)
    assert after == []


def _twice(ground: Ground) -> list[Any]:
    namespace = os.readlink("/proc/self/ns/mnt")  # noqa: PTH115
    return [take_private_mounts(), mounts_are_private(), namespace == os.readlink("/proc/self/ns/mnt")]  # noqa: PTH115


def test_to_take_them_twice_changes_nothing(worker: Worker) -> None:
    assert worker.call(_twice) == [None, True, True]


def test_a_process_that_took_none_has_plain_folders(tmp_path: Path) -> None:
    assert not mounts_are_private()
    with scratch_folder(tmp_path, SMALL) as scratch:
        assert str(scratch) not in Path("/proc/self/mountinfo").read_text()
        for number in range(20):
            (scratch / f"{number}").touch()


def _forks(ground: Ground) -> bool:
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, b"private" if mounts_are_private() else b"shared")
        os._exit(0)
    os.waitpid(child, 0)
    os.close(theirs)
    with os.fdopen(ours) as said:
        return said.read() == "shared"


def test_what_is_forked_from_a_worker_makes_none_of_its_own(worker: Worker) -> None:
    assert worker.call(_forks) is True


def test_a_mount_of_the_machine_still_shows_in_a_worker(root: Worker) -> None:
    # Whoever plugs in a disk while a season runs finds it there.
    needs(root, "scratch-files")
    lines = Path(f"/proc/{root.pid}/mountinfo").read_text().splitlines()
    own = Path("/proc/self/mountinfo").read_text().splitlines()
    if not any("shared:" in line for line in own):
        assert not any("shared:" in line for line in lines)
        return
    assert any("master:" in line for line in lines)
    assert not any("shared:" in line for line in lines)


def test_a_system_without_mount_namespaces_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert take_private_mounts() == "this system has no mount namespaces"
    with tempfile.TemporaryDirectory() as place, scratch_folder(Path(place), SMALL) as scratch:
        assert scratch.is_dir()
