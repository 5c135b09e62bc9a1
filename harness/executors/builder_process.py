"""A build as the main process holds it: in a builder, so that a stop ends it at once and nothing of it outlives us."""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path
from typing import Any

from harness.bots import Bot, Built
from harness.errors import BotError, HarnessFailure, Interrupted
from harness.executors.child_process import ChildProcess
from harness.executors.stop import StopSignal
from sandbox import PASSABLE, Probe, SandboxError, become_subreaper, scratch_folder, sweep

__all__ = ["build_apart"]

_BUILDER = (sys.executable, "-P", "-m", "harness.executors.builder")
"""The command of a builder; -P keeps the current folder out of what it imports from."""

_LONGEST_S = 3600.0
"""Seconds after which a builder is given up: far more than a build may take, for what no limit counts."""

_GRACE_S = 10.0
"""Seconds that it has to kill what it runs and end before it is killed itself."""


def build_apart(bot: Bot, backend: Probe, *, scratch: Path, stop: StopSignal | None = None) -> Built:
    """Build a bot whose manifest has a `build`, within that backend, in a process of its own under `scratch`.

    BotError as `harness.bots.build`, HarnessFailure where the machine fails. Interrupted once `stop` is true, on
    SIGINT, SIGTERM and SIGHUP if it is not given. The build ends then, as it does when this process is killed.
    """
    if stop is None:
        with StopSignal() as stop:
            return build_apart(bot, backend, scratch=scratch, stop=stop)
    become_subreaper()  # what a builder leaves that was killed comes to us
    try:
        with scratch_folder(scratch) as room:
            room.chmod(PASSABLE)
            return _built(bot, backend, room, stop)
    except SandboxError as error:
        raise HarnessFailure(str(error)) from error


def _built(bot: Bot, backend: Probe, room: Path, stop: StopSignal) -> Built:
    archive, built, work = room / "bot", room / "built", room / "work"
    try:
        archive.write_bytes(bot.archive)
        work.mkdir()
        work.chmod(PASSABLE)
        order = {"backend": backend.to_json(), "scratch": str(work), "archive": str(archive), "built": str(built)}
        builder = ChildProcess("a builder", _BUILDER, order, room)
    except OSError as error:
        raise HarnessFailure(f"a build can't be started: {error}") from error
    answer = None
    try:
        answer = _answer(builder, stop)
    finally:
        in_time = _wait_for_end(builder)
        how = builder.reap()
        if answer is None or not in_time:
            sweep()  # it may have been killed
    name = bot.manifest.name
    if stop():
        raise Interrupted(f"stopped while {name} was being built; run the same command again to build it anew")
    if answer is None:
        raise HarnessFailure(f"{name}: build: it was lost with the process that ran it ({how}); run it again")
    if "refused" in answer:
        raise BotError(answer["refused"])
    if "failure" in answer:
        raise HarnessFailure(answer["failure"])
    return Built(built.read_bytes(), answer["hash"])


def _answer(builder: ChildProcess, stop: StopSignal) -> dict[str, Any] | None:
    """What the builder says in the end; None where a stop was asked for or it ended without a word."""
    poll = select.poll()
    for fd in (builder.outlet, stop.fileno()):
        if fd >= 0:
            poll.register(fd, select.POLLIN)
    until = time.monotonic() + _LONGEST_S
    builder.flush()
    try:
        while not stop():
            if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                builder.give_up("it was silent for longer than a build can last")
                break
            for message in builder.messages():
                return message
    except EOFError:
        pass
    return None


def _wait_for_end(builder: ChildProcess) -> bool:
    """Tell the builder to end; whether it did in time."""
    builder.tell_to_end()
    poll = select.poll()
    poll.register(builder.outlet, select.POLLIN)
    until = time.monotonic() + _GRACE_S
    try:
        while poll.poll(max(0.0, until - time.monotonic()) * 1000):
            for _ in builder.messages():
                pass
    except EOFError:
        return True
    return False
