"""Starts a program: finds it, says why it can't be run, and gives it private pipes and nothing else."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from sandbox.errors import MACHINE_ERRNOS, SandboxError, StartFailed

__all__ = ["Started", "find_program", "launch"]

# A program that another process is just writing, or has open by way of a fork: that passes.
_MACHINE = MACHINE_ERRNOS | {errno.ETXTBSY}

Started = tuple[int, int, int, int]
"""Process id and the parent's ends of stdin, stdout and stderr, which do not block."""


def find_program(command: Sequence[str], folder: Path, path: str) -> str:
    """The file that a command would run, with PATH at `path`; StartFailed says why it can't."""
    if not command or any("\0" in word for word in command):
        raise StartFailed("the command is empty" if not command else "the command holds a NUL character")
    if not folder.is_dir():
        raise StartFailed(f"the folder {folder} is not there")
    return _find(command[0], folder, path)


def launch(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    program: str,
    pass_fds: Collection[int] = (),
) -> Started:
    """Run a command in a session of its own. StartFailed: the program's fault; SandboxError: the machine's.

    `program` is the file that its first word means; `pass_fds` it inherits under their own numbers.

    Changes this process where it must: an ignored SIGCHLD goes back to its default, and SIGPIPE at its default becomes
    ignored, both for good. SandboxError if that is needed and this is not the main thread.
    """
    _mind_signals()
    pipes: list[int] = []
    try:
        for _ in range(3):
            pipes += os.pipe()  # close-on-exec, so that no other child gets them
        child_in, stdin, stdout, child_out, stderr, child_err = pipes
        for end in (stdin, stdout, stderr):
            os.set_blocking(end, False)
        # No preexec_fn: it is dear, and unsafe with threads.
        popen = subprocess.Popen(
            list(command),
            # A relative name is taken in the folder, and is what a script sees as its own.
            executable=command[0] if "/" in command[0] else program,
            stdin=child_in,
            stdout=child_out,
            stderr=child_err,
            cwd=folder,
            env=dict(environment),
            close_fds=True,
            pass_fds=tuple(pass_fds),
            restore_signals=True,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        for end in pipes:
            os.close(end)
        raise _why(error, command[0], program, folder) from error
    # The process is ours to reap, not the subprocess module's.
    popen.returncode = 0
    for end in (child_in, child_out, child_err):
        os.close(end)
    if sys.platform == "linux":
        import resource

        with contextlib.suppress(OSError):
            resource.prlimit(popen.pid, resource.RLIMIT_CORE, (0, 0))
    return popen.pid, stdin, stdout, stderr


def _find(word: str, folder: Path, path: str) -> str:
    """The file that a command's first word means."""
    if "/" in word:
        return _judged(word, os.path.join(folder, word))  # noqa: PTH118 - no change to what the word says
    refused = None
    for place in path.split(":"):
        candidate = os.path.join(place, word)  # noqa: PTH118
        if os.path.lexists(candidate):
            try:
                return _judged(word, candidate)
            except StartFailed as error:
                refused = refused or error
    if refused is not None:
        raise refused
    raise StartFailed(f"there is no program {word!r} on this machine's PATH ({path})")


def _judged(word: str, file: str) -> str:
    try:
        mode = os.stat(file).st_mode  # noqa: PTH116
    except FileNotFoundError:
        raise StartFailed(f"the program {word!r} is not there") from None
    except OSError as error:
        raise StartFailed(f"the program {word!r} can't be reached: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise StartFailed(f"the program {word!r} is no file")
    if not os.access(file, os.X_OK):
        raise StartFailed(f"the program {word!r} is not executable")
    return file


def _why(error: Exception, word: str, program: str, folder: Path) -> SandboxError:
    if not isinstance(error, OSError):
        return StartFailed(f"the program {word!r} can't be run: {error}")
    if error.errno in _MACHINE:
        return SandboxError(f"the machine can't start a process: {error.strerror}")
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and folder.is_dir():
        return StartFailed(_needs(word, program))
    if error.errno == errno.ENOEXEC:
        return StartFailed(_no_program(word))
    return StartFailed(f"the program {word!r} can't be run: {error.strerror}")


def _needs(word: str, program: str) -> str:
    return f"the program {word!r} needs {_interpreter(program)}, which is not on this machine"


def _no_program(word: str) -> str:
    return (
        f"the program {word!r} is nothing that this machine can run: a script needs a first line like #!/bin/sh, "
        "a binary must be of this machine's kind"
    )


def _interpreter(program: str) -> str:
    """What the kernel looked for beside the program itself."""
    with contextlib.suppress(OSError), Path(program).open("rb") as file:
        first = file.readline(256)
        if first.startswith(b"#!"):
            words = first[2:].strip(b" \t\n").split(None, 1)
            name = words[0].decode("utf-8", "replace") if words else ""
            if first.endswith(b"\r\n"):
                return f"the interpreter {name!r} (its first line ends in a carriage return)"
            return f"the interpreter {name!r}"
    return "its loader"


def _mind_signals() -> None:
    """Two settings that may be inherited and would break us: both are put right where that is still possible."""
    # With SIGCHLD ignored the kernel reaps our children and throws their status away; with SIGPIPE at its default a
    # program that closes its stdin kills us.
    for number, bad, good in (
        (signal.SIGCHLD, signal.SIG_IGN, signal.SIG_DFL),
        (signal.SIGPIPE, signal.SIG_DFL, signal.SIG_IGN),
    ):
        if signal.getsignal(number) == bad:
            try:
                signal.signal(number, good)
            except ValueError:
                reason = f"{number.name} is set so that programs can't be watched; start them from the main thread"
                raise SandboxError(reason) from None
