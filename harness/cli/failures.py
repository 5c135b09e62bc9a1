"""How a command ends: every exception becomes one line on stderr and the exit status of the contract."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from pathlib import Path

import click

from harness.errors import HarnessError, Interrupted

__all__ = ["exit_status_of", "one_line", "reason_of"]

REPORT_WITH = "please report it with"

CLOSED_PIPE = 141
"""128 + SIGPIPE, what a shell shows for any filter whose reader has gone."""


def one_line(text: str) -> str:
    """The text on one line, with control, bidirectional and ANSI characters made visible."""
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    # Here, for the rare line that needs it: the room costs more CPU than all the rest of the start-up.
    from harness.protocol import visible

    return visible(line)


def reason_of(error: OSError | ValueError) -> str:
    """Why a path could not be used, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return one_line(_lowered(reason))


def _lowered(sentence: str) -> str:
    """Without the capital of a sentence that follows a colon; a name in quotes or an option stays as it is."""
    return sentence[0].lower() + sentence[1:] if sentence[:2].istitle() else sentence


def exit_status_of(failure: BaseException) -> int:
    """Tell stderr what happened, in one line, and return the exit status."""
    failure = _what_ended_it(failure)
    if isinstance(failure, click.exceptions.Exit):
        return failure.exit_code
    if isinstance(failure, HarnessError):
        _tell(f"harness: {failure.sentence}")
        return failure.exit_status
    if isinstance(failure, click.UsageError):
        _tell(_usage(failure))
        return 2
    if isinstance(failure, click.ClickException):
        _tell(f"harness: {_lowered(failure.format_message().rstrip('.'))}")
        return 2
    if isinstance(failure, KeyboardInterrupt | click.Abort):
        _tell("harness: interrupted")
        return 130
    if isinstance(failure, BrokenPipeError):
        _drop_stdout()
        return CLOSED_PIPE
    if isinstance(failure, OSError) and _is_of_stdout(failure):
        _tell(f"harness: stdout: {reason_of(failure)}; mend that on this machine and run it again")
        return 3
    if isinstance(failure, OSError) and _is_the_machines(failure):
        where = f" ({failure.filename})" if failure.filename else ""
        _tell(f"harness: {reason_of(failure)}{where}; mend that on this machine and run it again")
        return 3
    _tell(_internal(failure))
    return 3


def _what_ended_it(failure: BaseException) -> BaseException:
    """The interruption behind a failure to write to a terminal that was closed, else the failure itself.

    A closed terminal interrupts a command, and on the way out its picture can't be wiped away any more.
    """
    if isinstance(failure, OSError) and failure.errno == errno.EIO:
        behind = failure.__context__
        while behind is not None:
            if isinstance(behind, Interrupted | KeyboardInterrupt):
                return behind
            behind = behind.__context__
    return failure


def _is_of_stdout(error: OSError) -> bool:
    """Whether the error came of printing the result: it bears no name of a file, as that of any stream."""
    if error.filename is not None:
        return False
    # Who wrote last tells it by what it wrote to: a `file`, as click calls it, or the file of a console.
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    if sys.stdout in (frame.f_locals.get("file"), getattr(frame.f_locals.get("self"), "file", None)):
        return True
    try:
        # Else it was the last flush, which holds back what it could not write.
        sys.stdout.flush()
    except (OSError, ValueError) as again:
        return isinstance(again, OSError)
    return False


def _is_the_machines(error: OSError) -> bool:
    # Here for the reason that `one_line` gives.
    from sandbox import MACHINE_ERRNOS

    return error.errno in MACHINE_ERRNOS


def _usage(failure: click.UsageError) -> str:
    path = failure.ctx.command_path if failure.ctx else "harness"
    message = failure.format_message().strip().rstrip(".")
    return f"{path}: {_lowered(message)} (see {path} --help)"


def _internal(failure: BaseException) -> str:
    what = one_line(f"{type(failure).__name__}: {failure}")[:300]
    # One's own output may be what failed (a full disk, say): say what the machine said.
    if isinstance(failure, OSError) and failure.strerror:
        what = reason_of(failure) + (one_line(f": {failure.filename}") if failure.filename else "")
    text = "".join(traceback.format_exception(failure))
    if os.environ.get("HARNESS_TRACEBACK"):
        sys.stderr.write(text)
        return f"harness: internal error: {what}; {REPORT_WITH} the traceback above"
    try:
        handle, name = tempfile.mkstemp(prefix="harness-traceback-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return f"harness: internal error: {what}; {REPORT_WITH} the traceback that HARNESS_TRACEBACK=1 shows"
    return f"harness: internal error: {what}; {REPORT_WITH} {Path(name)}"


def _tell(line: str) -> None:
    try:
        # What was printed before stands above the line that says why it ends.
        sys.stdout.flush()
    except (OSError, ValueError):
        _drop_stdout()
    try:
        sys.stderr.write(one_line(line) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def _drop_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own flush at the end does not fail once more."""
    try:
        descriptor = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except (OSError, ValueError):
        return
