"""A worker: plays fixtures that come on stdin, one after the other, until it is told to end or its parent is gone.

Run as `python -m harness.executors.worker LIFELINE`. `LIFELINE` is the number of a descriptor whose other end only
the parent holds: it turns readable (end of file) when the parent wants an end at once or has died, also in the middle
of a match, which stdin can't say since the next fixture may already lie in it.

Frames in: `{"backend","scratch","core"}` once, then `{"id","fixture","homes"}`, and `{"take_back": id}` for one that
another worker plays by now. Frames out: `{"ready": pid}`, then for each fixture, in their order,
`{"id","record","stderr"}`, `{"id","failure"}` where the machine failed, or `{"id","taken_back"}` where it was not
begun. A worker that meets its own bug dies of it.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # what is imported stays, and looking through it again and again costs a tenth of the start

import errno
import os
import select
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import sandbox
from harness.bots import Home
from harness.errors import HarnessFailure
from harness.executors.wire import Unpacker, pack
from harness.referee import Fixture, Stopped, pinned, play

__all__ = ["attempt", "main", "next_frame", "send", "take_streams"]

_CHUNK = 64 * 1024
"""Bytes read at a time."""

_MACHINE = frozenset(
    {errno.EAGAIN, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
)
"""Error numbers that say what the machine lacks; any other is a bug of ours."""


def main() -> int:
    """Serve until stdin or the life line ends; returns the exit status."""
    inbox, outbox = take_streams()
    lifeline = int(sys.argv[1])
    os.set_inheritable(lifeline, False)
    sandbox.become_subreaper()
    try:
        _serve(inbox, outbox, lifeline)
    except (Stopped, BrokenPipeError):
        pass
    finally:
        sandbox.sweep()
    return 0


def take_streams() -> tuple[int, int]:
    """Move the pipes to descriptors that no bot inherits and that no stray `print` can reach."""
    inbox, outbox = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return inbox, outbox


def _serve(inbox: int, outbox: int, lifeline: int) -> None:
    unpacker = Unpacker()
    frames: deque[dict[str, Any]] = deque()
    setting = next_frame(frames, unpacker, inbox, lifeline)
    if setting is None:
        return
    backend = sandbox.backend(setting["backend"])
    scratch = Path(setting["scratch"])
    gc.freeze()  # what was imported never dies: the collector need not look at it again
    gc.enable()
    with pinned(setting["core"]):
        send(outbox, {"ready": os.getpid()})
        while (job := next_frame(frames, unpacker, inbox, lifeline)) is not None:
            if "taken_back" in job:
                done: dict[str, Any] = {"taken_back": True}
            else:
                done = attempt(partial(_play, job, backend, scratch, lifeline))
            send(outbox, {"id": job["id"], **done})


def next_frame(frames: deque[dict[str, Any]], unpacker: Unpacker, inbox: int, lifeline: int) -> dict[str, Any] | None:
    """Return the next frame, waiting without using CPU; `None` when there will be none.

    All that has come is read before: the next fixture may have been taken back.
    """
    poll = select.poll()
    poll.register(inbox, select.POLLIN)
    poll.register(lifeline, select.POLLIN)
    while ready := {fd for fd, _ in poll.poll(0 if frames else None)}:
        if lifeline in ready:
            return None
        chunk = os.read(inbox, _CHUNK)
        if not chunk:
            return None
        for frame in unpacker.feed(chunk):
            if "take_back" not in frame:
                frames.append(frame)
                continue
            for held in frames:
                if held.get("id") == frame["take_back"]:
                    held["taken_back"] = True
    return frames.popleft()


def _play(job: dict[str, Any], backend: sandbox.Backend, scratch: Path, lifeline: int) -> dict[str, Any]:
    fixture = Fixture.from_json(job["fixture"])
    homes = tuple(Home.from_json(home) for home in job["homes"])
    played = play(fixture, homes, backend=backend, scratch=scratch, stop_fd=lifeline)
    return {"record": played.record, "stderr": list(played.stderr)}


def attempt(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what `work` does, or `{"failure"}` where the machine failed it; nothing that it ran is left."""
    try:
        return work()
    except (HarnessFailure, sandbox.SandboxError) as error:
        return {"failure": str(error)}
    except OSError as error:
        if error.errno not in _MACHINE:
            raise
        return {"failure": str(error)}
    except MemoryError:
        return {"failure": "the machine has no memory left for a worker"}
    finally:
        # What the bots left to us: a match of daemons that end at once would leave a process table of zombies.
        sandbox.sweep()


def send(outbox: int, message: dict[str, Any]) -> None:
    """Write a frame, however long the other side takes to read it."""
    data = memoryview(pack(message))
    while data:
        data = data[os.write(outbox, data) :]


if __name__ == "__main__":
    sys.exit(main())
