"""Runs one untrusted program under limits, accounts for it and leaves nothing of it behind. Knows nothing of games."""

from sandbox.bare import system_path
from sandbox.errors import SandboxError, StartFailed
from sandbox.limits import Limits
from sandbox.orphans import become_subreaper, sweep
from sandbox.output import FirstAndLast
from sandbox.probe import Backend, Probe, backend, probe
from sandbox.process import Process, Usage
from sandbox.scratch import scratch_folder

__all__ = [
    "Backend",
    "FirstAndLast",
    "Limits",
    "Probe",
    "Process",
    "SandboxError",
    "StartFailed",
    "Usage",
    "backend",
    "become_subreaper",
    "probe",
    "scratch_folder",
    "sweep",
    "system_path",
]
