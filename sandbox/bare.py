"""The backend without isolation: accounts for a program and kills it whole, for bots that the user trusts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from sandbox.jail import Jail
from sandbox.limits import Limits
from sandbox.local_process import spawn
from sandbox.process import Process
from sandbox.procfs import CPU_CLOCKS
from sandbox.start import find_program
from sandbox.system_path import system_path

__all__ = ["Bare"]


class Bare:
    """Runs the program as this user, with nothing between it and the machine; `limits` are not enforced."""

    name: ClassVar[str] = "bare"
    tier: ClassVar[str] = "bare"
    layers: ClassVar[tuple[str, ...]] = ()
    clock: Literal["cpu", "wall"] = "cpu" if CPU_CLOCKS else "wall"

    def enter(self) -> None:
        """Nothing is needed."""

    def start(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        scratch: Path,
        limits: Limits,
        writable: bool = False,  # noqa: ARG002
    ) -> Process:
        """Run `command` in `folder`. StartFailed: the program's fault; SandboxError: the machine's."""
        home = str(scratch.absolute())
        environment = {"PATH": system_path(), "HOME": home, "TMPDIR": home}
        folder = folder.absolute()
        program = find_program(command, folder, environment["PATH"])
        return spawn(
            command,
            folder=folder,
            environment=environment,
            program=program,
            home=home,
            jail=Jail(),
            stderr_kb=limits.stderr_kb,
        )
