"""Where fixtures are played: worker processes on this machine, and the backend that bots run in there."""

from __future__ import annotations

from harness.executors.containment import AUTO, backend_names, choose_backend
from harness.executors.here import play_here
from harness.executors.job import Executor, Failure, Job, Outcome, Result, Retry
from harness.executors.local import LocalExecutor
from harness.executors.run_folder import run_folder
from harness.executors.stop import StopSignal

__all__ = [
    "AUTO",
    "Executor",
    "Failure",
    "Job",
    "LocalExecutor",
    "Outcome",
    "Result",
    "Retry",
    "StopSignal",
    "backend_names",
    "choose_backend",
    "play_here",
    "run_folder",
]
