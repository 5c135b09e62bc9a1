"""A process that tries hostile programs one after the other: whoever asks is not there when something gets through.

Run as `python -m sandbox.trial_worker` it takes a probe and the names of attacks on stdin, and says on stdout a verdict
a line.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sandbox.attacks import attacks
from sandbox.leftovers import end_strays, remove_leftovers
from sandbox.orphans import become_subreaper
from sandbox.probe import Probe, backend
from sandbox.scratch import remove_tree
from sandbox.trial_partner import Partner
from sandbox.trial_verdict import Verdict, run_attack

__all__ = ["Worker"]

_VERDICT_S = 90.0
_DEATH_S = 5.0
_MOST_ERRORS = 1 << 16


class Worker:
    """Such a process, from outside."""

    def __init__(self, probe: Probe, names: Sequence[str]) -> None:
        self.names = list(names)
        """Those without a verdict, the first of which is being tried."""
        self.due = time.monotonic() + _VERDICT_S
        """When the next verdict must be there, of the monotonic clock."""
        self._probe = probe
        self._said = b""
        self._why = ""
        self._closed = False
        with contextlib.ExitStack() as stack:
            # A file: of a pipe nobody knows when all who hold its other end are gone.
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            # Made here, since who is killed removes nothing.
            self._place = Path(tempfile.mkdtemp(prefix="harness-trial-"))
            stack.callback(remove_tree, self._place)
            self._place.chmod(0o755)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "sandbox.trial_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # its group is what an attack is told to signal
            )
            self._to_close = stack.pop_all()
        assert self._process.stdin is not None
        given = {"probe": probe.to_json(), "attacks": self.names, "place": str(self._place)}
        with contextlib.suppress(OSError), self._process.stdin as stdin:
            stdin.write(json.dumps(given).encode())

    @property
    def pid(self) -> int:
        """Its process id, and that of its group."""
        return self._process.pid

    def fileno(self) -> int:
        """What turns readable with a verdict."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def verdicts(self) -> list[Verdict] | None:
        """Those that have come, once `fileno` is readable; None at the end."""
        # Not by lines of a file: what that takes ahead, no select tells of.
        piece = os.read(self.fileno(), 65536)
        if not piece:
            return None
        *lines, self._said = (self._said + piece).split(b"\n")
        if lines:
            self.due = time.monotonic() + _VERDICT_S
        del self.names[: len(lines)]
        return [Verdict(**json.loads(line)) for line in lines]

    def end(self) -> str:
        """Why there was no verdict; once it is closed."""
        return f"the process that tried it ended{': ' + self._why if self._why else ''}"

    def close(self) -> None:
        """Kill it and remove all that it has started and made. SandboxError if that can't be."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_DEATH_S)
        assert self._process.stdout is not None
        self._process.stdout.close()
        with self._to_close:
            self._why = self._last_error()
            end_strays(self._place)
            remove_leftovers(self._probe)

    def _last_error(self) -> str:
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _MOST_ERRORS))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _main() -> None:
    given = json.load(sys.stdin)
    probe = Probe.from_json(given["probe"])
    known = {attack.name: attack for attack in attacks()}
    become_subreaper()
    with contextlib.closing(Partner(lambda: backend(probe))) as partner:
        within = backend(probe)
        within.enter()
        for name in given["attacks"]:
            verdict = run_attack(known[name], within, Path(given["place"]), elsewhere=partner)
            print(json.dumps(asdict(verdict)), flush=True)  # noqa: T201


if __name__ == "__main__":
    _main()
