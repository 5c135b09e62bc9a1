"""A builder: builds one bot in a process of its own and ends; sooner if it is told to, or if its parent is gone.

Run as `python -m harness.executors.builder LIFELINE`, the number of a descriptor that ends with its parent. Frame in,
once: `{"backend","scratch","archive","built"}`, the last two the files that the bot lies in and that the built one is
written to. Frame out: `{"hash"}`, or `{"refused"}` where the bot is to blame, or `{"failure"}` where the machine is. It
comes once nothing of the build is left running.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import sandbox
from harness.bots import bot_from_archive, build
from harness.errors import BotError, Interrupted
from harness.executors.parent import Parent, attempt

__all__ = ["main"]


def main() -> int:
    """Build what the frame on stdin names; returns the exit status."""
    parent = Parent(int(sys.argv[1]))
    sandbox.become_subreaper()
    try:
        order = parent.next_frame()
        if order is not None:
            parent.send(attempt(partial(_build, order, parent.lifeline), "a builder"))
    except (Interrupted, BrokenPipeError):
        pass
    return 0


def _build(order: dict[str, Any], lifeline: int) -> dict[str, Any]:
    bot = bot_from_archive(Path(order["archive"]).read_bytes(), "the bot")
    within = sandbox.backend(sandbox.Probe.from_json(order["backend"]))
    within.enter()
    try:
        built = build(bot, within=within, scratch=Path(order["scratch"]), stop_fd=lifeline)
    except BotError as error:
        return {"refused": error.sentence}
    Path(order["built"]).write_bytes(built.archive)
    return {"hash": built.hash}


if __name__ == "__main__":
    sys.exit(main())
