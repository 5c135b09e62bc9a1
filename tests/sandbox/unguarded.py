"""Tries attacks where nothing holds them, to know that they are any good: `python -m tests.sandbox.unguarded NAME…`.

A program gets what it asks for before it runs, no new privileges and a filter of calls, but the filter lets everything
through. To be started in a pid namespace and under a limit on processes, where no process of a stranger is in reach;
every attack also stops by itself at a few hundred processes or MiB.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from sandbox import Limits, Process, become_subreaper, system_path
from sandbox.jail import Jail
from sandbox.local_process import spawn
from sandbox.trial import attacks, run_attack

LOADER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
code = ctypes.create_string_buffer(bytes.fromhex("060000000000ff7f"), 8)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(1, ctypes.addressof(code))), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Unguarded:
    """A backend that satisfies the attacks' check of where they are, and does nothing else."""

    name = "unguarded"
    tier = "bare"
    layers: tuple[str, ...] = ()
    clock: Literal["cpu", "wall"] = "cpu"

    def enter(self) -> None:
        pass

    def start(
        self, command: Sequence[str], *, folder: Path, scratch: Path, limits: Limits, writable: bool = False
    ) -> Process:
        return spawn(
            [sys.executable, "-I", "-S", "-c", LOADER, *command],
            folder=folder,
            environment={"PATH": system_path(), "HOME": str(scratch), "TMPDIR": str(scratch)},
            program=sys.executable,
            home=str(scratch),
            jail=Jail(),
            stderr_kb=limits.stderr_kb,
        )


def main() -> None:
    become_subreaper()
    with tempfile.TemporaryDirectory() as folder:
        for attack in attacks():
            if attack.name in sys.argv[1:]:
                print(json.dumps(asdict(run_attack(attack, Unguarded(), Path(folder)))), flush=True)


if __name__ == "__main__":
    main()
