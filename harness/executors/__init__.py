"""Where fixtures are played: worker processes on this machine."""

from harness.executors.here import play_here
from harness.executors.job import Executor, Failure, Job, Outcome, Result, Retry
from harness.executors.local import LocalExecutor
from harness.executors.run_folder import run_folder
from harness.executors.stop import StopSignal

__all__ = [
    "Executor",
    "Failure",
    "Job",
    "LocalExecutor",
    "Outcome",
    "Result",
    "Retry",
    "StopSignal",
    "play_here",
    "run_folder",
]
