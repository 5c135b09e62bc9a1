"""A worker: plays fixtures that come on stdin, one after the other, until it is told to end or its parent is gone.

Run as `python -m harness.executors.worker LIFELINE`, the number of a descriptor that ends with its parent.

Frames in: `{"backend","scratch","core"}` once, then `{"id","fixture","homes"}`, and `{"take_back": id}` for one that
another worker plays by now. Frames out: `{"ready": pid}`, then for each fixture, in their order,
`{"id","record","stderr"}`, `{"id","failure"}` where the machine failed, or `{"id","taken_back"}` where it was not
begun. A worker that meets its own bug dies of it.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # what is imported stays, and looking through it again and again costs a tenth of the start

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import sandbox
from harness.bots import Home
from harness.executors.parent import Parent, attempt
from harness.referee import Fixture, Stopped, pinned, play

__all__ = ["main"]


def main() -> int:
    """Serve until stdin or the life line ends; returns the exit status."""
    parent = Parent(int(sys.argv[1]))
    sandbox.become_subreaper()
    try:
        _serve(parent)
    except (Stopped, BrokenPipeError):
        pass
    finally:
        sandbox.sweep()
    return 0


def _serve(parent: Parent) -> None:
    setting = parent.next_frame()
    if setting is None:
        return
    backend = sandbox.backend(sandbox.Probe.from_json(setting["backend"]))
    scratch = Path(setting["scratch"])
    unable = attempt(partial(_enter, backend), "a worker")
    gc.freeze()  # what was imported never dies: the collector need not look at it again
    gc.enable()
    with pinned(setting["core"]):
        parent.send({"ready": os.getpid()})
        while (job := parent.next_frame()) is not None:
            if "take_back" in job:
                continue  # heeded when its fixture's turn came, unless that was before
            if {"take_back": job["id"]} in parent.waiting:
                done: dict[str, Any] = {"taken_back": True}
            else:
                done = unable or attempt(partial(_play, job, backend, scratch, parent.lifeline), "a worker")
            parent.send({"id": job["id"], **done})


def _enter(backend: sandbox.Backend) -> dict[str, Any]:
    backend.enter()
    return {}


def _play(job: dict[str, Any], backend: sandbox.Backend, scratch: Path, lifeline: int) -> dict[str, Any]:
    fixture = Fixture.from_json(job["fixture"])
    homes = tuple(Home.from_json(home) for home in job["homes"])
    played = play(fixture, homes, backend=backend, scratch=scratch, stop_fd=lifeline)
    return {"record": played.record, "stderr": list(played.stderr)}


if __name__ == "__main__":
    sys.exit(main())
