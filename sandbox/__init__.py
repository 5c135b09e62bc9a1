"""Runs one untrusted program under limits, accounts for it and leaves nothing of it behind. Knows nothing of games."""

from __future__ import annotations

from sandbox.errors import MACHINE_ERRNOS, SandboxError, StartFailed
from sandbox.jail import Breach
from sandbox.leftovers import end_strays, remove_leftovers
from sandbox.limits import Limits
from sandbox.orphans import become_subreaper, sweep
from sandbox.output import FirstAndLast
from sandbox.probe import BACKENDS, BARE, Backend, Probe, backend, probe
from sandbox.process import Process, Usage
from sandbox.procfs import start_time
from sandbox.scratch import PASSABLE, remove_tree, scratch_folder
from sandbox.system_path import system_path
from sandbox.tiers import TIERS

__all__ = [
    "BACKENDS",
    "BARE",
    "MACHINE_ERRNOS",
    "PASSABLE",
    "TIERS",
    "Backend",
    "Breach",
    "FirstAndLast",
    "Limits",
    "Probe",
    "Process",
    "SandboxError",
    "StartFailed",
    "Usage",
    "backend",
    "become_subreaper",
    "end_strays",
    "probe",
    "remove_leftovers",
    "remove_tree",
    "scratch_folder",
    "start_time",
    "sweep",
    "system_path",
]
