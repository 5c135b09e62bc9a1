"""A process that runs the receivers of channels, as another match has its own."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from sandbox.errors import SandboxError
from sandbox.orphans import become_subreaper
from sandbox.probe import Backend
from sandbox.trial_program import ANSWER_S, Part, Played, closed, hear, started

__all__ = ["Partner"]


class Partner:
    """That process; to be made before this one enters a backend, which may take away what another needs."""

    def __init__(self, elsewhere: Callable[[], Backend]) -> None:
        """`elsewhere` opens the backend there."""
        with contextlib.ExitStack() as ends:
            asked, self._ask = _pipe(ends)
            self._hear, answer = _pipe(ends)
            self._pid = os.fork()
            if self._pid == 0:
                try:
                    os.close(self._ask)
                    os.close(self._hear)
                    _serve(elsewhere, asked, answer)
                finally:
                    os._exit(0)
            ends.pop_all()
        os.close(asked)
        os.close(answer)

    def play(self, part: Part) -> Played:
        """What came of a program that is run there. SandboxError if it could not be tried."""
        data = b""
        poll = select.poll()
        poll.register(self._hear, select.POLLIN)
        try:
            os.write(self._ask, json.dumps(part.to_json()).encode() + b"\n")
            while not data.endswith(b"\n") and poll.poll(2000 * ANSWER_S) and (piece := os.read(self._hear, 65536)):
                data += piece
            told = json.loads(data)
        except (OSError, ValueError):
            raise SandboxError("the process that stands for another match has failed") from None
        if "failed" in told:
            raise SandboxError(f"the process that stands for another match has failed: {told['failed']}")
        return Played(**{**told, "heard": b"", "wrong": tuple(told["wrong"])})

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._ask)
        os.close(self._hear)


def _pipe(ends: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe whose ends are closed if what follows fails."""
    both = os.pipe()
    for end in both:
        ends.callback(os.close, end)
    return both


def _serve(elsewhere: Callable[[], Backend], asked: int, answer: int) -> None:
    within: Backend | None = None
    become_subreaper()
    with open(asked, encoding="utf-8") as lines, open(answer, "w", encoding="utf-8") as answers:
        for line in lines:
            try:
                if within is None:
                    within = elsewhere()
                    within.enter()
                told = _played(within, Part.from_json(json.loads(line)))
            except SandboxError as error:
                told = {"failed": str(error)}
            answers.write(json.dumps(told) + "\n")
            answers.flush()


def _played(within: Backend, part: Part) -> dict[str, Any]:
    with contextlib.ExitStack() as stack:
        process = started(within, part, stack)
        played = Played()
        hear([process], [played])
        played.wrong = tuple(closed(process, played, part.limits))
    return asdict(played) | {"heard": ""}
