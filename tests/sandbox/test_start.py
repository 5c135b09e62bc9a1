"""Starting a program: what it finds there, and why it may not start."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sandbox import Backend, Limits, Process, SandboxError, StartFailed, system_path
from sandbox.program_format import check_format

Start = Callable[..., Process]
Line = Callable[[Process], str]


def _script(file: Path, text: str, mode: int = 0o755) -> Path:
    file.write_text(text)
    file.chmod(mode)
    return file


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_the_environment_is_path_home_and_tmpdir(start: Start, line: Line, scratch: Path) -> None:
    found = line(start(["sh", "-c", "env -0 | tr '\\0' '|'; echo"]))
    names = {entry.partition("=")[0]: entry.partition("=")[2] for entry in found.strip("|").split("|")}
    for added_by_sh in ("PWD", "OLDPWD", "SHLVL", "_"):
        names.pop(added_by_sh, None)
    assert names == {"PATH": system_path(), "HOME": str(scratch), "TMPDIR": str(scratch)}


def test_python_sees_exactly_three_names(python: Start, line: Line) -> None:
    # LC_CTYPE is set by Python itself when it coerces the C locale.
    assert line(python("import os; print(*sorted(set(os.environ) - {'LC_CTYPE'}))")) == "HOME PATH TMPDIR"


def test_only_the_three_streams_are_open(python: Start, line: Line) -> None:
    held = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(held, True)
    try:
        # The listing itself takes one descriptor, which is gone when the names are looked at.
        code = "import os; f = '/proc/self/fd/'; print(*(n for n in os.listdir(f) if os.path.exists(f + n)))"
        assert line(python(code)) == "0 1 2"
    finally:
        os.close(held)


def test_it_runs_in_its_folder(start: Start, line: Line, tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    assert line(start(["pwd"], folder)) == str(folder.resolve())


def test_a_program_in_its_folder_is_named_from_there(start: Start, line: Line, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    _script(tmp_path / "bin" / "bot", "#!/bin/sh\necho here $0 $1\n")
    assert line(start(["bin/bot", "x"])) == "here bin/bot x"
    assert line(start(["./bin/bot", "y"])) == "here ./bin/bot y"


def test_it_has_no_controlling_terminal_and_a_session_of_its_own(python: Start, line: Line) -> None:
    process = python(
        "import os\n"
        "try: os.open('/dev/tty', os.O_RDWR); tty = True\n"
        "except OSError: tty = False\n"
        "print(tty, os.getsid(0) == os.getpid() == os.getpgid(0))"
    )
    assert line(process) == "False True"


def test_a_shell_is_given_sigpipe_at_its_default(start: Start, line: Line) -> None:
    ignored = int(line(start(["sh", "-c", "grep SigIgn /proc/$$/status | cut -f2"])), 16)
    assert not ignored & (1 << 12)


def test_no_core_is_dumped(python: Start, line: Line) -> None:
    process = python("import resource; input(); print(resource.getrlimit(resource.RLIMIT_CORE))")
    process.write(b"\n")
    assert line(process) == "(0, 0)"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([], "empty"),
        (["no-such-program-here"], "no program 'no-such-program-here' on this machine's PATH"),
        (["./missing"], "'./missing' is not there"),
        (["./file/below"], "can't be reached"),
        (["./folder"], "is no file"),
        (["./plain"], "not executable"),
        (["./no-interpreter"], "needs the interpreter '/no/such/interpreter'"),
        (["./carriage-return"], "carriage return"),
        (["./no-program"], "nothing that this machine can run"),
        (["./loop"], "can't be reached"),
        (["sh", "-c", "a\0b"], "NUL"),
        (["sh", "x" * 4_000_000], "can't be run"),
    ],
)
def test_what_can_not_be_run_says_why(start: Start, tmp_path: Path, command: Sequence[str], reason: str) -> None:
    (tmp_path / "folder").mkdir()
    _script(tmp_path / "file", "")
    _script(tmp_path / "plain", "#!/bin/sh\n", 0o644)
    _script(tmp_path / "no-interpreter", "#!/no/such/interpreter -x\n")
    _script(tmp_path / "carriage-return", "#!/bin/sh\r\necho\r\n")
    _script(tmp_path / "no-program", "just text\n")
    (tmp_path / "loop").symlink_to("loop")
    before = _descriptors()
    with pytest.raises(StartFailed, match=reason):
        start(command)
    assert _descriptors() == before


def test_a_missing_folder_says_so(start: Start, tmp_path: Path) -> None:
    with pytest.raises(StartFailed, match=r"folder .*gone is not there"):
        start(["true"], tmp_path / "gone")


def test_a_program_not_executable_on_path_is_passed_over(
    start: Start, line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, mode in (("a", 0o644), ("b", 0o755)):
        (tmp_path / folder).mkdir()
        _script(tmp_path / folder / "bot", f"#!/bin/sh\necho {folder}\n", mode)
    monkeypatch.setattr("sandbox.bare.system_path", lambda: f"{tmp_path}/a:{tmp_path}/b:/usr/bin:/bin")
    assert line(start(["bot"])) == "b"


def test_a_machine_short_of_descriptors_is_no_fault_of_the_program(fresh_python: Callable[[str], str]) -> None:
    said = fresh_python("""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
for free in range(20):
    held = []
    try:
        while True: held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError: pass
    for _ in range(free): os.close(held.pop())
    before = os.dup(0) if free else -1
    if free: os.close(before)
    try: start("", Path("/tmp")).close(); said = "ran"
    except sandbox.StartFailed: said = "blamed"
    except sandbox.SandboxError as error: said = "machine"
    after = os.dup(0) if free else -1
    for descriptor in held + [after] * bool(free): os.close(descriptor)
    assert before == after
    print(said)
print(children())
""").split()
    assert said[-1] == "[]"
    assert said[0] == "machine"
    assert said[-2] == "ran"
    assert "blamed" not in said


def test_an_ignored_sigchld_or_a_deadly_sigpipe_is_put_right(fresh_python: Callable[[str], str]) -> None:
    said = fresh_python("""
signal.signal(signal.SIGCHLD, signal.SIG_IGN); signal.signal(signal.SIGPIPE, signal.SIG_DFL)
p = start("import os; os.close(0); print(1, flush=True); import sys; sys.exit(7)", Path("/tmp"))
line(p); ready(p.exit_fd); p.write(b"x"); print(p.ended(), p.stdin_broken, p.close())
""")
    assert said.split() == ["7", "True", "7"]


def test_a_start_costs_no_descriptor_and_no_child(
    bare: Backend, limits: Limits, tmp_path: Path, wait_for: Callable[[int, int], None]
) -> None:
    def census() -> tuple[int, set[str]]:
        tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
        return _descriptors(), {child for task in tasks for child in (task / "children").read_text().split()}

    bare.start(["true"], folder=tmp_path, scratch=tmp_path, limits=limits).close()
    before = census()
    for _ in range(200):
        process = bare.start(["true"], folder=tmp_path, scratch=tmp_path, limits=limits)
        process.write(b"x\n")
        process.close()
    assert census() == before


def test_start_failed_is_a_sandbox_error() -> None:
    assert issubclass(StartFailed, SandboxError)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO])
def test_a_program_that_the_machine_can_not_look_at_is_the_machines_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    program = _script(tmp_path / "bot", "#!/bin/sh\n")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "short of it")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(SandboxError, match="'bot' can't be looked at: short of it") as raised:
        check_format("bot", str(program), tmp_path)
    assert not isinstance(raised.value, StartFailed)


def test_a_program_that_only_others_may_read_is_left_to_the_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = _script(tmp_path / "bot", "text")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "not for us")

    monkeypatch.setattr("builtins.open", refuse)
    check_format("bot", str(program), tmp_path)
