"""A builder: builds one bot in a process of its own and ends; sooner if it is told to, or if its parent is gone.

Run as `python -m harness.executors.builder LIFELINE`, where `LIFELINE` is that of a worker. Frame in, once:
`{"backend","scratch","archive","built"}`, the last two the files that the bot lies in and that the built one is written
to. Frame out: `{"hash"}`, or `{"refused"}` where the bot is to blame, or `{"failure"}` where the machine is. It comes
once nothing of the build is left running.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from pathlib import Path
from typing import Any

import sandbox
from harness.bots import bot_from_archive, build
from harness.errors import BotError, Interrupted
from harness.executors.wire import Unpacker
from harness.executors.worker import attempt, next_frame, send, take_streams

__all__ = ["main"]


def main() -> int:
    """Build what the frame on stdin names; returns the exit status."""
    inbox, outbox = take_streams()
    lifeline = int(sys.argv[1])
    os.set_inheritable(lifeline, False)
    sandbox.become_subreaper()
    try:
        order = next_frame(deque(), Unpacker(), inbox, lifeline)
        if order is not None:
            send(outbox, attempt(lambda: _build(order, lifeline)))
    except (Interrupted, BrokenPipeError):
        pass
    return 0


def _build(order: dict[str, Any], lifeline: int) -> dict[str, Any]:
    bot = bot_from_archive(Path(order["archive"]).read_bytes(), "the bot")
    within = sandbox.backend(order["backend"])
    try:
        built = build(bot, within=within, scratch=Path(order["scratch"]), stop_fd=lifeline)
    except BotError as error:
        return {"refused": error.sentence}
    Path(order["built"]).write_bytes(built.archive)
    return {"hash": built.hash}


if __name__ == "__main__":
    sys.exit(main())
