"""What a jail tells of a program's end, from counters and files as the kernel would have them."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from typing import Any, cast

import pytest

from sandbox import Limits, SandboxError, own_users
from sandbox.cgroup import Cgroup
from sandbox.cgroup_places import Place
from sandbox.jail import Jail, disk_breach, group_breach
from sandbox.jail_root import prepared_etc, runtime_folders
from sandbox.memory_file import memory_file
from sandbox.own_users import OwnUsers, hand_over, map_user
from sandbox.tiers import TIERS, tier_of

LIMITS = Limits(memory_mb=48, processes=7, disk_mb=3, files=20)


class _Counted:
    def __init__(self, kills: int = 0, refused: int = 0, peak_kib: int = 0) -> None:
        self.memory_kills = lambda: kills
        self.processes_refused = lambda: refused
        self.memory_peak_kib = lambda: peak_kib


def counted(**counters: int) -> Cgroup:
    return cast(Cgroup, _Counted(**counters))


# ── breaches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bare_program_breaks_no_limit() -> None:
    jail = Jail()
    assert (jail.breach(-9), jail.status(-9), jail.status(3), jail.first_pid(17)) == (None, -9, 3, 17)


def test_counters_at_nothing_prove_nothing() -> None:
    assert group_breach(counted(peak_kib=60_000), LIMITS) is None
    assert group_breach(None, LIMITS) is None


def test_memory_is_told_with_limit_kills_and_peak() -> None:
    breach = group_breach(counted(kills=2, peak_kib=51_712), LIMITS)
    assert breach is not None
    assert breach.kind == "memory"
    for word in ("48", "2 killed", "50.5 MiB"):
        assert word in breach.evidence


def test_processes_are_told_with_limit_and_refusals() -> None:
    breach = group_breach(counted(refused=5), LIMITS)
    assert breach is not None
    assert breach.kind == "processes"
    assert "7" in breach.evidence
    assert "5" in breach.evidence


def test_memory_goes_before_processes() -> None:
    breach = group_breach(counted(kills=1, refused=1), LIMITS)
    assert breach is not None
    assert breach.kind == "memory"


def test_counters_that_can_not_be_read_are_the_machines_failure(tmp_path: Path) -> None:
    group = Cgroup((Place(1, str(tmp_path), ("memory",)),), "gone/1")
    with pytest.raises(SandboxError, match="counters can't be read"):
        group_breach(group, LIMITS)


def test_a_scratch_folder_that_can_not_be_looked_at_is_the_machines_failure(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"gone can't be looked at"):
        disk_breach(0, tmp_path / "gone", LIMITS)


@pytest.mark.parametrize("status", [None, 0, 1, 25, -9, -11])
def test_no_other_end_is_that_of_a_file_too_large(status: int | None, tmp_path: Path) -> None:
    assert disk_breach(status, None, LIMITS) is None
    assert disk_breach(status, tmp_path, LIMITS) is None


def test_the_signal_for_a_file_too_large_is_about_the_disk() -> None:
    breach = disk_breach(-signal.SIGXFSZ, None, LIMITS)
    assert breach is not None
    assert breach.kind == "disk"
    assert "3" in breach.evidence


# ── tiers ────────────────────────────────────────────────────────────────────────────────────────────────────────────

CALLS = ["seccomp", "no-new-privileges", "rlimits"]
APART = ["pid-namespace", "network-namespace", "ipc-namespace", "uts-namespace", "read-only-root", "scratch-size"]
GROUP = ["group-memory", "group-processes", "group-cpu"]


def test_each_tier_promises_all_that_those_behind_it_do() -> None:
    assert TIERS == ("full", "isolated", "confined", "bare")
    assert tier_of(CALLS + APART + GROUP) == "full"
    assert tier_of(CALLS + APART) == "isolated"
    assert tier_of([*CALLS, "landlock-files", "landlock-scopes"]) == "confined"
    assert tier_of([*CALLS, "landlock-files", "own-uid"]) == "confined"
    assert tier_of([]) == "bare"


def test_programs_that_can_signal_each_other_are_not_confined() -> None:
    assert tier_of([*CALLS, "landlock-files", "landlock-network"]) == "bare"


@pytest.mark.parametrize("lacking", CALLS + APART)
def test_one_layer_less_is_another_tier(lacking: str) -> None:
    assert tier_of([layer for layer in CALLS + APART + GROUP if layer != lacking]) == "bare"


@pytest.mark.parametrize("lacking", GROUP)
def test_without_one_of_the_limits_of_a_group_it_is_isolated(lacking: str) -> None:
    assert tier_of([layer for layer in CALLS + APART + GROUP if layer != lacking]) == "isolated"


# ── users ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(autouse=True)
def nothing_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_users, "_taken", set())


def test_two_backends_of_one_process_hand_out_different_users() -> None:
    assert OwnUsers().take() != OwnUsers().take()


def test_a_folder_that_can_not_be_handed_over_is_the_machines_failure(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gone can't be given to user 17"):
        hand_over(tmp_path / "gone", 17)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_folder_is_handed_over_with_all_in_it_but_not_what_its_links_lead_to(tmp_path: Path) -> None:
    (tmp_path / "tree" / "below").mkdir(parents=True)
    (tmp_path / "other").touch()
    (tmp_path / "tree" / "below" / "link").symlink_to(tmp_path / "other")
    hand_over(tmp_path / "tree", 65533)
    tree = [tmp_path / "tree", *(tmp_path / "tree").rglob("*")]
    assert [(place.lstat().st_uid, place.lstat().st_gid) for place in tree] == [(65533, 65533)] * 3
    assert (tmp_path / "other").stat().st_uid == 0


def test_a_file_in_memory_is_written_whole_however_little_the_kernel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    really_write = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda file, data: really_write(file, bytes(data[:3])))
        file = memory_file(b"0123456789")
    try:
        assert os.read(file, 100) == b"0123456789"
    finally:
        os.close(file)


def test_a_file_in_memory_that_can_not_be_written_is_not_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOMEM, "no memory")

    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(OSError, match="no memory"):
            memory_file(b"x")
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_programs_at_the_same_time_have_users_of_their_own_and_leave_them_to_later_ones() -> None:
    users = OwnUsers()
    taken = [users.take() for _ in range(32)]
    assert len(set(taken)) == 32
    with pytest.raises(SandboxError, match="32"):
        users.take()
    users.give_back(taken[5])
    assert users.take() == taken[5]


@pytest.mark.parametrize(("pid", "other"), [(1, 2), (4_194_303, 4_194_302), (31, 32)])
def test_users_of_two_processes_are_never_the_same_and_fit_in_31_bits(
    monkeypatch: pytest.MonkeyPatch, pid: int, other: int
) -> None:
    taken: dict[int, set[int]] = {}
    for process in (pid, other):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        users = OwnUsers()
        taken[process] = {users.take() for _ in range(32)}
    assert not taken[pid] & taken[other]
    assert max(taken[pid] | taken[other]) < 1 << 31
    assert min(taken[pid] | taken[other]) > 1 << 16


def test_a_user_namespace_that_is_gone_gets_no_users() -> None:
    with pytest.raises(OSError):
        map_user(1 << 22, 2_000_000_000)  # ids end below


# ── what a jail sees of the machine ──────────────────────────────────────────────────────────────────────────────────


def test_an_etc_is_made_once_and_holds_two_users(tmp_path: Path) -> None:
    etc = prepared_etc(tmp_path)
    stamp = etc.stat().st_ino
    assert prepared_etc(tmp_path) == etc
    assert etc.stat().st_ino == stamp
    assert [line.split(":")[0] for line in (etc / "passwd").read_text().splitlines()] == ["root", "bot"]
    assert not any((etc / name).exists() for name in ("shadow", "ssh", "ssl/private", "machine-id"))


def test_an_etc_links_to_nothing_that_only_its_maker_may_read(tmp_path: Path) -> None:
    etc = prepared_etc(tmp_path)
    unreadable = [path for path in etc.rglob("*") if path.is_file() and not path.stat().st_mode & 0o004]
    assert unreadable == []


def test_where_no_etc_can_be_made_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="can't be written"):
        prepared_etc(tmp_path / "missing")


def test_the_runtimes_are_folders_of_the_system(tmp_path: Path) -> None:
    found: dict[str, Any] = dict(runtime_folders())
    assert found["/usr"] is None
    assert not {"/", "/home", "/root", "/etc", "/var", "/tmp"} & set(found)
