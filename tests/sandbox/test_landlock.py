"""The landlock backend, tried for real by hostile and by ordinary programs, as this user and where that is root also as
one who is not.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import py_landlock
import pyseccomp
import pytest

import sandbox
from sandbox.landlock_rules import unreachable

PATIENCE_S = 60.0
NOBODY = 65533

try:
    ABI = int(py_landlock.get_abi_version())
except py_landlock.LandlockError:
    ABI = 0
pytestmark = pytest.mark.skipif(ABI < 1, reason="needs a kernel with Landlock")

Run = Callable[..., dict[str, Any]]


def _reachable_python() -> str | None:
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        if Path(python).exists() and unreachable(Path(python).parent) is None:
            newer = subprocess.run([python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], check=False)
            if newer.returncode == 0:
                return python
    return None


_DRIVER = """
import json, os, select, socket, sys
from pathlib import Path
import sandbox
from sandbox import Limits, SandboxError, StartFailed, backend, probe, scratch_folder
from dataclasses import replace
task = json.load(sys.stdin)
sandbox.become_subreaper()
place = Path(task["place"])
(found,) = probe("landlock")
layers = tuple(layer for layer in found.layers if layer not in task["without"])
settings = {} if "group-memory" in task["without"] else found.settings
within = backend(replace(found, layers=layers, settings=settings))
within.enter()
limits = Limits(**task["limits"])
tcp = socket.create_server(("127.0.0.1", 0))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); udp.bind(("127.0.0.1", 0))
(place / "socket").unlink(missing_ok=True)
path = socket.socket(socket.AF_UNIX); path.bind(str(place / "socket")); path.listen()
os.chmod(place / "socket", 0o777)
abstract = socket.socket(socket.AF_UNIX); abstract.bind(""); abstract.listen()
where = {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "path": str(place / "socket"),
         "abstract": abstract.getsockname().hex(), "canary": str(place / "canary"), "open": str(place / "open"),
         "referee": os.getpid()}
answer = {"layers": found.layers, "missing": found.missing, "tier": found.tier}
def take(process):
    "What it says until it ends; what it leaves behind may hold its stdout."
    poll = select.poll(); poll.register(process.exit_fd, select.POLLIN); poll.register(process.stdout, select.POLLIN)
    said, open_ = b"", True
    while open_ and (events := poll.poll(60000)):
        open_ = process.exit_fd not in dict(events)
        while piece := process.read():
            said += piece
        if piece == b"": poll.unregister(process.stdout); poll.poll(60000); break
    return said.decode()
exec(task["before"])
try:
    with scratch_folder(place, limits) as scratch, scratch_folder(place, limits) as other:
        victim = within.start(["sleep", "60"], folder=place / "program", scratch=other, limits=limits) \\
            if task["victim"] else None
        where["victim"] = victim.pid if victim else 0
        command = task["command"]
        for name, value in where.items():
            command = [word.replace("{" + name + "}", str(value)) for word in command]
        process = within.start(command, folder=place / "program", scratch=scratch, limits=limits,
                               writable=task["writable"])
        if task["leave"]:
            poll = select.poll(); poll.register(process.stdout, select.POLLIN); poll.poll(60000)
            print(process.pid, flush=True); sys.stdin = open("/dev/stdin"); select.poll().poll()
        try:
            process.close_stdin()
            answer |= {"stdout": take(process), "status": process.ended()}
            breach = process.breach()
            answer["breach"] = breach and breach.kind
            answer["cpu_us"] = process.cpu_us(fresh=True)
            answer["victim"] = victim and victim.ended()
        finally:
            process.close()
            answer["stderr"] = process.errors.text()
            if victim: victim.close()
except SandboxError as error:
    answer |= {"raised": type(error).__name__, "sentence": str(error)}
sandbox.sweep()
answer["children"] = Path("/proc/self/task", str(os.getpid()), "children").read_text().split()
print(json.dumps(answer))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that others can reach, with the program's own in it and a file that anyone could read and write."""
    with tempfile.TemporaryDirectory(prefix="landlock-") as name:
        place = Path(name)
        place.chmod(0o777)
        for folder in ("program", "open"):
            (place / folder).mkdir()
            (place / folder).chmod(0o777)
        (place / "canary").write_text("sings")
        (place / "canary").chmod(0o666)
        yield place


def _words(user: str) -> tuple[list[str], Mapping[str, str]]:
    """How the driver is run, as whom and in what environment."""
    packages = {str(Path(module.__file__ or "").parent.parent) for module in (sandbox, py_landlock)}
    packages.add(str(Path(pyseccomp.__file__).parent))
    if user == "this user":
        return [sys.executable, "-c", _DRIVER], {**os.environ, "PYTHONPATH": ":".join(sorted(packages))}
    python = _reachable_python()
    if os.geteuid() != 0 or python is None or shutil.which("setpriv") is None:
        pytest.skip("needs root, setpriv and a Python that others can reach")
    words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", python, "-c", _DRIVER]
    return words, {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(sorted(packages))}


def _task(place: Path, command: list[str], options: dict[str, Any]) -> str:
    limits = {"memory_mb": 512, "processes": 64, "disk_mb": 64, **options.pop("limits", {})}
    task = {"place": str(place), "command": command, "limits": limits}
    usual = {"without": [], "before": "", "victim": False, "writable": False, "leave": False}
    return json.dumps(task | usual | options)


@pytest.fixture(params=["this user", "an ordinary user"])
def run(request: pytest.FixtureRequest, place: Path) -> Run:
    """Run a command in the backend, in a process of its own; what came of it."""
    words, environment = _words(request.param)

    def start(*command: str, **options: Any) -> dict[str, Any]:
        if request.param != "this user":
            shutil.chown(place, NOBODY, NOBODY)
            for entry in place.rglob("*"):
                os.chown(entry, NOBODY, NOBODY)
        done = subprocess.run(
            words,
            input=_task(place, list(command), options),
            env=environment,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    return start


_HOSTILE = """
import ctypes, errno, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *words):
    if getattr(libc, name)(*words) == -1:
        raise OSError(ctypes.get_errno(), name)
try:
    {attempt}
except OSError as error:
    print("refused", errno.errorcode[error.errno])
else:
    print("through")
"""

ATTEMPTS = {
    "reading a file of others": "open('{canary}').read()",
    "writing a file of others": "open('{canary}', 'w')",
    "truncating a file of others": "os.truncate('{canary}', 0)",
    "listing a folder of others": "os.listdir('{open}')",
    "making a file in a folder of others": "open('{open}/new', 'w')",
    "removing a file of others": "os.remove('{canary}')",
    "renaming a file of others": "os.rename('{canary}', '{open}/new')",
    "linking a file of others into its own folder": "os.link('{canary}', os.environ['HOME'] + '/new')",
    "changing the mode of a file of others": "os.chmod('{canary}', 0o600)",
    "changing the times of a file of others": "os.utime('{canary}')",
    "running a file of others": "os.chmod('{canary}', 0o777)",
    "writing beside its program": "open('new', 'w')",
    "shared memory": "open('/dev/shm/landlock-test', 'w')",
    "reading the list of users": "open('/etc/passwd')",
    "TCP": "socket.create_connection(('127.0.0.1', {tcp}))",
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a socket with a path": "socket.socket(socket.AF_UNIX).connect('{path}')",
    "an abstract socket": "socket.socket(socket.AF_UNIX).connect(bytes.fromhex('{abstract}'))",
    "a socket that can send to others": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "a signal to the referee": "os.kill({referee}, signal.SIGCONT)",
    "a signal to another bot": "os.kill({victim}, signal.SIGKILL)",
    "a signal to the group of the referee": "os.killpg(os.getpgid({referee}), signal.SIGCONT)",
    "tracing another bot": "call('ptrace', 16, {victim}, 0, 0)",
    "reading another bot's memory": "open('/proc/{victim}/mem')",
    "reading the referee's environment": "open('/proc/{referee}/environ')",
    "reading another bot's command": "open('/proc/{victim}/cmdline')",
    "looking at another bot's descriptors": "os.listdir('/proc/{victim}/fd')",
    "the load": "open('/proc/loadavg')",
    "the time that cores spent": "open('/proc/stat')",
    "pressure": "open('/proc/pressure/cpu')",
    "the machine's sockets": "open('/proc/self/net/tcp')",
    "the machine's sockets by a thread": "open('/proc/thread-self/net/unix')",
    "the machine's mounts": "open('/proc/self/mountinfo')",
    "lowering its score for want of memory": "open('/proc/self/oom_score_adj', 'w').write('0')",
    "a namespace": "call('unshare', 0x10000000)",
    "a key": "call('syscall', 248, b'user', b'x', b'y', 1, -4)",
    "shared memory of System V": "call('shmget', 7, 4096, 0o1600)",
    "a lock on a file that all read": "import fcntl; fcntl.flock(open('/usr/bin/env'), fcntl.LOCK_EX)",
    "a higher ceiling": "call('setrlimit', 7, (ctypes.c_ulong * 2)(9999, 9999))",
}


@pytest.mark.parametrize("what", ATTEMPTS)
def test_is_refused(run: Run, what: str) -> None:
    if what in ("a key",) and os.uname().machine != "x86_64":
        pytest.skip("a number of x86_64")
    code = _HOSTILE.replace("{attempt}", ATTEMPTS[what])
    came = run("/usr/bin/python3", "-c", code, victim=True)
    answer = came["stdout"].split()
    assert answer[:1] == ["refused"], came
    assert answer[1:] != ["ENOENT"]
    assert came["victim"] is None  # alive


def test_killing_everything_hits_no_other(run: Run) -> None:
    came = run("sh", "-c", "kill -9 -1; echo on", victim=True)
    assert came["victim"] is None
    assert "raised" not in came


def test_a_program_with_the_default_limits(run: Run) -> None:
    for without in ([], ["group-memory", "group-processes", "group-cpu"]):
        came = run("/usr/bin/python3", "-c", "import json, threading; print(json.dumps(6 * 7))", without=without)
        assert (came["stdout"], came["status"]) == ("42\n", 0), came


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_javascript(run: Run, place: Path) -> None:
    (place / "program" / "bot.js").write_text("console.log(require('./other.js') * 6)\n")
    (place / "program" / "other.js").write_text("module.exports = 7\n")
    for without in ([], ["group-memory", "group-processes", "group-cpu"]):
        came = run("node", "bot.js", without=without)
        assert (came["stdout"], came["status"]) == ("42\n", 0), came


@pytest.mark.skipif(shutil.which("java") is None, reason="needs java")
def test_java(run: Run, place: Path) -> None:
    source = place / "program" / "Bot.java"
    source.write_text("class Bot { public static void main(String[] a) { System.out.println(6 * 7); } }\n")
    if shutil.which("javac"):
        subprocess.run(["javac", source.name], cwd=source.parent, check=True, timeout=PATIENCE_S)
        command = ["java", "-cp", ".", "Bot"]
    else:
        command = ["java", "Bot.java"]
    for without in ([], ["group-memory", "group-processes", "group-cpu"]):
        came = run(*command, without=without)
        assert (came["stdout"], came["status"]) == ("42\n", 0), came


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_building_and_running_c(run: Run, place: Path) -> None:
    (place / "program" / "bot.c").write_text('#include <stdio.h>\nint main(void) { puts("42"); return 0; }\n')
    assert run("gcc", "-o", "bot", "bot.c", writable=True)["status"] == 0
    # Where it is not a user of its own that builds, no modes can be changed.
    (place / "program" / "bot").chmod(0o755)
    for without in ([], ["group-memory", "group-processes", "group-cpu"]):
        came = run("./bot", without=without)
        assert (came["stdout"], came["status"]) == ("42\n", 0), came


def test_its_own_folder_can_be_written_and_its_home_says_where(run: Run) -> None:
    came = run("sh", "-c", 'cd "$TMPDIR" && mkdir a && echo 42 >a/b && mv a/b c && cat c && test "$HOME" = "$TMPDIR"')
    assert (came["stdout"], came["status"]) == ("42\n", 0), came


def test_the_environment_is_no_more_than_that(run: Run) -> None:
    came = run("/usr/bin/env")
    assert sorted(line.partition("=")[0] for line in came["stdout"].splitlines()) == ["HOME", "PATH", "TMPDIR"]


def test_no_descriptor_is_inherited(run: Run) -> None:
    came = run("/usr/bin/python3", "-I", "-S", "-c", "import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert json.loads(came["stdout"]) == [0, 1, 2, 3]  # the last is the folder's own


def test_signals_are_at_their_defaults(run: Run) -> None:
    came = run("grep", "SigIgn", "/proc/self/status")
    # But for the two that are the C library's own, which some shells and makes leave ignored.
    assert int(came["stdout"].split()[1], 16) & ~(1 << 31 | 1 << 32) == 0


@pytest.mark.parametrize(("command", "status"), [("exit 3", 3), ("kill -SEGV $$", -11), ("kill -KILL $$", -9)])
def test_its_end_is_told(run: Run, command: str, status: int) -> None:
    assert run("sh", "-c", command)["status"] == status


def test_a_program_that_is_not_there_is_its_own_fault(run: Run) -> None:
    came = run("./nothing")
    assert came["raised"] == "StartFailed"


def test_a_script_without_its_interpreter_is_its_own_fault(run: Run, place: Path) -> None:
    (place / "program" / "bot").write_text("#!/nowhere/python\n")
    (place / "program" / "bot").chmod(0o755)
    came = run("./bot")
    assert came["raised"] == "StartFailed"
    assert "'/nowhere/python'" in came["sentence"]


def test_what_keeps_it_from_being_confined_is_the_failure_of_the_sandbox(run: Run) -> None:
    broken = "import sandbox.landlock; sandbox.landlock.seccomp.program = lambda **_: bytes(8)"
    came = run("echo", "out", before=broken)
    assert came["raised"] == "SandboxError"
    assert "filter" in came["sentence"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_folder_that_its_own_user_cannot_reach_is_told(place: Path) -> None:
    words, environment = _words("this user")
    place.chmod(0o700)
    done = subprocess.run(
        words, input=_task(place, ["true"], {}), env=environment, capture_output=True, text=True, check=True
    )
    came = json.loads(done.stdout)
    if "own-uid" not in came["layers"]:
        pytest.skip("programs run as root here")
    assert came["raised"] == "SandboxError"
    assert f"pass through {place} (chmod o+x)" in came["sentence"]


def test_a_daemon_is_not_left_behind(run: Run) -> None:
    code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        os.environ.clear()\n"
    code += "        os.close(1); os.execve('/bin/sleep', ['sleep', '60'], {})\n    os._exit(0)\nos.wait()"
    came = run("/usr/bin/python3", "-c", code)
    assert came["status"] == 0, came
    assert came["children"] == []


def test_processes_are_bounded(run: Run) -> None:
    code = "import os, time\nn = 0\ntry:\n    while n < 3000:\n        if os.fork() == 0:\n"
    code += "            time.sleep(60)\n            os._exit(0)\n        n += 1\nexcept OSError: pass\nprint(n)"
    came = run("/usr/bin/python3", "-I", "-S", "-c", code, limits={"processes": 8})
    bounded = "own-uid" in came["layers"] or "group-processes" in came["layers"]
    assert int(came["stdout"]) < (8 if bounded else 1000), came


@pytest.mark.parametrize("without", [[], ["group-memory", "group-processes", "group-cpu"]])
def test_memory_is_bounded(run: Run, without: list[str]) -> None:
    came = run("/usr/bin/python3", "-c", "print(len(bytearray(300 << 20)))", limits={"memory_mb": 64}, without=without)
    assert came["stdout"] == ""
    if "group-memory" in came["layers"] and not without:
        assert came["breach"] == "memory"


def test_a_file_that_grows_too_large_is_a_breach(run: Run) -> None:
    came = run("sh", "-c", 'exec dd if=/dev/zero of="$HOME/large" bs=65536 count=100', limits={"disk_mb": 1})
    assert came["status"] != 0
    assert came["breach"] == "disk"


def test_it_dies_with_who_started_it(place: Path) -> None:
    words, environment = _words("this user")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        try:
            driver.stdin.write(_task(place, ["sh", "-c", "echo on; exec sleep 600"], {"leave": True}))
            driver.stdin.close()
            program = os.pidfd_open(int(driver.stdout.readline()))
        finally:
            driver.send_signal(signal.SIGKILL)
    try:
        poll = select.poll()
        poll.register(program, select.POLLIN)
        assert poll.poll(PATIENCE_S * 1000)
    finally:
        os.close(program)


def test_what_does_not_hold_is_said(run: Run) -> None:
    came = run("true")
    assert came["tier"] == "confined"
    assert came["missing"]
    assert ("landlock-network" in came["layers"]) == (ABI >= 4)
    assert ("landlock-scopes" in came["layers"]) == (ABI >= 6)
