"""The hostile programs: complete, told in words, harmless outside a jail, and stopped by what promises to stop them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import pytest

import sandbox
from sandbox import BARE, Limits, Probe, Process, SandboxError
from sandbox.attacks.jailed import ADMITTED
from sandbox.jail import Jail
from sandbox.local_process import spawn
from sandbox.trial import Attack, Verdict, attacks, run_attack, try_attacks
from tests.sandbox.jailed import Unavailable, begin
from tests.sandbox.unguarded import LOADER

linux = pytest.mark.skipif(sys.platform != "linux", reason="jails are Linux's")

KNOWN = {attack.name: attack for attack in attacks()}

DEMANDED = """
    tcp_connection udp_datagram abstract_socket path_socket vsock secret_files referee_environment command_lines
    write_outside fork_bomb memory_of_one memory_of_many fill_bytes fill_files sparse_file cpu_spin leave_core
    kill_referee signal_all signal_group trace_process process_memory other_memory steal_descriptor daemon
    new_namespaces
    clone_into_namespaces keyring kernel_programs ring_of_calls counters fault_handler other_numbers old_calls
    channel_file_locks channel_record_locks channel_open_locks channel_leases channel_watches channel_shared_memory
    channel_messages channel_semaphores channel_queues channel_files channel_abstract_sockets channel_host_name
    channel_process_names channel_process_files channel_signals left_links hard_links set_user_file odd_modes core_dump
    inherited_descriptors terminal_input set_user_programs huge_arguments kernel_files device_files load_average
    load_by_call raise_priority memory_of_files memory_score raise_limits deep_tree flood_stderr
"""
"""The rows of the table that the project was given, and the traps beside it."""

LAYERS = """
    user-namespace pid-namespace network-namespace ipc-namespace uts-namespace cgroup-namespace read-only-root
    scratch-size scratch-files seccomp no-new-privileges own-uid rlimits group-memory group-processes group-cpu
    landlock-files landlock-network landlock-scopes capabilities-dropped container
"""

HELD_ANYWAY = """
    channel_host_name core_dump cpu_spin daemon deep_tree fleeing_process flood_stderr inherited_descriptors
    inherited_environment kernel_log kernel_programs left_links mount mount_table odd_modes other_numbers pipe_holder
    set_user_programs terminal_input vsock counters fault_handler ring_of_calls keyring channel_keys old_calls
    channel_access_times channel_queues new_namespaces clone_into_namespaces join_namespaces
"""
"""What an ordinary user can't do on some machines, or is undone by what no backend goes without."""


def test_every_row_of_the_table_is_tried() -> None:
    assert set(DEMANDED.split()) <= KNOWN.keys()


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)
def test_an_attack_says_what_it_tries_and_how_one_knows(attack: Attack) -> None:
    assert attack.tries.endswith(".")
    assert attack.known_by.endswith(".")
    assert set(attack.stopped_by) <= set(LAYERS.split())


@pytest.mark.parametrize("words", [[], [ADMITTED, '{"word": "x"}']], ids=["plainly", "with the word"])
@pytest.mark.parametrize("name", KNOWN)
def test_an_attack_refuses_to_run_outside_a_jail(name: str, words: list[str], tmp_path: Path) -> None:
    if _under_a_filter():
        pytest.skip("these tests run in what the programs would take for a jail")
    done = subprocess.run(
        [sys.executable, "-m", f"sandbox.attacks.{name}", *words],
        cwd=Path(sandbox.__file__).parent.parent,
        env={"TMPDIR": str(tmp_path)},
        start_new_session=True,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "runs nowhere but in a jail" in done.stderr
    assert not list(tmp_path.iterdir())


def _under_a_filter() -> bool:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return False
    return "NoNewPrivs:\t1" in lines and "Seccomp:\t2" in lines


@pytest.fixture(scope="module")
def unguarded() -> dict[str, Verdict]:
    """Verdicts on the attacks where nothing holds them, as an ordinary user whom nobody else is."""
    names = sorted(KNOWN.keys() - set(HELD_ANYWAY.split()))
    root = Path(sandbox.__file__).parent.parent
    with tempfile.TemporaryDirectory() as folder:
        # Another user may not be able to enter the folder that this runs in.
        place = Path(folder)
        place.chmod(0o755)
        for package in ("sandbox", "tests/sandbox"):
            shutil.copytree(root / package, place / package, ignore=shutil.ignore_patterns("__pycache__"))
        (place / "tests" / "__init__.py").touch()
        (place / "tests" / "sandbox" / "conftest.py").unlink()
        # Nobody else's process is in reach, and all end with the first of their namespace.
        apart = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        limit = ["prlimit", "--nproc=400"]
        if os.geteuid() == 0:
            user = str(1_900_000_000 + os.getpid())
            command = [*apart, *limit, "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
        else:
            command = [*apart, "--user", "--map-current-user", *limit]
        python = next((one for one in ("/usr/bin/python3", sys.executable) if _runs([*command, one])), None)
        if python is None:
            pytest.skip("no Python of 3.11 or later runs apart from the rest here: see unshare(1), or install python3")
        command.append(python)
        done = subprocess.run(
            [*command, "-B", "-m", "tests.sandbox.unguarded", *names],
            cwd=place,
            env={"PATH": os.environ["PATH"]},
            start_new_session=True,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return {verdict.attack: verdict for verdict in (Verdict(**json.loads(line)) for line in done.stdout.splitlines())}


def _runs(command: Sequence[str]) -> bool:
    code = "import sys; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([*command, "-c", code], cwd="/", capture_output=True, check=False).returncode == 0


def _in_memory(folder: str) -> bool:
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True, check=True).stdout
    return kind.strip() in ("tmpfs", "ramfs")


@linux
@pytest.mark.parametrize("name", sorted(KNOWN.keys() - set(HELD_ANYWAY.split())))
def test_an_attack_gets_through_where_nothing_holds_it(unguarded: dict[str, Verdict], name: str) -> None:
    if name == "channel_page_cache" and _in_memory(tempfile.gettempdir()):
        pytest.skip("the files here lie in memory in any case")
    assert not unguarded[name].stopped, unguarded[name].how


class Instead:
    """A backend that runs a command of its own in the place of the attack."""

    name = "instead"
    tier = "bare"
    layers = ()
    clock: Literal["cpu", "wall"] = "cpu"

    def __init__(self, code: str) -> None:
        self.code = code

    def enter(self) -> None:
        pass

    def start(
        self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits, writable: bool = False
    ) -> Process:
        words = [sys.executable, "-I", "-S", "-c", self.code, command[-1]]
        return spawn(words, folder=folder, environment={}, program=sys.executable, home=str(scratch), jail=Jail())


@linux
@pytest.mark.parametrize(
    ("code", "stopped", "how"),
    [
        ("import os; os.kill(os.getpid(), 9)", True, "killed by signal 9"),
        ("import sys; sys.exit('nowhere but in a jail')", False, "exit status 1: nowhere but in a jail"),
        ("raise MemoryError", True, "exit status 1"),
        ("1 / 0", False, "ZeroDivisionError"),
        ("""print('{"through": false, "what": "refused"}')""", True, "refused"),
        ("""print('{"through": true, "what": "all of it"}')""", False, "all of it"),
        ("""print('{"burnt_us": 1000000}')""", False, "of 1000000 us are billed"),
        ("open('left', 'w'); print('{}')", False, "bot/left is changed"),
        ("import sys; print('x' * 99999, file=sys.stderr); print('{}')", True, "no witness saw anything"),
    ],
)
def test_a_verdict_is_by_what_was_seen(code: str, stopped: bool, how: str, tmp_path: Path) -> None:
    verdict = run_attack(KNOWN["tcp_connection"], Instead(code), tmp_path)
    assert (verdict.stopped, how in verdict.how) == (stopped, True), verdict
    assert not list(tmp_path.iterdir())


SENDER = """
import json, os, sys
if json.loads(sys.argv[1])["role"] == "receive":
    print('{"number": 0}')
    sys.exit()
"""


@linux
@pytest.mark.parametrize(
    ("code", "stopped", "how"),
    [
        ("1 / 0", False, "ZeroDivisionError"),
        ("sys.exit(0)", False, "the program itself failed: exit status 0"),
        ("print('{}')", False, "neither sent nor was it refused"),
        ("""print('{"through": false, "what": "not permitted"}')""", True, "not permitted"),
        ("os.kill(os.getpid(), 31)", True, "killed by signal 31"),
        ("""print('{"sent": true}', flush=True); sys.stdin.read()""", True, "nothing arrives"),
    ],
)
def test_a_channel_is_stopped_only_if_its_sender_sent_or_was_refused(
    code: str, stopped: bool, how: str, tmp_path: Path
) -> None:
    verdict = run_attack(KNOWN["channel_files"], Instead(SENDER + code), tmp_path)
    assert (verdict.stopped, how in verdict.how) == (stopped, True), verdict


@linux
def test_a_receiver_that_is_late_still_hears_its_sender(tmp_path: Path) -> None:
    code = """
import json, os, sys
given = json.loads(sys.argv[1])
note = os.path.join(os.path.dirname(os.getcwd()), "scratch", "note")
if given["role"] == "send":
    open(note, "w").write(str(given["number"]))
    print('{"sent": true}', flush=True)
    sys.stdin.read()
print(json.dumps({"number": int(open(note).read())}))
"""
    verdict = run_attack(KNOWN["channel_files"], Instead(code), tmp_path)
    assert "was passed on to the same match" in verdict.how


@linux
def test_what_fails_in_the_place_of_another_match_is_told(fresh_python: Callable[..., str]) -> None:
    said = fresh_python("""
from sandbox.trial_partner import Partner
from sandbox.trial_program import Part
before = os.listdir("/proc/self/fd")
def elsewhere():
    raise sandbox.SandboxError("the door is shut")
partner = Partner(elsewhere)
try:
    partner.play(Part("channel_files", "", Path("."), sandbox.Limits(64, 32, 8)))
except sandbox.SandboxError as error:
    print(error)
partner.close()
print(os.listdir("/proc/self/fd") == before, children())
""")
    assert said.splitlines() == ["the process that stands for another match has failed: the door is shut", "True []"]


@linux
def test_attacks_are_not_tried_where_nothing_holds_them() -> None:
    with pytest.raises(SandboxError, match="bare, which holds nothing here"):
        try_attacks(BARE, attacks())


@linux
@pytest.mark.parametrize(("word", "status"), [(None, 2), ("another", 2), ("sesame", 0)])
def test_an_attack_runs_only_in_a_folder_that_the_trial_laid_out(word: str | None, status: int, tmp_path: Path) -> None:
    if word is not None:
        (tmp_path / "admission").write_text(word)
    attack = [sys.executable, "-m", "sandbox.attacks.personality", ADMITTED, '{"word": "sesame"}']
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADER, *attack],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(sandbox.__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, bool(done.stdout)) == (status, status == 0), done.stderr


WEAK = Probe("landlock", "confined", ("seccomp",), "cpu", ())


@pytest.fixture
def sham_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Have Python code run as the process that tries attacks; the folder for what it may leave."""

    def make(code: str) -> Path:
        script = tmp_path / "worker"
        script.write_text(
            f"#!{sys.executable} -IS\nimport json, os, subprocess, sys\ngiven = json.load(sys.stdin)\n{code}"
        )
        script.chmod(0o755)
        left = tmp_path / "left"
        left.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(left))
        monkeypatch.setattr("sys.executable", str(script))
        return left

    return make


@linux
def test_verdicts_that_come_at_once_are_all_taken(sham_worker: Callable[[str], Path]) -> None:
    sham_worker("""
lines = [json.dumps({"attack": name, "stopped": True, "how": "so"}) for name in given["attacks"]]
os.write(1, "".join(line + "\\n" for line in lines).encode())
sys.stdout.close()
os.close(1)
os.kill(os.getpid(), 19)
""")
    chosen = [KNOWN["tcp_connection"], KNOWN["fork_bomb"]]
    verdicts = list(try_attacks(WEAK, chosen, jobs=1))
    assert [(one.attack, one.stopped) for one in verdicts] == [("tcp_connection", True), ("fork_bomb", True)]


@linux
def test_who_dies_before_a_verdict_is_told_with_its_last_words(sham_worker: Callable[[str], Path]) -> None:
    sham_worker("sys.exit('first\\nno room')")
    (verdict,) = try_attacks(WEAK, [KNOWN["tcp_connection"]])
    assert (verdict.stopped, verdict.how) == (False, "the process that tried it ended: no room")


@linux
def test_a_trial_that_is_given_up_leaves_no_process_and_no_folder(
    sham_worker: Callable[[str], Path], alive: Callable[[int], bool]
) -> None:
    left = sham_worker("""
home = given["place"] + "/home"
os.mkdir(home)
os.chmod(home, 0)
near = subprocess.Popen(["sleep", "1000"])
far = subprocess.Popen(["sleep", "1000"], env={**os.environ, "HOME": home, "TMPDIR": home}, start_new_session=True)
how = json.dumps([near.pid, far.pid])
print(json.dumps({"attack": given["attacks"][0], "stopped": True, "how": how}), flush=True)
near.wait()
""")
    tried = try_attacks(WEAK, [KNOWN["tcp_connection"], KNOWN["fork_bomb"]], jobs=1)
    pids = json.loads(next(iter(tried)).how)
    assert all(alive(pid) for pid in pids)
    tried.close()
    assert not any(alive(pid) for pid in pids)
    assert not list(left.iterdir())


ALWAYS = "capabilities-dropped no-new-privileges rlimits scratch-files scratch-size seccomp"
APART = "cgroup-namespace ipc-namespace network-namespace pid-namespace read-only-root uts-namespace"
GROUP = "group-cpu group-memory group-processes own-uid"
LANDLOCK = "landlock-files landlock-network landlock-scopes"

EXPECTED = {
    ("bubblewrap", "root"): ("full", f"{ALWAYS} {APART} {GROUP} user-namespace"),
    ("bubblewrap", "an ordinary user"): ("isolated", f"{ALWAYS} {APART} user-namespace"),
    ("docker", "root"): ("full", f"{ALWAYS} {APART} {GROUP} container"),
    ("landlock", "root"): ("confined", f"{ALWAYS} {GROUP} {LANDLOCK}"),
    ("landlock", "an ordinary user"): ("confined", f"{ALWAYS} {LANDLOCK}"),
}
"""What holds at least where everything has been installed; an ordinary user may have no control groups there."""

TRIAL = """
import json, os, sys
from dataclasses import asdict
from sandbox import probe
from sandbox.trial import attacks, try_attacks
name, host = sys.argv[1:]
if host:
    os.environ["DOCKER_HOST"] = host
(found,) = probe(name)
print(json.dumps(found.to_json()), flush=True)
if found.works:
    for verdict in try_attacks(found, attacks(), jobs=4):
        print(json.dumps(asdict(verdict)), flush=True)
"""


@linux
@pytest.mark.parametrize(("name", "user"), EXPECTED)
def test_what_a_backend_promises_to_stop_is_stopped(name: str, user: str) -> None:
    try:
        host = os.environ.get("HARNESS_TEST_DOCKER", "") if name == "docker" else ""
        process = begin(user, TRIAL, name, host, light=True)
    except Unavailable as error:
        pytest.skip(str(error))
    with process:
        try:
            said, _ = process.communicate(timeout=280)
        finally:
            process.kill()
    first, *lines = said.splitlines()
    found = Probe.from_json(json.loads(first))
    if os.environ.get("HARNESS_NO_SKIPS") == "1":
        tier, layers = EXPECTED[name, user]
        assert (found.tier, set(layers.split()) - set(found.layers)) == (tier, set()), found.missing
    elif not found.works:
        pytest.skip("; ".join(found.missing))
    verdicts = [Verdict(**json.loads(line)) for line in lines]
    assert sorted(verdict.attack for verdict in verdicts) == sorted(KNOWN)
    through = {one.attack: one.how for one in verdicts if not one.stopped and KNOWN[one.attack].promised(found.layers)}
    assert through == {}
