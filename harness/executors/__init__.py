"""Where fixtures are played: worker processes on this machine, and the backend that bots run in there."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.executors.builder_process import build_apart
    from harness.executors.containment import AUTO, backend_names, choose_backend
    from harness.executors.folder import run_folder
    from harness.executors.here import play_here
    from harness.executors.job import Executor, Failure, Job, Outcome, Result, Retry
    from harness.executors.local import LocalExecutor
    from harness.executors.signals import take_signals
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
    "build_apart",
    "choose_backend",
    "play_here",
    "run_folder",
    "take_signals",
]

_PLACES = {
    "builder_process": ("build_apart",),
    "containment": ("AUTO", "backend_names", "choose_backend"),
    "folder": ("run_folder",),
    "here": ("play_here",),
    "job": ("Executor", "Failure", "Job", "Outcome", "Result", "Retry"),
    "local": ("LocalExecutor",),
    "signals": ("take_signals",),
    "stop": ("StopSignal",),
}
"""What each file gives. Loaded when first asked for: a worker starts by way of this package and needs none of them.

No file may be called like a name that is given: once loaded, it would stand in the name's place.
"""


if not TYPE_CHECKING:  # else every name would be right

    def __getattr__(name: str) -> Any:
        for place, names in _PLACES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{place}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
