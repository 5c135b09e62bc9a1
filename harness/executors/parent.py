"""The main process as a worker or a builder sees it: frames from it, frames to it, and the life line."""

from __future__ import annotations

import errno
import os
import select
from collections import deque
from collections.abc import Callable
from typing import Any

import sandbox
from harness.errors import HarnessFailure
from harness.executors.wire import Unpacker, pack

__all__ = ["Parent", "attempt"]

_CHUNK = 64 * 1024
"""Bytes read at a time."""

_MACHINE = frozenset(
    {errno.EAGAIN, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
)
"""Error numbers that say what the machine lacks; any other is a bug of ours."""


class Parent:
    """Frames come on stdin and go to stdout, which are moved: no bot inherits them and no stray `print` reaches them.

    `lifeline` is the number of a descriptor whose other end only the parent holds: it turns readable (end of file) when
    the parent wants an end at once or has died, also in the middle of work, which stdin can't say since the next frame
    may already lie in it. `waiting` are the frames that have come and were not returned yet.
    """

    def __init__(self, lifeline: int) -> None:
        self.lifeline = lifeline
        self.waiting: deque[dict[str, Any]] = deque()
        os.set_inheritable(lifeline, False)
        self._inbox, self._outbox = os.dup(0), os.dup(1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(2, 1)
        os.close(null)
        self._unpacker = Unpacker()
        self._poll = select.poll()
        self._poll.register(self._inbox, select.POLLIN)
        self._poll.register(lifeline, select.POLLIN)

    def next_frame(self) -> dict[str, Any] | None:
        """Return the next frame, waiting without using CPU; None when there will be none.

        All that has come is read before: what it says of this frame is waiting then.
        """
        while ready := {fd for fd, _ in self._poll.poll(0 if self.waiting else None)}:
            if self.lifeline in ready:
                return None
            chunk = os.read(self._inbox, _CHUNK)
            if not chunk:
                return None
            self.waiting.extend(self._unpacker.feed(chunk))
        return self.waiting.popleft()

    def send(self, message: dict[str, Any]) -> None:
        """Write a frame, however long the other side takes to read it."""
        data = memoryview(pack(message))
        while data:
            data = data[os.write(self._outbox, data) :]


def attempt(work: Callable[[], dict[str, Any]], who: str) -> dict[str, Any]:
    """Return what `work` does, or `{"failure"}` where the machine failed it; nothing that it ran is left.

    `who` does it, in the words of a sentence.
    """
    try:
        return work()
    except (HarnessFailure, sandbox.SandboxError) as error:
        return {"failure": str(error)}
    except OSError as error:
        if error.errno not in _MACHINE:
            raise
        return {"failure": str(error)}
    except MemoryError:
        return {"failure": f"the machine has no memory left for {who}"}
    finally:
        # What the bots left to us: a match of daemons that end at once would leave a process table of zombies.
        sandbox.sweep()
