"""Programs in jails of bubblewrap, tried for real: what they see, how their end is told, what is left of them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import sweep
from sandbox.cgroups import Groups, remove_leftovers
from sandbox.procfs import start_time
from tests.sandbox.jailed import PATIENCE_S, USERS, Ground, Unavailable, Worker, needs, probe_as, status_of, took

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is Linux's")


# ── what a program sees ──────────────────────────────────────────────────────────────────────────────────────────────

_LOOKS_AROUND = """
import json, os, sys
def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("latin-1")
    except OSError as error:
        return error.strerror
def entries(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return error.strerror
status = dict(line.split(":\\t", 1) for line in read("/proc/self/status").splitlines() if ":\\t" in line)
print(json.dumps({
    "environment": dict(os.environ), "cwd": os.getcwd(), "pid": os.getpid(), "uids": os.getresuid(),
    "gids": os.getresgid(), "groups": os.getgroups(), "host": os.uname().nodename,
    "descriptors": [fd for fd in range(1024) if os.path.exists(f"/proc/self/fd/{fd}")],
    "status": {name: value.strip() for name, value in status.items()},
    "etc": entries("/etc"), "passwd": read("/etc/passwd"),
    "first": [read("/proc/1/environ"), read("/proc/1/cmdline")],
    "hidden": {path: read(path) for path in sys.argv[1].split()},
    "empty": {path: entries(path) for path in sys.argv[2].split()},
    "root": entries("/"), "processes": [name for name in entries("/proc") if name.isdigit()],
    "interfaces": read("/proc/net/dev"),
}))
"""

TELLING_FILES = (
    "/proc/loadavg",
    "/proc/stat",
    "/proc/uptime",
    "/proc/schedstat",
    "/proc/interrupts",
    "/proc/diskstats",
    "/proc/vmstat",
)
TELLING_FOLDERS = ("/proc/pressure", "/proc/sys/fs")


@pytest.fixture
def seen(worker: Worker, views: dict[str, Any]) -> Any:
    if worker.user not in views:
        files, folders = " ".join(TELLING_FILES), " ".join(TELLING_FOLDERS)
        views[worker.user] = worker.run("python3", "-S", "-c", _LOOKS_AROUND, files, folders).said
    return views[worker.user]


@pytest.fixture(scope="module")
def views() -> dict[str, Any]:
    """What was seen by a program of each user: it can be asked once for all."""
    return {}


def test_the_environment_is_path_home_and_tmpdir(seen: dict[str, Any]) -> None:
    # A Python that finds no locale says so in LC_CTYPE itself.
    environment = {name: value for name, value in seen["environment"].items() if name != "LC_CTYPE"}
    assert environment.keys() == {"PATH", "HOME", "TMPDIR"}
    assert environment["HOME"] == environment["TMPDIR"] == "/tmp"
    assert "/usr/bin" in environment["PATH"].split(":")


def test_a_shell_adds_nothing_to_the_environment(worker: Worker) -> None:
    names = [line.partition("=")[0] for line in worker.run("env").stdout.splitlines()]
    assert sorted(names) == ["HOME", "PATH", "TMPDIR"]


def test_the_current_folder_is_the_programs(seen: dict[str, Any]) -> None:
    assert seen["cwd"] == "/bot"


def test_only_the_three_streams_are_open(seen: dict[str, Any]) -> None:
    assert seen["descriptors"] == [0, 1, 2]


def test_a_program_is_an_ordinary_user_in_there(seen: dict[str, Any]) -> None:
    assert (seen["uids"], seen["gids"]) == ([1000] * 3, [1000] * 3)
    assert set(seen["groups"]) <= {1000, 65534}
    assert "bot:x:1000:1000:" in seen["passwd"]


def test_a_program_holds_no_capabilities_and_can_get_none(seen: dict[str, Any]) -> None:
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(seen["status"][name], 16) == 0, name
    assert seen["status"]["NoNewPrivs"] == "1"


def test_a_programs_calls_are_filtered(worker: Worker, seen: dict[str, Any]) -> None:
    needs(worker, "seccomp")
    assert seen["status"]["Seccomp"] == "2"


def test_etc_holds_what_runtimes_need_and_nothing_of_the_machines(seen: dict[str, Any]) -> None:
    assert {"passwd", "group", "hosts"} <= set(seen["etc"])
    assert not {"shadow", "gshadow", "ssh", "sudoers", "machine-id", "hostname", "resolv.conf"} & set(seen["etc"])
    assert len(seen["passwd"].splitlines()) == 2


def test_the_first_process_in_a_jail_tells_nothing_of_who_started_it(seen: dict[str, Any]) -> None:
    environment, command = seen["first"]
    assert environment in ("", "Permission denied")
    assert "jailed-" not in command
    assert "tacora" not in command


def test_what_others_do_on_the_machine_is_not_told(seen: dict[str, Any]) -> None:
    assert set(seen["hidden"].values()) <= {"", "Permission denied", "No such file or directory"}
    assert all(entries in ([], "No such file or directory") for entries in seen["empty"].values())


def test_a_program_sees_no_processes_but_its_own(seen: dict[str, Any]) -> None:
    assert seen["processes"] == ["1", "2"]
    assert seen["pid"] == 2


def test_a_program_sees_no_network_but_a_loopback(seen: dict[str, Any]) -> None:
    assert [line.partition(":")[0].strip() for line in seen["interfaces"].splitlines()[2:]] == ["lo"]


def test_the_machine_has_another_name_in_there(seen: dict[str, Any]) -> None:
    assert seen["host"] == "bot"
    assert socket.gethostname() != "bot"


def test_a_program_sees_the_runtimes_and_no_homes(seen: dict[str, Any]) -> None:
    assert {"usr", "etc", "proc", "dev", "tmp", "bot"} <= set(seen["root"])
    assert not {"home", "sys", "var", "srv", "mnt", "opt", "work", "boot"} & set(seen["root"])


_WRITES = """
import errno, json, os
said = {}
for place in ("/", "/usr", "/etc", "/bot", "/dev", "/proc", "/tmp", "/dev/shm"):
    try:
        with open(f"{place}/x", "w"):
            said[place] = ""
    except OSError as error:
        said[place] = errno.errorcode[error.errno]
print(json.dumps(said | {"shared": os.path.exists("/tmp/x") and os.path.samefile("/tmp/x", "/dev/shm/x")}))
"""


def test_a_program_writes_in_its_scratch_folder_only(worker: Worker) -> None:
    said = worker.python(_WRITES).said
    assert said["/tmp"] == ""
    assert all(said[place] for place in ("/", "/usr", "/etc", "/bot", "/dev", "/proc"))


def test_shared_memory_lies_in_the_scratch_folder(worker: Worker) -> None:
    needs(worker, "scratch-files")
    assert worker.python(_WRITES).said["shared"] is True


def test_pools_of_processes_work(worker: Worker) -> None:
    code = "import multiprocessing as m\nwith m.Pool(2) as pool: print(sum(pool.map(abs, range(-9, 9))))"
    ended = worker.run("python3", "-c", code)
    assert (ended.stdout, ended.status) == ("81\n", 0), ended.stderr


def test_threads_and_queues_of_processes_work(worker: Worker) -> None:
    code = "from concurrent.futures import *\nwith ProcessPoolExecutor(2) as p, ThreadPoolExecutor(4) as t:\n"
    code += " print(list(p.map(abs, [-3])), list(t.map(abs, [-4])))"
    assert worker.run("python3", "-c", code).stdout == "[3] [4]\n"


def _identities(ground: Ground) -> list[list[list[str]]]:
    def descendants(pid: int) -> Iterator[int]:
        for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
            yield child
            yield from descendants(child)

    def ids_of(process: Any) -> list[list[str]]:
        (pid,) = [each for each in descendants(process.pid) if Path(f"/proc/{each}/comm").read_text() == "cat\n"]
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return [line.split()[1:] for line in lines if line.startswith(("Uid:", "Gid:"))]

    with ground.start("cat") as one, ground.start("cat") as other:
        for process in (one, other):
            process.write(b"on\n")
            took(process, until=b"on\n")
        return [ids_of(one), ids_of(other)]


def test_two_programs_of_root_are_two_users_that_nobody_else_is(root: Worker) -> None:
    needs(root, "own-uid")
    one, other = root.call(_identities)
    assert one != other
    for ids in (one, other):
        assert len({uid for line in ids for uid in line}) == 1
        assert int(ids[0][0]) > 65536


def test_programs_of_an_ordinary_user_are_that_user(ordinary: Worker) -> None:
    uid = Path(f"/proc/{ordinary.pid}").stat().st_uid
    for ids in ordinary.call(_identities):
        assert {word for line in ids for word in line} == {str(uid)}


def test_open_files_are_limited(worker: Worker) -> None:
    code = "import os\nn = 0\ntry:\n while True: os.dup(0); n += 1\nexcept OSError: print(n)"
    assert worker.python(code, open_files=40).stdout == "37\n"


def test_the_stderr_that_is_kept_is_limited(worker: Worker) -> None:
    code = "import sys; sys.stderr.write('a' * 1024 + 'b' * 9000 + 'c' * 3072)"
    said = worker.python(code, stderr_kb=4).stderr
    assert said.startswith("a" * 1024)
    assert said.endswith("c" * 3072)
    assert 4096 <= len(said) < 4400


# ── how the end of a program is told ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [0, 1, 2, 126, 127, 255])
def test_an_exit_status_is_told(worker: Worker, status: int) -> None:
    assert worker.run("sh", "-c", f"exit {status}").status == status


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGXFSZ, signal.SIGTERM])
def test_a_signal_is_told_as_such(worker: Worker, number: int) -> None:
    code = f"import os, signal; signal.signal({int(number)}, 0) if {int(number)} != 9 else 0; os.kill(os.getpid(), "
    assert worker.python(f"{code}{int(number)})").status == -number


def test_a_program_that_is_not_there_is_its_own_fault(worker: Worker) -> None:
    said = worker.call(_fails, command=["./missing"])
    assert said["raised"] == "StartFailed"
    assert "missing" in said["sentence"]


def test_a_program_that_is_not_executable_is_its_own_fault(worker: Worker) -> None:
    assert worker.call(_fails, command=["./bot"], mode=0o644)["raised"] == "StartFailed"


@pytest.mark.parametrize("text", ["#!/no/such/interpreter\n", "\x00\x01\x02 no program"])
def test_what_is_no_program_is_its_own_fault(worker: Worker, text: str) -> None:
    assert worker.call(_fails, command=["./bot"], text=text)["raised"] == "StartFailed"


def test_a_status_that_looks_like_a_signal_proves_no_limit(worker: Worker) -> None:
    ended = worker.run("sh", "-c", "exit 153")  # 128 and SIGXFSZ
    assert ended.breach is None


def test_a_program_can_not_use_up_the_signals_and_timers_of_others(worker: Worker) -> None:
    code = (
        "import ctypes\nlibc = ctypes.CDLL(None)\nn = 0\n"
        "while n < 5000 and libc.timer_create(0, None, ctypes.byref(ctypes.c_void_p())) == 0: n += 1\nprint(n)"
    )
    assert 0 < int(worker.python(code).stdout) <= 256


def test_more_descriptors_than_the_machine_allows_are_its_failure_and_told_so(worker: Worker) -> None:
    said = worker.call(_wants_many)
    assert said["raised"] == "SandboxError"
    assert said["sentence"].startswith("open_files is 1000000000, and no process here may have more than ")


def _wants_many(ground: Ground) -> dict[str, Any]:
    with ground.start("true", open_files=1_000_000_000):
        return {}


def test_a_program_can_open_no_terminal(worker: Worker) -> None:
    code = (
        "import os\ntry: os.openpty()\nexcept OSError: print('refused')\n"
        "print(os.listdir('/dev/pts'), os.path.exists('/proc/sys/kernel/pty/nr'))"
    )
    assert worker.python(code).stdout.split("\n")[:2] == ["refused", "[] False"]


def _fails(ground: Ground, command: list[str], text: str = "#!/bin/sh\n", mode: int = 0o755) -> dict[str, Any]:
    bot = ground.folder / "bot"
    bot.write_text(text)
    bot.chmod(mode)
    with ground.start(*command) as process:
        return {"status": status_of(process), "stderr": process.errors.text()}


def _closes_stdout(ground: Ground) -> dict[str, Any]:
    code = "import os, sys; os.close(1); sys.stdin.readline()"
    with ground.start("python3", "-I", "-S", "-c", code) as process:
        said = took(process)
        return {"said": said.decode(), "ended": process.ended(), "exiting": process.exiting()}


def test_a_stdout_closed_by_a_program_that_lives_on_is_at_its_end(worker: Worker) -> None:
    assert worker.call(_closes_stdout) == {"said": "", "ended": None, "exiting": False}


def _ends_with_its_input(ground: Ground) -> list[Any]:
    with ground.start("sh", "-c", "cat; echo end; echo sorry >&2; exit 5") as process:
        process.write(b"a\n")
        took(process, until=b"a\n")
        before = process.ended()
        process.close_stdin()
        said = took(process)
        status = status_of(process)
    return [before, said.decode(), status, process.errors.text()]


def test_the_end_of_its_input_reaches_a_program_and_its_stderr_is_kept(worker: Worker) -> None:
    assert worker.call(_ends_with_its_input) == [None, "end\n", 5, "sorry\n"]


def _starts_jail(path: str, script: str) -> str:
    Path(path).write_text(f"#!/bin/sh\n{script}\n")
    Path(path).chmod(0o755)
    return path


BROKEN = [
    ("exits with a reason", "echo it will not do >&2; exit 1", "it will not do"),
    ("exits without a word", "exit 1", "jail"),
    ("exits as if all were well", "exit 0", "jail"),
    ("is killed", "kill -9 $$", ""),
    ("is not there", None, ""),
]


@pytest.mark.parametrize(("script", "reason"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
@pytest.mark.parametrize("user", USERS)
def test_a_jail_that_fails_is_not_the_programs_fault(user: str, script: str | None, reason: str, shared: Path) -> None:
    path = str(shared / "bwrap")
    if script is not None:
        _starts_jail(path, script)
    try:
        broken = Worker(user, bwrap=path)
    except Unavailable as error:
        pytest.skip(str(error))
    with contextlib.closing(broken):
        said = broken.call(_fails, command=["./bot"])
    assert said.get("raised") == "SandboxError", said
    assert reason in said["sentence"]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody reaches."""
    with tempfile.TemporaryDirectory(prefix="jailed-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


# ── a folder that a program may write ────────────────────────────────────────────────────────────────────────────────


def _builds(ground: Ground) -> dict[str, Any]:
    (ground.folder / "src").mkdir()
    (ground.folder / "src" / "a.txt").write_text("one")
    build = "mkdir out && cat src/a.txt >out/b && echo two >>src/a.txt && chmod 700 out && ln -s /etc/passwd link"
    with ground.start("sh", "-c", build, writable=True) as process:
        status = status_of(process)
        said = process.errors.text()
    made = ground.folder / "out" / "b"
    return {
        "status": status,
        "stderr": said,
        "made": made.read_text(),
        "changed": (ground.folder / "src" / "a.txt").read_text(),
        "owner": made.stat().st_uid,
        "link": str((ground.folder / "link").readlink()),
    }


def test_a_build_writes_in_its_folder_and_can_be_read_back(worker: Worker) -> None:
    said = worker.call(_builds)
    assert said["status"] == 0, said["stderr"]
    assert (said["made"], said["changed"], said["link"]) == ("one", "onetwo\n", "/etc/passwd")
    assert (said["owner"] > 65536) == ("own-uid" in worker.layers)


def _builds_twice(ground: Ground) -> list[int]:
    statuses = []
    for _ in range(2):
        with ground.start("sh", "-c", "umask 077; echo x >>made", writable=True) as process:
            statuses.append(status_of(process))
    with ground.start("sh", "-c", "echo x >>made") as process:
        statuses.append(status_of(process))
    return statuses


def test_what_a_build_made_can_be_built_upon_and_is_read_only_to_a_bot(worker: Worker) -> None:
    first, second, reader = worker.call(_builds_twice)
    assert (first, second) == (0, 0)
    assert reader != 0


# ── what is left of it ───────────────────────────────────────────────────────────────────────────────────────────────

_LEAVES_DAEMONS = """
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open("/tmp/kept", "w")
            while True: time.sleep(1000)
        os._exit(0)
    os.wait()
print("on", flush=True)
sys.stdin.read()
"""


def _standing(place: Path) -> dict[str, Any]:
    return {
        "descriptors": sorted(
            os.readlink(f"/proc/self/fd/{name}") if name.isdigit() else ""  # noqa: PTH115 - may vanish
            for name in os.listdir("/proc/self/fd")  # noqa: PTH208
            if os.path.lexists(f"/proc/self/fd/{name}")
        ),
        # The machine's come and go with what others do.
        "mounts": [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(place) in line],
        "children": Path(f"/proc/self/task/{os.getpid()}/children").read_text().split(),
    }


def _leaves_nothing(ground: Ground) -> dict[str, Any]:
    def play(how: str) -> None:
        with ground.start("python3", "-I", "-S", "-c", _LEAVES_DAEMONS) as process:
            took(process, until=b"on\n")
            if how == "ends":
                process.close_stdin()
                status_of(process)

    with ground.start("true"):  # what is made once a process
        pass
    sweep()
    before = _standing(ground.place)
    for how in ("ends", "is killed"):
        play(how)
    with contextlib.suppress(Exception), ground.start("./missing"):
        pass
    sweep()
    after = _standing(ground.place)
    return {
        "before": before,
        "after": after,
        "pid": os.getpid(),  # its own view has no control groups any more
        "files": [path.name for path in ground.place.iterdir()],
    }


def _groups_of(pid: int) -> list[str]:
    """The control groups that this owner has made."""
    found = []
    for place in _cgroup_folders():
        found += [str(path) for path in Path(place).glob(f"tacora-{pid}-*/*") if path.is_dir()]
    return found


def _cgroup_folders() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    mounts = [line.split()[4] for line in lines if " - cgroup" in line]
    return [folder for mount in mounts for folder, *_ in os.walk(mount) if "tacora-" not in folder]


def test_nothing_is_left_of_a_program_and_its_daemons(worker: Worker) -> None:
    said = worker.call(_leaves_nothing)
    assert said["after"] == said["before"]
    assert _groups_of(said["pid"]) == []
    assert sorted(said["files"]) == ["jail-etc", "program"]


def _stays(ground: Ground) -> None:
    with ground.start("python3", "-I", "-S", "-c", _LEAVES_DAEMONS) as process:
        took(process, until=b"on\n")
        members = {pid: start_time(pid) for pid in _below(os.getpid())}
        print(json.dumps({"done": [str(ground.place), sorted(members.items())]}), flush=True)
        select.select([], [], [])


def _below(pid: int) -> Iterator[int]:
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        yield child
        yield from _below(child)


@pytest.mark.parametrize("user", USERS)
def test_programs_end_with_the_process_that_ran_them(user: str, gone: Callable[[int, int], None]) -> None:
    try:
        worker = Worker(user)
    except Unavailable as error:
        pytest.skip(str(error))
    worker.ask(_stays)
    place, members = worker.answer()
    assert len(members) >= 5  # bubblewrap, the first process, the program, its daemons
    worker.kill()
    for pid, started in members:
        gone(pid, started)
    settings = probe_as(user).settings
    if "cgroups" in settings:
        remove_leftovers(Groups.from_settings(settings))
        assert _groups_of(worker.pid) == []
    # Its scratch folders were mounts of its own, so nothing is in them.
    left = [path for path in Path(place).glob("s-*") if any(path.iterdir())]
    assert left == []
    shutil.rmtree(place)


@pytest.fixture
def gone() -> Callable[[int, int], None]:
    """Wait for the end of a process that may be another's child."""

    def wait(pid: int, started: int) -> None:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            return
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, handle)
            if start_time(pid) == started:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                assert poll.poll(PATIENCE_S * 1000), f"{pid} lives on"

    return wait
