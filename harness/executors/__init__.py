"""Where fixtures are played: worker processes on this machine."""

from harness.executors.job import Executor, Failure, Job, Outcome, Result, Retry
from harness.executors.local import LocalExecutor
from harness.executors.run_folder import run_folder

__all__ = ["Executor", "Failure", "Job", "LocalExecutor", "Outcome", "Result", "Retry", "run_folder"]
