"""Control groups of this machine, for real where it lets us have them; how their files are read, from texts."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox import SandboxError, cgroups_v1, cgroups_v2
from sandbox.cgroup import Cgroup
from sandbox.cgroup_places import Place, Standing, standings
from sandbox.cgroups import Groups, find_groups, remove_leftovers, this_owner
from sandbox.group_account import GroupAccount
from sandbox.limits import Limits
from sandbox.procfs import read_stat

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")

PATIENCE_S = 60.0
LIMITS = Limits(memory_mb=64, processes=40, disk_mb=0)
MIB = 1 << 20

Run = Callable[..., "subprocess.Popen[str]"]

LAUNCH = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 99; shift; done; shift; exec "$@"'

FORKS_ON = """
import os, sys
print("on", flush=True)
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
    except OSError:
        pass
    try:
        os.waitpid(-1, os.WNOHANG)
    except OSError:
        pass
"""


@pytest.fixture(scope="module")
def found() -> Groups:
    groups = find_groups()
    if isinstance(groups, str):
        pytest.skip(groups)
    return groups


@pytest.fixture(params=["as found", "where the kernel can't kill a group as one"])
def groups(request: pytest.FixtureRequest, found: Groups) -> Groups:
    if request.param == "as found":
        return found
    places = [replace(place, duties=tuple(duty for duty in place.duties if duty != "kill")) for place in found.places]
    return replace(found, places=tuple(place for place in places if place.duties))


def needs(groups: Groups, controller: str) -> None:
    if controller not in groups.controllers:
        pytest.skip("; ".join(groups.missing))


@pytest.fixture
def group(found: Groups) -> Iterator[Cgroup]:
    group = found.create(LIMITS)
    yield group
    group.remove()


@pytest.fixture
def run() -> Iterator[Run]:
    """Run a Python program in a group."""
    started: list[subprocess.Popen[str]] = []

    def begin(group: Cgroup, code: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                ["/bin/sh", "-c", LAUNCH, "sh", *group.join, "--", sys.executable, "-I", "-S", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield begin
    for process in started:
        with process:  # what it left may hold its pipes
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    assert poll.poll(PATIENCE_S * 1000), "nothing came"
    return process.stdout.readline().strip()


def folders(group: Cgroup) -> list[Path]:
    return [Path(file).parent for file in group.join]


# Limits and what the counters say of them.


def test_memory_of_twenty_processes_counts_together(found: Groups, group: Cgroup, run: Run) -> None:
    needs(found, "memory")
    process = run(
        group,
        """
import os
for _ in range(20):
    read, write = os.pipe()
    if os.fork() == 0:
        kept = bytearray(b"x" * (8 << 20))
        os.write(write, b"x")
        while True: os.read(0, 1)
    os.close(write)
    os.read(read, 1)
print("all")
""",
    )
    process.wait(PATIENCE_S)
    assert group.memory_kills() >= 1
    assert group.memory_peak_kib() in (0, pytest.approx(64 * 1024, rel=0.05))
    group.remove()
    assert group.memory_kills() >= 1


def test_memory_within_the_limit_is_no_breach(group: Cgroup, run: Run) -> None:
    process = run(group, f"kept = bytearray({40 * MIB}); print('well')")
    assert (line(process), process.wait(PATIENCE_S)) == ("well", 0)
    assert (group.memory_kills(), group.processes_refused()) == (0, 0)


def test_what_may_lie_in_scratch_space_is_added_to_the_limit_of_memory(found: Groups, run: Run) -> None:
    needs(found, "memory")
    group = found.create(Limits(memory_mb=32, processes=8, disk_mb=64))
    try:
        assert run(group, f"kept = bytearray({70 * MIB})").wait(PATIENCE_S) == 0
        assert run(group, f"kept = bytearray({120 * MIB})").wait(PATIENCE_S) == -signal.SIGKILL
    finally:
        group.remove()


def test_one_process_too_many_is_refused_and_counted(found: Groups, group: Cgroup, run: Run) -> None:
    needs(found, "processes")
    process = run(
        group,
        """
import os
made = 0
try:
    while made < 100:
        if os.fork() == 0:
            while True: os.read(0, 1)
        made += 1
except BlockingIOError:
    print(made, flush=True)
os.read(0, 1)
""",
    )
    assert line(process) == "39"
    assert group.processes_refused() == 1
    assert len(group.members()) == 40


def test_groups_do_not_share_their_limits(found: Groups, run: Run) -> None:
    one, other = (found.create(LIMITS) for _ in range(2))
    try:
        run(one, f"kept = bytearray({120 * MIB})").wait(PATIENCE_S)
        assert run(other, f"kept = bytearray({40 * MIB})").wait(PATIENCE_S) == 0
        assert other.memory_kills() == 0
    finally:
        one.remove()
        other.remove()


# CPU time.

BURN = """
import os, resource, threading, time
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
def used():
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(sum(r.ru_utime + r.ru_stime for r in both) * 1e6)
"""


def test_cpu_time_of_forks_and_threads_is_that_of_getrusage(found: Groups, group: Cgroup, run: Run) -> None:
    needs(found, "cpu")
    process = run(
        group,
        BURN
        + """
print(used(), flush=True); input()
for _ in range(4):
    if os.fork() == 0:
        burn(0.1)
        os._exit(0)
threads = [threading.Thread(target=burn, args=(0.1,)) for _ in range(3)]
for t in threads: t.start()
for t in threads: t.join()
for _ in range(4): os.wait()
print(used(), flush=True); input()
""",
    )
    before, billed_before = int(line(process)), group.cpu_us()
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    used = int(line(process)) - before
    billed = group.cpu_us() - billed_before
    assert used > 600_000
    # What getrusage tells of children is theirs to the µs here; 3 ms for saying so.
    assert used * 0.95 <= billed <= used * 1.05 + 3_000


def test_sleep_costs_nothing(found: Groups, group: Cgroup, run: Run) -> None:
    needs(found, "cpu")
    process = run(group, BURN + "print(used(), flush=True); time.sleep(0.2); print('x', flush=True); input()")
    line(process)
    before = group.cpu_us()
    line(process)
    assert group.cpu_us() - before < 20_000


def test_cpu_time_stays_known_when_the_group_is_removed(found: Groups, group: Cgroup, run: Run) -> None:
    needs(found, "cpu")
    run(group, BURN + "burn(0.05)").wait(PATIENCE_S)
    account = GroupAccount(group)
    before = account.sample()
    group.remove()
    assert group.cpu_us() == account.sample() >= before >= 50_000


def test_an_account_owns_the_daemons_of_its_group_and_nothing_else(group: Cgroup, run: Run) -> None:
    process = run(
        group,
        """
import os
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    daemon = os.fork()
    if daemon == 0:
        while True: os.read(0, 1) or os._exit(0)
    os.write(write, str(daemon).encode())
    os._exit(0)
os.wait()
print(os.read(read, 64).decode(), flush=True)
os.read(0, 1)
""",
    )
    daemon = int(line(process))
    account = GroupAccount(group)
    assert {stat.pid for stat in account.descendants()} == {process.pid, daemon}
    stats = [read_stat(pid) for pid in (daemon, os.getpid())]
    assert [stat is not None and account.owns(stat) for stat in stats] == [True, False]


# The end.


def test_a_tree_that_forks_on_is_killed_and_the_group_removed(groups: Groups, run: Run) -> None:
    group = groups.create(LIMITS)
    process = run(group, FORKS_ON)
    line(process)
    group.kill()
    group.remove()
    assert process.wait(PATIENCE_S) == -signal.SIGKILL
    assert not group.populated()
    assert not any(folder.exists() for folder in folders(group))


def test_what_kill_itself_refuses_does_not_count(groups: Groups, run: Run) -> None:
    group = groups.create(replace(LIMITS, processes=1000))
    process = run(
        group,
        "import os\nfor _ in range(20):\n if os.fork() == 0: break\nprint('on', flush=True)\n"
        "while True:\n try:\n  if os.fork() == 0: os._exit(0)\n  os.wait()\n except OSError: pass",
    )
    line(process)
    before = group.processes_refused()
    group.kill()
    group.remove()
    assert (before, group.processes_refused()) == (0, 0)


def test_removal_kills_what_is_left_and_can_be_repeated(groups: Groups, run: Run) -> None:
    group = groups.create(LIMITS)
    process = run(group, "print('on', flush=True); input()")
    line(process)
    group.remove()
    group.remove()
    assert process.wait(PATIENCE_S) == -signal.SIGKILL


def test_groups_that_a_program_made_below_its_own_go_with_it(groups: Groups, run: Run) -> None:
    group = groups.create(LIMITS)
    inner = [folder / "inner" for folder in folders(group)]
    for folder in inner:
        folder.mkdir()
    process = run(group, "print('on', flush=True); input()")
    line(process)
    (inner[0] / "cgroup.procs").write_text(str(process.pid))
    assert group.populated()
    group.remove()
    assert process.wait(PATIENCE_S) == -signal.SIGKILL
    assert not any(folder.exists() for folder in folders(group))


def test_an_owners_group_goes_with_its_last_program(found: Groups) -> None:
    one, other = (found.create(LIMITS) for _ in range(2))
    owners = [folder.parent for folder in folders(one)]
    one.remove()
    assert all(owner.is_dir() for owner in owners)
    other.remove()
    assert not any(owner.exists() for owner in owners)


def test_a_group_leaves_no_descriptor(found: Groups) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    found.create(LIMITS).remove()
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_group_that_can_not_be_removed_leaves_no_descriptor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "owner" / "1").mkdir(parents=True)
    (tmp_path / "owner" / "1" / "cpu.stat").write_text("usage_usec 17\n")
    (tmp_path / "owner" / "1" / "cgroup.events").write_text("populated 1\nfrozen 0\n")
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    lock = os.open(tmp_path, os.O_RDONLY)
    group = Cgroup((Place(2, str(tmp_path), ("cpu",)),), "owner/1", lock=lock)
    monkeypatch.setattr("sandbox.cgroup.rounds", lambda _: range(2))
    monkeypatch.setattr("sandbox.cgroup._await_empty", lambda *_: None)
    with pytest.raises(SandboxError, match="owner/1 has processes that can't be killed"):
        group.remove()
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


MAKE = """
import json, sys
from sandbox.cgroups import Groups, this_owner
from sandbox.limits import Limits
groups = Groups.from_settings(json.loads(sys.argv[1]))
"""


def other_process(code: str, *arguments: str) -> subprocess.Popen[str]:
    import sandbox

    root = str(Path(sandbox.__file__).parent.parent)
    return subprocess.Popen(
        [sys.executable, "-c", MAKE + code, *arguments],
        env={**os.environ, "PYTHONPATH": root},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_that_make_groups_for_one_owner_do_not_disturb_each_other(found: Groups) -> None:
    code = "for _ in range(200): groups.create(Limits(64, 8, 0), owner=sys.argv[2]).remove()\nprint('well')"
    both = [other_process(code, json.dumps(found.to_settings()), this_owner()) for _ in range(2)]
    assert [process.communicate(timeout=PATIENCE_S)[0].strip() for process in both] == ["well", "well"]


def test_what_a_dead_owner_left_is_killed_and_removed_and_what_the_living_have_is_not(
    found: Groups, group: Cgroup, run: Run, alive: Callable[[int], bool]
) -> None:
    owner = other_process(
        "print(json.dumps(groups.create(Limits(64, 8, 0)).join), flush=True); input()", json.dumps(found.to_settings())
    )
    join = json.loads(line(owner))
    process = run(group, "import os; print(os.getpid(), flush=True); input()")
    line(process)
    for file in join:
        Path(file).write_text(str(process.pid))
    assert remove_leftovers(found) == 0
    owner.kill()
    owner.communicate()
    assert remove_leftovers(found) == 1
    assert process.wait(PATIENCE_S) == -signal.SIGKILL
    assert not any(Path(file).parent.parent.exists() for file in join)
    assert all(folder.exists() for folder in folders(group))


def test_what_a_process_still_holds_for_an_owner_that_seems_dead_is_left_alone(found: Groups) -> None:
    group = found.create(LIMITS, owner=f"tacora-{os.getpid()}-1")
    try:
        assert remove_leftovers(found) == 0
        assert all(folder.exists() for folder in folders(group))
    finally:
        group.remove()


# Finding them.


def test_groups_travel_as_strings(found: Groups) -> None:
    settings = json.loads(json.dumps({**found.to_settings(), "another": "one's"}))
    assert all(isinstance(value, str) for value in settings.values())
    assert Groups.from_settings(settings) == found


def test_finding_them_leaves_nothing(found: Groups) -> None:
    find_groups()
    assert not [
        entry for place in found.places for entry in Path(place.folder).iterdir() if entry.name.startswith(this_owner())
    ]


def test_an_ordinary_user_learns_what_to_do(found: Groups) -> None:
    if os.geteuid() != 0:
        pytest.skip("to become an ordinary user takes root")
    os.seteuid(65533)
    try:
        said = find_groups()
    finally:
        os.seteuid(0)
    assert isinstance(said, str)
    assert "by this user: run as root, or in a unit of its own with Delegate=yes" in said


def test_a_machine_without_them_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.cgroups.read_standings", tuple)
    assert find_groups() == "there are no control groups here: mount them at /sys/fs/cgroup"


def test_what_was_promised_and_cant_be_made_is_the_machines_failure(tmp_path: Path) -> None:
    groups = Groups((Place(1, str(tmp_path), ("processes",)),), ())
    with pytest.raises(SandboxError, match=r"^the control group tacora-.* can't be made: .*pids.max"):
        groups.create(LIMITS)
    assert list(tmp_path.iterdir()) == []


HYBRID = """\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
"""

STANDINGS = {
    "hybrid": (
        "4:memory:/a/b\n3:cpu,cpuacct:/\n1:name=systemd:/s\n0::/s\n",
        HYBRID,
        {"/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/systemd/s"}
        | {"/sys/fs/cgroup/unified/s"},
    ),
    "pure v2": (
        "0::/user.slice/user-1000.slice/session-1.scope\n",
        "25 1 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
        {"/sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope"},
    ),
    "a container that sees its own part only, by the names outside": (
        "4:memory:/docker/f00/x\n2:pids:/docker/f00\n",
        "9 8 0:3 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "9 8 0:4 /docker/bad /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids\n",
        {"/sys/fs/cgroup/memory/x"},
    ),
    "a name that only begins like the part that is mounted": (
        "2:pids:/docker/f00d\n",
        "9 8 0:4 /docker/f00 /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
        set[str](),
    ),
    "a cgroup namespace that this process' group is outside of": (
        "0::/../other\n",
        "25 1 0:22 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        set[str](),
    ),
    "a mount point with a space": ("0::/x\n", "25 1 0:22 / /my\\040groups rw - cgroup2 cgroup2 rw\n", {"/my groups/x"}),
    "mounted twice": (
        "0::/\n",
        "25 1 0:22 / /one rw - cgroup2 cgroup2 rw\n26 1 0:22 / /two rw - cgroup2 cgroup2 rw\n",
        {"/one"},
    ),
    "no mount": ("0::/\n", "", set[str]()),
}


@pytest.mark.parametrize(("groups_text", "mounts", "expected"), STANDINGS.values(), ids=STANDINGS)
def test_a_process_finds_its_own_groups(groups_text: str, mounts: str, expected: set[str]) -> None:
    assert {standing.folder for standing in standings(groups_text, mounts)} == expected


def test_a_standing_says_version_and_controllers() -> None:
    told = {each.folder: each for each in standings("4:memory:/\n3:cpu,cpuacct:/\n0::/\n", HYBRID)}
    assert told["/sys/fs/cgroup/cpu,cpuacct"] == Standing(
        1, "/sys/fs/cgroup/cpu,cpuacct", frozenset({"cpu", "cpuacct"})
    )
    assert told["/sys/fs/cgroup/unified"] == Standing(2, "/sys/fs/cgroup/unified", frozenset())


def tree(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).write_text(text)
    return str(folder)


def test_version_2_offers_what_its_controllers_can_do(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"cgroup.controllers": "cpu memory io\n", "cgroup.subtree_control": ""})
    place = cgroups_v2.settle_at(Standing(2, folder, frozenset()), "trial")
    assert place == Place(2, folder, ("memory", "cpu"))
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory"
    assert not (tmp_path / "trial").exists()


@pytest.fixture
def inhabited(tmp_path: Path) -> str:
    """A group of version 2 with a process in it, owned by root."""
    files = {"cgroup.controllers": "memory pids\n", "cgroup.subtree_control": "", "cgroup.type": "domain\n"}
    return tree(tmp_path, files | {"cgroup.procs": f"{os.getpid()}\n"})


def owned_by(monkeypatch: pytest.MonkeyPatch, uid: int) -> None:
    monkeypatch.setattr(cgroups_v2, "_owner", lambda _: uid)


def refuses(*_: object) -> bytes:
    raise OSError(errno.ENODATA, "no such attribute")


def test_version_2_moves_nobody_out_of_a_group_that_was_not_delegated(
    inhabited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owned_by(monkeypatch, 0)
    monkeypatch.setattr("sandbox.cgroups_v2.os.getxattr", refuses)
    with pytest.raises(SandboxError, match=r"has not delegated it: .*Delegate=yes"):
        cgroups_v2.settle_at(Standing(2, inhabited, frozenset()), "trial")
    assert sorted(os.listdir(inhabited)) == [  # noqa: PTH208
        *("cgroup.controllers", "cgroup.procs", "cgroup.subtree_control", "cgroup.type")
    ]
    assert Path(inhabited, "cgroup.subtree_control").read_text() == ""


@pytest.mark.parametrize("how", ["user.delegate", "trusted.delegate", "the root of a container", "a user's own"])
def test_version_2_moves_who_is_in_a_group_that_was_delegated(
    inhabited: str, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    owned_by(monkeypatch, 1000 if how == "a user's own" else 0)
    monkeypatch.setattr("sandbox.cgroups_v2.os.path.ismount", lambda _: how == "the root of a container")
    monkeypatch.setattr("sandbox.cgroups_v2.os.getxattr", lambda _, name: b"1" if name == how else refuses())
    moved: list[str] = []
    monkeypatch.setattr(cgroups_v2, "_clear", moved.append)
    cgroups_v2.settle_at(Standing(2, inhabited, frozenset()), "trial")
    assert moved == [inhabited]


def test_version_2_makes_groups_beside_the_leaf_that_it_was_moved_to(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"cgroup.controllers": "memory pids\n", "cgroup.subtree_control": "memory pids\n"})
    (tmp_path / "tacora-host").mkdir()
    place = cgroups_v2.settle_at(Standing(2, f"{folder}/tacora-host", frozenset()), "trial")
    assert place == Place(2, folder, ("memory", "processes", "cpu"))


@pytest.mark.parametrize(
    ("events", "kills"),
    [
        ("low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n", 3),
        ("low 0\nhigh 0\nmax 0\noom 0\noom_kill 3\n", 0),
        ("low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n", 0),
    ],
    ids=["at its own limit", "of the machine's shortage", "it only came near"],
)
def test_version_2_counts_kills_at_the_groups_own_limit(tmp_path: Path, events: str, kills: int) -> None:
    assert cgroups_v2.memory_kills(tree(tmp_path, {"memory.events": events}), 64 * MIB) == kills


@pytest.mark.parametrize(("peak", "kills"), [(64 * MIB, 2), (30 * MIB, 0)], ids=["at its own", "of the machine's"])
def test_version_1_counts_kills_at_the_groups_own_limit(tmp_path: Path, peak: int, kills: int) -> None:
    files = {
        "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
        "memory.max_usage_in_bytes": f"{peak}\n",
    }
    assert cgroups_v1.memory_kills(tree(tmp_path, files), 64 * MIB) == kills


def test_version_1_refuses_a_limit_that_was_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tree(tmp_path, {"memory.limit_in_bytes": "9223372036854771712\n"})
    monkeypatch.setattr(cgroups_v1, "write", lambda path, value: None)
    with pytest.raises(SandboxError, match="does not take the limit 1000"):
        cgroups_v1.limit(folder, ("memory",), 1000, 8)


def test_cpu_time_is_read_in_the_units_of_each_version() -> None:
    assert cgroups_v1.cpu_us(b"1234567890\n") == 1_234_567
    assert cgroups_v2.cpu_us(b"usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n") == 1_234_567
