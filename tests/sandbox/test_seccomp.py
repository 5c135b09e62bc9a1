"""The filter of system calls, in force: calls are made by their numbers, and programs of all kinds are run."""

from __future__ import annotations

import ctypes.util
import errno
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sandbox import SandboxError, seccomp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")

PATIENCE_S = 120.0
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
HIGH = 1 << 32
CREATE = os.O_CREAT | os.O_WRONLY
SIGCHLD = 17

LOAD = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]
def load(place):
    code = open(place, "rb").read()
    program = Program(len(code) // 8, code)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the filter was not taken")
"""
RUN = LOAD + "load(sys.argv[1]); os.execvp(sys.argv[2], sys.argv[2:])"

# Makes the calls it is given, each in a process of its own, and tells their errors. A word for text, a list for room.
CALL = (
    LOAD
    + """
import json
def call(number, *arguments):
    kept = [ctypes.create_string_buffer(a.encode() if isinstance(a, str) else a[0])
            if isinstance(a, (str, list)) else ctypes.c_ulong(a) for a in arguments]
    libc.syscall.restype = ctypes.c_long
    return libc.syscall(ctypes.c_long(number), *kept)
def error_of(wanted):
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        me = os.getpid()
        error = ctypes.get_errno() if call(*wanted) < 0 else 0
        if os.getpid() == me:
            os.write(mouth, str(error).encode())
        os._exit(0)
    os.close(mouth)
    _, status = os.waitpid(child, 0)
    told = os.read(ear, 16)
    os.close(ear)
    return int(told) if told else f"ended with {status}"
if sys.argv[1]:
    load(sys.argv[1])
json.dump([error_of(wanted) for wanted in json.load(sys.stdin)], sys.stdout)
"""
)

REFUSED: dict[str, list[Any]] = {
    # What does nothing, or fails in another way, on a machine without the filter.
    "unshare": [0],
    "inotify_init1": [0],
    "inotify_add_watch": [-1, "/usr", 1],
    "mincore": [1, 1, [8]],
    "fadvise64": [-1, 0, 0, 0],
    "readahead": [-1, 0, 0],
    "shmget": [0, 0, 0],
    "shmat": [-1, 0, 0],
    "semget": [0, -1, 0],
    "msgget": [0x7A5C0DE, 0],
    "mq_open": [0, 0],
    "keyctl": [99],
    "add_key": [0, 0, 0, 0, 0],
    "request_key": [0, 0, 0, 0],
    "ptrace": [3, 0, 0, 0],
    "process_vm_readv": [0, 0, 0, 0, 0, 0],
    "process_vm_writev": [0, 0, 0, 0, 0, 0],
    "process_madvise": [-1, 0, 0, 0, 0],
    "pidfd_getfd": [-1, 0, 0],
    "get_robust_list": [0, [8], [8]],
    "remap_file_pages": [1, 0, 0, 0, 0],
    "vmsplice": [-1, 0, 0, 0],
    "seccomp": [2, 0, 0],
    "sched_setaffinity": [0, 0, 0],
    "sched_setscheduler": [0, -1, 0],
    "sched_setattr": [0, 0, 0],
    "setpriority": [0, 0, 0],
    "ioprio_set": [9, 0, 0],
    "sync": [],
    "syncfs": [-1],
    "setns": [-1, 0],
    "adjtimex": [0],
}
CLOSED_ANYWAY: dict[str, list[Any]] = {
    # What most machines refuse to most users in the same words.
    "mount": [0, 0, 0, 0, 0],
    "umount2": [0, 0],
    "fsopen": [0, 0],
    "fsmount": [-1, 0, 0],
    "move_mount": [-1, 0, -1, 0, 0],
    "open_tree": [-1, 0, 1],
    "mount_setattr": [-1, 0, 0, 0, 0],
    "pivot_root": [0, 0],
    "chroot": [0],
    "fanotify_init": [-1, 0],
    "name_to_handle_at": [-1, 0, 0, 0, -1],
    "open_by_handle_at": [-1, 0, 0],
    "kcmp": [0, 0, -1, 0, 0],
    "bpf": [-1, 0, 0],
    "perf_event_open": [0, 0, 0, -1, 0],
    "io_uring_setup": [0, 0],
    "io_uring_enter": [-1, 0, 0, 0, 0],
    "io_uring_register": [-1, 0, 0, 0],
    "userfaultfd": [1 << 20],
    "memfd_secret": [1 << 20],
    "mbind": [1, 0, -1, 0, 0, -1],
    "set_mempolicy": [-1, 0, 0],
    "move_pages": [0, 0, 0, 0, 0, -1],
    "settimeofday": [0, 0],
    "clock_settime": [99, 0],
    "reboot": [0, 0, 0, 0],
    "kexec_load": [0, 0, 0, -1],
    "init_module": [0, 0, 0],
    "finit_module": [-1, 0, -1],
    "delete_module": [0, -1],
    "swapon": [0, -1],
    "swapoff": [0],
    "acct": [1],
    "quotactl": [0, 0, 0, 0],
    "sethostname": [0, -1],
    "setdomainname": [0, -1],
    "syslog": [99, 0, 0],
}
X86_ONLY = {"iopl": [99], "ioperm": [-1, 0, 0], "modify_ldt": [99, 0, 0]}

# Label: call, arguments, error with namespaces, error without.
PARTLY: dict[str, tuple[str, list[Any], int, int]] = {
    "clone as fork": ("clone", [SIGCHLD, 0, 0, 0, 0], 0, 0),
    "clone with bits that the kernel drops": ("clone", [HIGH | SIGCHLD, 0, 0, 0, 0], errno.ENOSYS, errno.ENOSYS),
    "a sibling": ("clone", [0x8000 | SIGCHLD, 0, 0, 0, 0], errno.EPERM, errno.EPERM),
    **{
        f"a new {kind} namespace{place}": ("clone", [high | flag | SIGCHLD, 0, 0, 0, 0], errno.EPERM, errno.EPERM)
        for kind, flag in {
            "mount": 0x00020000,
            "cgroup": 0x02000000,
            "uts": 0x04000000,
            "ipc": 0x08000000,
            "user": 0x10000000,
            "pid": 0x20000000,
            "net": 0x40000000,
        }.items()
        for place, high in {"": 0, " with bits that the kernel drops": HIGH}.items()
    },
    "clone3": ("clone3", [0, 0], errno.ENOSYS, errno.ENOSYS),
    "openat2": ("openat2", [-100, "/usr", 0, 0], errno.ENOSYS, errno.ENOSYS),
    "a call that no kernel has": ("", [4095], errno.ENOSYS, errno.ENOSYS),
    "a local socket": ("socket", [1, 1, 0], 0, errno.EPERM),
    "an internet socket": ("socket", [2, 1, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "an internet socket of version 6": ("socket", [10, 1, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "a netlink socket": ("socket", [16, 3, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "a socket to the machine's host": ("socket", [40, 1, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "an internet socket with bits that the kernel drops": ("socket", [HIGH | 2, 1, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "a local socket with bits that the kernel drops": ("socket", [HIGH | 1, 1, 0], errno.EAFNOSUPPORT, errno.EPERM),
    "connecting": ("connect", [-1, 0, 0], errno.EBADF, errno.EPERM),
    "binding": ("bind", [-1, 0, 0], errno.EBADF, errno.EPERM),
    "a connected pair": ("socketpair", [1, 1, 0, [8]], 0, 0),
    "a connected pair with flags": ("socketpair", [1, 0o2004005, 0, [8]], 0, 0),
    "a pair that can send to others": ("socketpair", [1, 2, 0, [8]], 0, errno.ENOSYS),
    "the same by its other name": ("socketpair", [1, 3, 0, [8]], 0, errno.ENOSYS),
    "a packet filter": ("setsockopt", [-1, 1, 26, 0, 0], errno.ENOSYS, errno.ENOSYS),
    "the size of a buffer": ("setsockopt", [-1, 1, 7, 0, 0], errno.EBADF, errno.EBADF),
    "pushing input": ("ioctl", [0, 0x5412, "x"], errno.EPERM, errno.EPERM),
    "pushing input with bits that the kernel drops": ("ioctl", [0, HIGH | 0x5412, "x"], errno.ENOSYS, errno.ENOSYS),
    "pasting on a console": ("ioctl", [0, 0x541C, "x"], errno.EPERM, errno.EPERM),
    "how much there is to read": ("ioctl", [-1, 0x541B, [8]], errno.EBADF, errno.EBADF),
    "a copy of a descriptor": ("fcntl", [1, 1030, 3], 0, 0),
    "a lock on a part of a file": ("fcntl", [-1, 6, [64]], errno.ENOSYS, errno.ENOSYS),
    "waiting for one": ("fcntl", [-1, 7, [64]], errno.ENOSYS, errno.ENOSYS),
    "looking for one": ("fcntl", [-1, 5, [64]], errno.ENOSYS, errno.ENOSYS),
    "a lock of an open file": ("fcntl", [-1, 37, [64]], errno.ENOSYS, errno.ENOSYS),
    "a lease": ("fcntl", [-1, 1024, 0], errno.EPERM, errno.EPERM),
    "notes on a folder": ("fcntl", [-1, 1026, 1], errno.EPERM, errno.EPERM),
    "a signal for another": ("fcntl", [-1, 8, 1], errno.EPERM, errno.EPERM),
    "a larger pipe": ("fcntl", [-1, 1031, 1 << 20], errno.EPERM, errno.EPERM),
    "a lock that may wait": ("flock", [-1, 2], errno.ENOSYS, errno.ENOSYS),
    "a shared lock": ("flock", [-1, 5], errno.ENOSYS, errno.ENOSYS),
    "a lock at once, which is pretended": ("flock", [-1, 6], 0, 0),
    "giving back memory": ("madvise", [0, 0, 4], 0, 0),
    "sharing memory with what looks the same": ("madvise", [0, 0, 12], errno.EPERM, errno.EPERM),
    "putting pages away": ("madvise", [0, 0, 21], errno.EPERM, errno.EPERM),
    "its own limits": ("prlimit64", [0, 7, 0, [16]], 0, 0),
    "the limits of another": ("prlimit64", [1, 7, 0, [16]], errno.EPERM, errno.EPERM),
    "its name": ("prctl", [15, "bot", 0, 0, 0], 0, 0),
    "closing itself to the harness": ("prctl", [4, 0, 0, 0, 0], errno.EPERM, errno.EPERM),
    "letting others trace it": ("prctl", [0x59616D61, -1, 0, 0, 0], errno.EPERM, errno.EPERM),
    "a filter of its own": ("prctl", [22, 2, 0, 0, 0], errno.EPERM, errno.EPERM),
    "asking for its personality": ("personality", [0xFFFFFFFF], 0, 0),
    "fixed addresses": ("personality", [0x0040000], errno.ENOSYS, errno.ENOSYS),
    "a new file": ("openat", [-100, "new", CREATE, 0o755], 0, 0),
    "a new file that others run as this user": ("openat", [-100, "setuid", CREATE, 0o4755], errno.EPERM, errno.EPERM),
    "the same for a group": ("openat", [-100, "setgid", CREATE, 0o2755], errno.EPERM, errno.EPERM),
    "one without a name": ("openat", [-100, ".", os.O_TMPFILE | os.O_WRONLY, 0o4755], errno.EPERM, errno.EPERM),
    "a file that is there, with a mode of no meaning": ("openat", [-100, "/dev/null", 0, -1], 0, 0),
    "a node that others run as this user": ("mknodat", [-100, "node", 0o104755, 0], errno.EPERM, errno.EPERM),
    "a mode": ("fchmodat", [-100, "file", 0o755], 0, errno.EPERM),
    "a mode for others to run it as this user": ("fchmodat", [-100, "file", 0o4755], errno.EPERM, errno.EPERM),
    "an owner": ("fchownat", [-100, "file", -1, -1, 0], 0, errno.EPERM),
    "a time": ("utimensat", [-100, "file", 0, 0], 0, errno.EPERM),
    "an attribute": ("setxattr", ["nowhere", "user.x", "x", 1, 0], errno.ENOENT, errno.EPERM),
}
X86_PARTLY: dict[str, tuple[str, list[Any], int, int]] = {
    "a file that is there": ("open", ["/dev/null", 0, -1], 0, 0),
    "a new file that others run as this user": ("open", ["old", CREATE, 0o4755], errno.EPERM, errno.EPERM),
    "the same by another call": ("creat", ["old", 0o4755], errno.EPERM, errno.EPERM),
    "a mode": ("chmod", ["file", 0o755], 0, errno.EPERM),
    "a mode for others to run it as this user": ("chmod", ["file", 0o2755], errno.EPERM, errno.EPERM),
}

COMPAT = """
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, getpid as 32-bit programs number it; int 0x80; ret
at = ctypes.addressof(ctypes.c_char.from_buffer(page))
ask = ctypes.CFUNCTYPE(ctypes.c_int)(at)
if len(sys.argv) > 1:
    load(sys.argv[1])
print(ask(), os.getpid())
"""

C = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *numbers) { qsort(numbers, 50000, sizeof(int), order); return numbers; }
int main(void) {
    static int numbers[50000];
    for (int i = 0; i < 50000; i++) numbers[i] = (i * 7919) % 50021;
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, numbers) || pthread_join(thread, NULL)) return 1;
    printf("sorted %d\\n", numbers[0]);
    fflush(stdout);
    if (!fork()) _exit(7);
    int status;
    wait(&status);
    printf("child %d\\n", WEXITSTATUS(status));
    fflush(stdout);
    return system("echo shell");
}
"""
PYTHON = """
import asyncio, multiprocessing, os, shutil, socket, subprocess, tempfile, threading
def square(number): return number * number
async def wait():
    return await (await asyncio.create_subprocess_exec("true")).wait()
if __name__ == "__main__":
    thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
    print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool: print(pool.map(square, [1, 2, 3]))
    print(asyncio.run(wait()))
    one, other = socket.socketpair(); one.send(b"x"); print(other.recv(1))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(__file__, folder + "/copy"); print(os.listdir(folder))
    print(os.sysconf("SC_PHYS_PAGES"))
"""
NODE = """
const { Worker, isMainThread, parentPort } = require('worker_threads');
const child = require('child_process');
const fs = require('fs');
if (!isMainThread) parentPort.postMessage('worker');
else if (process.argv[2]) process.send('forked');
else new Worker(__filename).on('message', async (said) => {
    console.log(said);
    console.log(child.execSync('echo child').toString().trim());
    await fs.promises.writeFile('written', 'x');
    console.log(await fs.promises.readFile('written', 'utf8'));
    child.fork(__filename, ['again']).on('message', (message) => console.log(message));
});
"""
JAVA = """
import java.nio.file.*;
import java.util.concurrent.*;
public class Bot {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        System.out.println("threads " + pool.submit(() -> 6 * 7).get());
        pool.shutdown();
        System.out.println("child " + new ProcessBuilder("sh", "-c", "exit 7").start().waitFor());
        Files.writeString(Path.of("written"), "x");
        System.out.println(Files.readString(Path.of("written")) + new java.util.Random(1).nextInt(1));
    }
}
"""


@pytest.fixture(scope="module", autouse=True)
def available() -> None:
    if (reason := seccomp.unavailable()) is not None:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def filters(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    folder = tmp_path_factory.mktemp("filters")
    places = {namespaces: folder / str(namespaces) for namespaces in (True, False)}
    for namespaces, place in places.items():
        place.write_bytes(seccomp.program(namespaces=namespaces))
    return places


def number_of(name: str) -> int:
    import pyseccomp

    number: int = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    assert number >= 0, f"no call {name} here"
    return number


def errors(filter_: Path | None, calls: Iterable[tuple[str, list[Any]]], folder: Path) -> list[int]:
    """What these calls fail with; 0 for those that don't."""
    wanted = [[number_of(name), *arguments] if name else arguments for name, arguments in calls]
    (folder / "file").touch()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CALL, str(filter_ or "")],
        input=json.dumps(wanted),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    answers: list[int] = json.loads(done.stdout)
    return answers


def run(
    filter_: Path, command: list[str], folder: Path, environment: dict[str, str] = ENVIRONMENT
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN, str(filter_), *command],
        cwd=folder,
        env={**environment, "HOME": str(folder), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def said(error: int) -> str:
    return errno.errorcode.get(error, str(error))


def have(*programs: str) -> None:
    for name in programs:
        if shutil.which(name) is None:
            pytest.skip(f"there is no {name}")


@pytest.mark.parametrize("namespaces", [True, False])
def test_calls_that_are_refused_fail_with_EPERM(namespaces: bool, filters: dict[bool, Path], tmp_path: Path) -> None:
    calls = REFUSED | CLOSED_ANYWAY | (X86_ONLY if platform.machine() == "x86_64" else {})
    answers = dict(zip(calls, errors(filters[namespaces], calls.items(), tmp_path), strict=True))
    assert {name: said(error) for name, error in answers.items()} == dict.fromkeys(calls, "EPERM")


def test_it_is_the_filter_that_refuses_them(tmp_path: Path) -> None:
    answers = dict(zip(REFUSED, errors(None, REFUSED.items(), tmp_path), strict=True))
    assert [name for name, error in answers.items() if error == errno.EPERM] == []


@pytest.mark.parametrize("namespaces", [True, False])
def test_calls_are_let_through_by_their_arguments(namespaces: bool, filters: dict[bool, Path], tmp_path: Path) -> None:
    table = dict(PARTLY)
    if platform.machine() == "x86_64":
        table |= {f"{label} (x86)": case for label, case in X86_PARTLY.items()}
    answers = errors(filters[namespaces], [(name, arguments) for name, arguments, _, _ in table.values()], tmp_path)
    expected = {label: said(inside if namespaces else without) for label, (_, _, inside, without) in table.items()}
    assert dict(zip(table, map(said, answers), strict=True)) == expected


def test_a_user_who_owns_nothing_else_may_change_modes_without_namespaces(tmp_path: Path) -> None:
    place = tmp_path / "filter"
    place.write_bytes(seccomp.program(namespaces=False, own_user=True))
    calls = [PARTLY[label][:2] for label in ("a mode", "a time", "a mode for others to run it as this user")]
    assert errors(place, calls, tmp_path) == [0, 0, errno.EPERM]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other numbers for the same calls are an affair of x86-64")
@pytest.mark.parametrize("namespaces", [True, False])
def test_the_numbers_of_32_bit_programs_fail_and_kill_nobody(
    namespaces: bool, filters: dict[bool, Path], tmp_path: Path
) -> None:
    x32 = 0x40000000
    assert errors(filters[namespaces], [("", [x32 | 39]), ("", [x32 | 0])], tmp_path) == [errno.ENOSYS, errno.ENOSYS]

    def ask(*filter_: str) -> list[int]:
        command = [sys.executable, "-I", "-S", "-c", LOAD + COMPAT, *filter_]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        return [int(word) for word in done.stdout.split()]

    answer, _ = ask(str(filters[namespaces]))
    assert answer == -errno.ENOSYS


@pytest.mark.parametrize("namespaces", [True, False])
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["bash", "-c", "echo $(echo one) | cat; sleep 0 & wait; ulimit -n 50; ulimit -n"], "one\n50\n"),
        (["perl", "-e", "print `echo one`; print 6 * 7; exit(wait() + 1) if !fork(); wait; print $? >> 8"], "one\n420"),
    ],
    ids=["bash", "perl"],
)
def test_scripts_run(
    namespaces: bool, command: list[str], expected: str, filters: dict[bool, Path], tmp_path: Path
) -> None:
    have(command[0])
    done = run(filters[namespaces], command, tmp_path)
    assert (done.stdout, done.stderr) == (expected, "")


@pytest.mark.parametrize("namespaces", [True, False])
def test_python_runs_and_knows_how_much_memory_there_is(
    namespaces: bool, filters: dict[bool, Path], tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(PYTHON)
    done = run(filters[namespaces], [sys.executable, "bot.py"], tmp_path)
    assert done.stderr == ""
    pages = os.sysconf("SC_PHYS_PAGES")
    assert done.stdout.splitlines() == ["thread", "child", *["[1, 4, 9]"] * 2, "0", "b'x'", "['copy']", str(pages)]


@pytest.mark.parametrize("namespaces", [True, False])
def test_node_runs(namespaces: bool, filters: dict[bool, Path], tmp_path: Path) -> None:
    have("node")
    (tmp_path / "bot.js").write_text(NODE)
    done = run(filters[namespaces], ["node", "bot.js"], tmp_path)
    assert (done.stdout.split(), done.stderr) == (["worker", "child", "x", "forked"], "")


def test_c_is_compiled_and_runs(filters: dict[bool, Path], tmp_path: Path) -> None:
    have("gcc")
    (tmp_path / "bot.c").write_text(C)
    built = run(filters[True], ["gcc", "-O1", "-pthread", "-o", "bot", "bot.c"], tmp_path)
    assert (built.returncode, built.stderr) == (0, "")
    for filter_ in filters.values():
        assert run(filter_, ["./bot"], tmp_path).stdout.split("\n") == ["sorted 0", "child 7", "shell", ""]


def test_java_is_compiled_and_runs_and_says_nothing_of_its_own(filters: dict[bool, Path], tmp_path: Path) -> None:
    have("javac", "java")
    (tmp_path / "Bot.java").write_text(JAVA)
    for filter_ in filters.values():
        built = run(filter_, ["javac", "Bot.java"], tmp_path)
        assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
        done = run(filter_, ["java", "Bot"], tmp_path)
        assert (done.stdout.split("\n"), done.stderr) == (["threads 42", "child 7", "x0", ""], "")


def test_rights_can_be_given_away_under_the_filter(filters: dict[bool, Path], tmp_path: Path) -> None:
    have("setpriv")
    if os.geteuid():
        pytest.skip("to become another user takes root")
    drop = ["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    done = run(filters[True], [*drop, "--", "sh", "-c", "id -u; grep CapBnd /proc/self/status"], tmp_path)
    assert done.stdout.split() == ["65533", "CapBnd:", "0" * 16], done.stderr


def test_bubblewrap_takes_it(filters: dict[bool, Path], tmp_path: Path) -> None:
    have("bwrap")
    jail = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    with filters[True].open("rb") as file:
        words = ["sh", "-c", "grep Seccomp: /proc/self/status; unshare --user true"]
        command = [*jail, "--seccomp", str(file.fileno()), "--", *words]
        done = subprocess.run(
            command, pass_fds=[file.fileno()], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    assert done.stdout.split() == ["Seccomp:", "2"], done.stderr
    assert "unshare failed: Operation not permitted" in done.stderr


def test_it_is_small_enough_for_the_kernel_and_the_same_each_time() -> None:
    for namespaces in (True, False):
        code = seccomp.program(namespaces=namespaces)
        assert len(code) % 8 == 0
        assert len(code) // 8 <= 4096  # BPF_MAXINSNS
        assert seccomp.program(namespaces=namespaces) == code


def test_another_architecture_has_none_and_is_told_which_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    reason = seccomp.unavailable()
    assert reason is not None
    assert "x86_64" in reason
    assert "riscv64" in reason


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    seccomp.program.cache_clear()
    assert "pip install pyseccomp" in (seccomp.unavailable() or "")
    with pytest.raises(SandboxError, match="pip install pyseccomp"):
        seccomp.program(namespaces=True)


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    seccomp.program.cache_clear()
    assert "apt-get install libseccomp2" in (seccomp.unavailable() or "")
    with pytest.raises(SandboxError, match="apt-get install libseccomp2"):
        seccomp.program(namespaces=True)


def test_where_the_kernel_takes_none_it_says_so(filters: dict[bool, Path], tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(Path(seccomp.__file__).parent.parent)!r})\n"
    code += "from sandbox import seccomp; print(seccomp.unavailable())"
    done = run(filters[True], [sys.executable, "-c", code], tmp_path)
    assert "takes no filters" in done.stdout, done.stderr
