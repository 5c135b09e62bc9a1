"""The docker backend against a real daemon: that of HARNESS_TEST_DOCKER, else one of our own where we may start it."""

from __future__ import annotations

import errno
import json
import os
import select
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import docker
import pytest
import requests

import sandbox
from sandbox import Breach, Limits, Process, SandboxError, StartFailed, docker_group
from sandbox.cgroup_places import Standing
from sandbox.docker import Docker
from sandbox.docker_daemon import OWNER, Daemon, remove_leftovers, this_owner
from sandbox.docker_probe import probe_docker
from sandbox.docker_streams import FrameReader, half_close
from sandbox.image.make_image import make_image
from sandbox.own_users import OwnUsers
from sandbox.procfs import start_time

LIMITS = Limits(memory_mb=512, processes=64, disk_mb=64)
PATIENCE_MS = 60_000
TESTS_IMAGE = "tacora-tests"
CHECKOUT = Path(sandbox.__file__).parent.parent


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    given = os.environ.get("HARNESS_TEST_DOCKER")
    if given:
        yield given
        return
    if os.geteuid() != 0 or shutil.which("dockerd") is None:
        pytest.skip("no HARNESS_TEST_DOCKER, and no daemon can be started: that needs root and dockerd")
    with tempfile.TemporaryDirectory(prefix="dockerd-") as folder:
        started = subprocess.run([CHECKOUT / ".ci/dockerd", folder], capture_output=True, text=True, check=False)
        if started.returncode:
            pytest.skip(f"dockerd does not start: {started.stderr}")
        daemon = os.pidfd_open(int(Path(folder, "pid").read_text()))
        try:
            yield started.stdout.strip()
        finally:
            signal.pidfd_send_signal(daemon, signal.SIGTERM)
            poll = select.poll()
            poll.register(daemon, select.POLLIN)
            assert poll.poll(PATIENCE_MS), "dockerd does not end"
            os.close(daemon)


@pytest.fixture(scope="module")
def within(host: str) -> Docker:
    make_image(TESTS_IMAGE, host)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", host)
        patch.setenv("HARNESS_DOCKER_IMAGE", TESTS_IMAGE)
        found = probe_docker()
    assert found.works, found.missing
    return Docker(found)


@pytest.fixture
def daemon(host: str) -> Iterator[Daemon]:
    reached = Daemon(host)
    yield reached
    assert not left_behind(reached), "a container is left"
    reached.client.close()


def left_behind(daemon: Daemon) -> list[str]:
    """The containers of this process and of dead ones: tests that run beside these have theirs at the same daemon."""
    found = []
    for container, labels in daemon.labelled(OWNER):
        pid, _, started = labels[OWNER].partition("-")
        if labels[OWNER] == this_owner() or str(start_time(int(pid))) != started:
            found.append(container)
    return found


Start = Callable[..., Process]


@pytest.fixture
def start(within: Docker, daemon: Daemon, tmp_path: Path) -> Iterator[Start]:
    started: list[Process] = []
    tmp_path.chmod(0o755)  # programs are other users

    def begin(*command: str, limits: Limits = LIMITS, writable: bool = False) -> Process:
        process = within.start(command, folder=tmp_path, scratch=tmp_path, limits=limits, writable=writable)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.close()


def read_line(process: Process) -> str:
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    said = b""
    while not said.endswith(b"\n"):
        assert poll.poll(PATIENCE_MS), "nothing came"
        piece = process.read()
        assert piece != b"", (said, process.close(), process.errors.text())
        said += piece or b""
    return said.decode().rstrip("\n")


def await_status(process: Process) -> int:
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    assert poll.poll(PATIENCE_MS), "it does not end"
    status = process.ended()
    assert status is not None
    return status


def test_all_that_is_set_holds_here(within: Docker) -> None:
    assert (within.tier, within.clock) == ("full", "cpu")
    assert set(within.layers) >= {
        *("container", "capabilities-dropped", "no-new-privileges", "seccomp", "read-only-root", "rlimits"),
        *("network-namespace", "pid-namespace", "ipc-namespace", "uts-namespace", "scratch-size", "scratch-files"),
        *("group-memory", "group-processes", "group-cpu"),
    }


def test_it_answers_line_by_line(start: Start) -> None:
    process = start("sh", "-c", 'while read -r word; do echo "<$word>"; done')
    for word in ("one", "two", "three"):
        assert process.write(f"{word}\n".encode())
        assert read_line(process) == f"<{word}>"


def test_a_large_answer_arrives_whole(start: Start) -> None:
    process = start("python3", "-c", "print('x' * 1_000_000)")
    assert read_line(process) == "x" * 1_000_000


@pytest.mark.parametrize(
    ("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", -15), ("kill -ABRT $$", -6)]
)
def test_the_exit_status_is_that_of_the_program(start: Start, script: str, status: int) -> None:
    assert await_status(start("sh", "-c", script)) == status


def test_end_of_file_on_stdin_reaches_the_program_and_its_last_words_come_back(start: Start) -> None:
    process = start("sh", "-c", "cat >/dev/null; echo over")
    process.close_stdin()
    assert read_line(process) == "over"
    assert await_status(process) == 0
    assert process.read() == b""


def test_what_was_said_last_is_there_when_the_end_is_known(start: Start) -> None:
    process = start("sh", "-c", "read -r _; echo last; echo why >&2; exit 3")
    process.write(b"go\n")
    assert await_status(process) == 3
    assert process.read() == b"last\n"
    assert process.read() == b""
    process.close()
    assert process.errors.text() == "why\n"


def test_stderr_is_kept_apart(start: Start) -> None:
    process = start("sh", "-c", "echo out; echo err >&2; read -r _")
    assert read_line(process) == "out"
    process.close()
    assert process.errors.text() == "err\n"


def test_a_kill_ends_all_that_runs(start: Start) -> None:
    process = start("sh", "-c", "sleep 1000 & echo up; wait")
    assert read_line(process) == "up"
    process.kill()
    assert await_status(process) == -9


def test_a_flood_that_nobody_reads_does_not_hold_up_the_end(start: Start) -> None:
    process = start("sh", "-c", "echo up; yes | tee /dev/stderr")
    assert read_line(process).startswith("up")
    assert process.close() == -9


def test_a_program_that_the_image_lacks_is_the_programs_fault(start: Start) -> None:
    with pytest.raises(StartFailed, match="no-such-program"):
        start("no-such-program")


def test_a_program_that_the_folder_lacks_is_the_programs_fault(start: Start) -> None:
    with pytest.raises(StartFailed, match="not there"):
        start("./nothing")


@pytest.mark.parametrize("word", ["/etc/passwd/x", "/" + "n" * 300, "/" + "a/" * 2000])
def test_a_path_that_leads_nowhere_is_the_programs_fault(start: Start, word: str) -> None:
    with pytest.raises(StartFailed, match="there is no program"):
        start(word)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("echo no first line", "nothing that this machine can run"),
        ("#!/no/such/interpreter\n", "needs the interpreter '/no/such/interpreter'"),
        ("#! /bin/sh\r\n", r"needs the interpreter '/bin/sh\\r'"),
        ("#!nothing-here\n", "needs the interpreter 'nothing-here'"),
        ("#!\n", "needs the interpreter ''"),
    ],
)
@pytest.mark.parametrize("word", ["./bot", "/bot/bot"])
def test_a_file_that_nothing_runs_is_the_programs_fault(
    start: Start, tmp_path: Path, word: str, text: str, told: str
) -> None:
    (tmp_path / "bot").write_text(text)
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(StartFailed, match=told):
        start(word)


def test_a_script_of_the_folder_is_run_by_what_it_names(start: Start, tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#! /usr/bin/env sh\necho here\n")
    (tmp_path / "bot").chmod(0o755)
    assert read_line(start("./bot")) == "here"


def test_a_program_is_killed_when_the_daemon_has_been_lost(start: Start) -> None:
    process = start("sh", "-c", "echo up; exec sleep 1000")
    assert read_line(process) == "up"
    half_close(process._end_fd, both=True)  # as when the daemon is gone
    process.kill()
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    assert poll.poll(PATIENCE_MS), "it lives on"


def test_a_program_is_killed_when_all_that_was_known_of_its_end_is_the_daemons_word(
    start: Start, daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("sh", "-c", "echo up; exec sleep 1000")
    assert read_line(process) == "up"
    monkeypatch.setattr(process, "_by_kernel", False)
    half_close(process._end_fd, both=True)
    process.kill()
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    assert poll.poll(PATIENCE_MS), "it lives on"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives each program a user of its own")
def test_the_user_of_a_container_that_stays_is_not_given_to_the_next(
    within: Docker, daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back: list[int] = []
    monkeypatch.setattr(OwnUsers, "give_back", lambda _, uid: given_back.append(uid))
    process = within.start(["sleep", "1000"], folder=tmp_path, scratch=tmp_path, limits=LIMITS)
    try:
        with monkeypatch.context() as broken:
            broken.setattr(Daemon, "remove", refuse)
            with pytest.raises(SandboxError, match="refused"):
                process.close()
        assert given_back == []
    finally:
        for container in left_behind(daemon):
            daemon.remove(container)


def refuse(*_: object) -> bool:
    raise SandboxError("refused")


def test_the_environment_holds_three_names(start: Start) -> None:
    process = start("python3", "-c", "import os, json; print(json.dumps(dict(os.environ)))")
    environment = json.loads(read_line(process))
    environment.pop("LC_CTYPE", None)  # Python's own
    assert environment == {"HOME": "/tmp", "TMPDIR": "/tmp", "PATH": sandbox.system_path()}


def test_the_folder_is_read_only(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("here\n")
    process = start("sh", "-c", "cat data; touch data 2>/dev/null || echo refused")
    assert read_line(process).splitlines()[0] == "here"
    assert await_status(process) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data"]


def test_a_build_writes_into_the_folder(start: Start, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    process = start("sh", "-c", "echo new >made && echo more >>old", writable=True)
    assert await_status(process) == 0
    assert (tmp_path / "made").read_text() == "new\n"
    assert (tmp_path / "old").read_text() == "oldmore\n"


def test_cpu_time_of_children_is_billed(start: Start) -> None:
    burn = "import resource, subprocess, sys\nx = 0\n"
    child = "x = 0\nfor i in range(5_000_000): x += i"
    report = "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)\nsys.stdin.read()"
    process = start("python3", "-u", "-c", f"{burn}subprocess.run([sys.executable, '-c', {child!r}])\n{report}")
    used_us = float(read_line(process)) * 1e6
    assert process.cpu_us(fresh=True) >= used_us * 0.95


def test_more_memory_than_allowed_is_a_breach_with_its_evidence(start: Start) -> None:
    small = Limits(memory_mb=32, processes=16, disk_mb=8)
    process = start("python3", "-c", "x = bytearray(200_000_000)", limits=small)
    assert await_status(process) == -9
    breach = process.breach()
    assert breach is not None
    assert breach.kind == "memory"
    assert "32" in breach.evidence


def test_more_processes_than_allowed_are_a_breach(start: Start) -> None:
    few = Limits(memory_mb=128, processes=8, disk_mb=8)
    script = "(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 100 & done); echo over; read -r _"
    process = start("sh", "-c", script, limits=few)
    # Asked while it lives: when it has ended, a busy machine may see the daemon remove the counters first.
    assert read_line(process) == "over"
    breach = process.breach()
    assert breach is not None
    assert breach.kind == "processes"


def test_forks_refused_by_a_limit_above_are_not_the_programs_breach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = tmp_path / "docker" / "c0ffee"
    group.mkdir(parents=True)
    files = {
        "cpu.stat": "usage_usec 5\n",
        "memory.events": "oom_kill 0\n",
        "pids.events": "max 3\n",
        "pids.peak": "4\n",
    }
    for name, text in files.items():
        (group / name).write_text(text)
    monkeypatch.setattr(docker_group, "standings", lambda *_: [Standing(2, str(group), frozenset())])
    limits = Limits(memory_mb=128, processes=8, disk_mb=8)
    counters = docker_group.ContainerGroup(os.getpid(), "c0ffee", limits)
    assert counters.breach() is None
    (group / "pids.peak").write_text("9\n")
    assert counters.breach() == Breach("processes", "processes is 8: 3 more refused")
    counters.keep()


@pytest.mark.parametrize(
    "script",
    [
        "head -c 20000000 /dev/zero >/tmp/a",
        "for i in 1 2 3; do head -c 3000000 /dev/zero >/tmp/$i; done",
        "touch $(seq -f /tmp/%g 99)",
    ],
)
def test_a_full_scratch_folder_is_a_breach(start: Start, script: str) -> None:
    process = start("sh", "-c", script, limits=Limits(memory_mb=128, processes=16, disk_mb=8, files=64))
    await_status(process)
    breach = process.breach()
    assert breach is not None
    assert breach.kind == "disk"


def test_a_program_within_its_limits_breaks_none(start: Start) -> None:
    process = start("sh", "-c", "echo x >/tmp/x; exit 1")
    assert await_status(process) == 1
    assert process.breach() is None


def test_what_a_dead_process_started_is_removed(within: Docker, daemon: Daemon, host: str, tmp_path: Path) -> None:
    code = f"""
import json, os, signal, sys
from pathlib import Path
from sandbox import Limits, Probe, backend
within = backend(Probe.from_json(json.load(sys.stdin)))
here = Path({str(tmp_path)!r})
within.start(["sleep", "1000"], folder=here, scratch=here, limits=Limits(64, 16, 8))
os.kill(os.getpid(), signal.SIGKILL)
"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", host)
        patch.setenv("HARNESS_DOCKER_IMAGE", TESTS_IMAGE)
        found = json.dumps(probe_docker().to_json())
    done = subprocess.run([sys.executable, "-c", code], input=found, text=True, cwd=CHECKOUT, check=False)
    assert done.returncode == -signal.SIGKILL
    living = within.start(["sleep", "1000"], folder=tmp_path, scratch=tmp_path, limits=LIMITS)
    try:
        assert len(left_behind(daemon)) == 2
        assert remove_leftovers(host) == 1
        assert living.ended() is None
    finally:
        living.close()


def test_no_descriptor_is_left(within: Docker, daemon: Daemon, tmp_path: Path) -> None:
    def once() -> int:
        process = within.start(["true"], folder=tmp_path, scratch=tmp_path, limits=LIMITS)
        await_status(process)
        process.close()
        return len(list(Path("/proc/self/fd").iterdir()))

    open_after = [once() for _ in range(6)]
    assert max(open_after[3:]) <= max(open_after[:3])


class Answers(BaseHTTPRequestHandler):
    """A daemon that tells its version and fails at all else."""

    status = 500
    said = "no space left on device"

    def do_GET(self) -> None:
        version = self.path.endswith("/version")
        body = json.dumps({"ApiVersion": "1.41"} if version else {"message": self.said}).encode()
        self.send_response(200 if version else self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass

    def address_string(self) -> str:
        return "unix"


@pytest.fixture
def failing() -> Iterator[tuple[type[Answers], str]]:
    class Chosen(Answers):
        pass

    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        with ThreadingUnixStreamServer(address, Chosen) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            try:
                yield Chosen, f"unix://{address}"
            finally:
                server.shutdown()
                thread.join()


class ThreadingUnixStreamServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


@pytest.mark.parametrize("status", [409, 500])
def test_a_daemon_that_fails_to_look_is_not_the_programs_fault(failing: tuple[type[Answers], str], status: int) -> None:
    answers, host = failing
    answers.status = status
    with Daemon(host) as daemon, pytest.raises(SandboxError, match="daemon says: no space left") as refused:
        daemon.find_program("c", "/bin/sh", [])
    assert not isinstance(refused.value, StartFailed)


def test_a_program_that_the_daemon_does_not_find_is_the_programs_fault(failing: tuple[type[Answers], str]) -> None:
    answers, host = failing
    answers.status = 404
    with Daemon(host) as daemon, pytest.raises(StartFailed):
        daemon.find_program("c", "/bin/sh", [])


@pytest.mark.parametrize("ask", [lambda daemon: daemon.attach("c", stdin=1), lambda daemon: daemon.await_end("c")])
def test_a_refused_conversation_is_told_in_the_daemons_words(
    failing: tuple[type[Answers], str], ask: Callable[[Daemon], int]
) -> None:
    with Daemon(failing[1]) as daemon, pytest.raises(SandboxError, match=r"daemon says: no space left on device$"):
        ask(daemon)


@pytest.mark.parametrize(
    ("error", "told", "untold"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files; run fewer", "systemctl"),
        (TimeoutError("timed out"), "has not answered for 60 s", "systemctl"),
        (requests.ReadTimeout("read timed out"), "has not answered for 60 s", "systemctl"),
        (requests.ConnectionError("Remote end closed connection"), "broke off", "systemctl"),
        (OSError(errno.ECONNREFUSED, "Connection refused"), "systemctl start docker", "usermod"),
        (PermissionError(errno.EACCES, "Permission denied"), "usermod", "systemctl"),
    ],
)
def test_what_is_wrong_with_the_way_to_the_daemon_is_told_apart(
    failing: tuple[type[Answers], str], error: Exception, told: str, untold: str
) -> None:
    error.__context__ = FileNotFoundError(errno.ENOENT, "something else that was being dealt with")
    with Daemon(failing[1]) as daemon, pytest.raises(SandboxError) as refused, daemon.asked("made"):
        raise error
    assert told in str(refused.value)
    assert untold not in str(refused.value)
    assert "something else" not in str(refused.value)


def test_a_daemon_that_ends_meanwhile_is_one_that_cannot_be_reached(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = ThreadingUnixStreamServer(f"{folder}/socket", Answers)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        daemon = Daemon(f"unix://{folder}/socket")
        server.shutdown()
        thread.join()
        server.server_close()
        told = "can't be reached: Connection refused; start one"
        with daemon, pytest.raises(SandboxError, match=told), daemon.asked("made"):
            raise requests.ConnectionError("Connection aborted")


def test_looking_for_leftovers_and_for_a_missing_image_leaves_nothing_open(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(docker.APIClient, "close", lambda client: closed.append(client.base_url))
    monkeypatch.setenv("DOCKER_HOST", host)
    monkeypatch.setenv("HARNESS_DOCKER_IMAGE", "no-such-image")
    assert not probe_docker().works
    assert len(closed) == 1
    remove_leftovers(host)
    assert len(closed) == 2


C_BOT = """
#include <stdio.h>
int main(void) {
    char line[64];
    while (fgets(line, 64, stdin)) { fputs(line, stdout); fflush(stdout); }
}
"""
JAVA_BOT = """
public class Bot {
    public static void main(String[] arguments) throws Exception {
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) System.out.println(line);
    }
}
"""
BOTS = {
    "C": ("bot.c", C_BOT, "cc -O2 -o bot bot.c", ["./bot"]),
    "Python": (
        "bot.py",
        "import sys\nfor line in sys.stdin: print(line, end='', flush=True)",
        "",
        ["python3", "bot.py"],
    ),
    "JavaScript": ("bot.js", "process.stdin.on('data', piece => process.stdout.write(piece))", "", ["node", "bot.js"]),
    "Java": ("Bot.java", JAVA_BOT, "javac Bot.java", ["java", "Bot"]),
}


@pytest.mark.parametrize("language", BOTS)
def test_bots_are_built_and_run_with_the_default_limits(start: Start, tmp_path: Path, language: str) -> None:
    file, text, build, command = BOTS[language]
    for needed in filter(None, (build.partition(" ")[0], command[0])):
        if "/" not in needed and shutil.which(needed, path=sandbox.system_path()) is None:
            pytest.skip(f"this machine has no {needed}")
    (tmp_path / file).write_text(text)
    if build:
        built = start("sh", "-c", build, limits=Limits(memory_mb=2048, processes=256, disk_mb=1024), writable=True)
        assert await_status(built) == 0, (built.close(), built.errors.text())
    process = start(*command)
    process.write(b"ping\n")
    assert read_line(process) == "ping"
    process.close_stdin()
    assert await_status(process) == 0


def frame(data: bytes, stream: int = 1) -> bytes:
    return bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 11, 1000])
def test_frames_are_put_together_wherever_they_are_cut(size: int) -> None:
    said = [b"one\n", b"", b"three" * 50, b"4"]
    stream = b"".join(map(frame, said))
    reader = FrameReader()
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    got = b""
    for at in range(0, len(stream), size):
        os.write(theirs, stream[at : at + size])
        got += reader.read(ours) or b""
    assert got == b"".join(said)
    assert reader.read(ours) is None
    os.close(theirs)
    assert reader.read(ours) == b""
    os.close(ours)
