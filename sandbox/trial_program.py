"""One hostile program at a time: started, heard until it answers or ends, and ended."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sandbox.attacks.jailed import ADMITTED
from sandbox.limits import Limits
from sandbox.probe import Backend
from sandbox.process import Process
from sandbox.scratch import scratch_folder

__all__ = ["ANSWER_S", "Part", "Played", "closed", "hear", "started"]

ANSWER_S: Final = 20.0
"""How long a program may take to answer on a busy machine; they are done in less than a tenth of that."""

_END_S = 5.0
_LAST_WORDS_S = 2.0
_MOST_SAID = 1 << 20
_PIPE_BYTES = 1 << 16
_F_GETPIPE_SZ = 1032


@dataclass(frozen=True, slots=True)
class Part:
    """What a program is to do, and where."""

    attack: str
    target: str
    """What it is told, in JSON."""
    homes: Path
    """Where its folder is, `bot`, and `scratch` for one that is made."""
    limits: Limits

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; `from_json` reads it back."""
        return asdict(self) | {"homes": str(self.homes)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Part:
        """The part that `to_json` wrote."""
        return cls(**{**data, "homes": Path(data["homes"]), "limits": Limits(**data["limits"])})


@dataclass(slots=True)
class Played:
    """What one program said and did."""

    said: str = ""
    answer: Mapping[str, Any] | None = None
    billed_us: int = 0
    heard: bytes = b""
    silent: bool = False
    ended: str = ""
    breached: bool = False
    wrong: tuple[str, ...] = ()


def started(within: Backend, part: Part, stack: contextlib.ExitStack) -> Process:
    """Start a program; closed by `stack`, at the latest."""
    scratch = stack.enter_context(scratch_folder(part.homes / "scratch", part.limits))
    command = ["python3", "-B", "-E", "-S", "-m", f"sandbox.attacks.{part.attack}", ADMITTED, part.target]
    process = within.start(command, folder=part.homes / "bot", scratch=scratch, limits=part.limits)
    stack.callback(process.close)
    return process


def hear(processes: Sequence[Process], played: Sequence[Played]) -> None:
    """Take all that the programs say until the last has answered or ended; the others only serve it."""
    poll = select.poll()
    owners = {
        descriptor: number
        for number, process in enumerate(processes)
        for descriptor in (process.stdout, process.stderr, process.exit_fd)
    }
    for descriptor in owners:
        poll.register(descriptor, select.POLLIN)
    end = time.monotonic() + ANSWER_S
    while time.monotonic() < end and played[-1].answer is None and not played[-1].ended:
        for descriptor, _ in poll.poll(100):
            process, one = processes[owners[descriptor]], played[owners[descriptor]]
            if descriptor == process.stderr:
                if not process.read_stderr():
                    poll.unregister(descriptor)
                continue
            chunk = process.read()
            if chunk:
                _understand(one, chunk, process)
            elif chunk == b"" and descriptor == process.stdout:
                poll.unregister(descriptor)
                one.silent = True
            elif descriptor == process.exit_fd:
                # What it said last may come after its end, and who holds its stdout may keep that open.
                poll.unregister(descriptor)
                if process is processes[-1]:
                    end = min(end, time.monotonic() + _LAST_WORDS_S)
            if one.silent and process.ended() is not None:
                one.ended, one.breached = _end_of(process)
    for process, one in zip(processes, played, strict=True):
        if one.answer is None and not one.ended and process.ended() is not None:
            one.ended, one.breached = _end_of(process)


def _understand(one: Played, chunk: bytes, process: Process) -> None:
    """Take what a program said next; its answer is a line that is an object in JSON, and the bill is of that moment."""
    one.heard = (one.heard + chunk)[-_MOST_SAID:]
    one.said = one.heard.decode("utf-8", "replace")
    for line in one.said.split("\n")[:-1]:
        if line.startswith("{"):
            with contextlib.suppress(ValueError):
                one.answer = json.loads(line)
    if one.answer is not None and not one.billed_us:
        one.billed_us = process.cpu_us(fresh=True)


def _end_of(process: Process) -> tuple[str, bool]:
    """How a program ended, and whether that was by a limit."""
    breach = process.breach()
    if breach is not None:
        return f"{breach.kind}: {breach.evidence}", True
    status = process.ended()
    return f"killed by signal {-status}" if status is not None and status < 0 else f"exit status {status}", False


def closed(process: Process, one: Played, limits: Limits) -> list[str]:
    """End a program that was heard, and what is wrong with it at its end."""
    wrong: list[str] = []
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    if one.answer is not None and "sent" not in one.answer:
        end = time.monotonic() + _END_S
        talking = True
        while not poll.poll(20) and time.monotonic() < end:
            # Its streams are closed before its end can be noticed.
            talking = talking and process.read_stderr()
        if not poll.poll(0):
            wrong.append("its end is not noticed")
    wrong += _switched(process)
    status = process.close()
    text = process.errors.text()
    one.said += text
    if len(text) > limits.stderr_kb * 1024 + 100:
        wrong.append(f"{len(text)} characters of stderr are kept")
    if one.answer is not None:
        return wrong
    if not one.ended:
        wrong.append(f"it did not answer within {ANSWER_S:.0f} s")
    elif status is not None and status >= 0 and not one.breached:
        # Nothing was tried that way. Of memory a program may run short before it can say so.
        *_, why = ["", *text.strip().splitlines()]
        if not why.startswith("MemoryError"):
            wrong.append(f"the program itself failed: {one.ended}: {why}")
    return wrong


def _switched(process: Process) -> Iterator[str]:
    """What a program may have done to the referee's ends of its pipes."""
    for descriptor in (process.stdin, process.stdout, process.stderr):
        if descriptor >= 0:
            if os.get_blocking(descriptor):
                yield "a pipe of the referee is switched to another mode"
            with contextlib.suppress(OSError):  # it is a socket
                if fcntl.fcntl(descriptor, _F_GETPIPE_SZ) > _PIPE_BYTES:
                    yield "a pipe of the referee is made larger"
