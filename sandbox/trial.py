"""Tries hostile programs under a backend: a second face of this room, for who asks what the sandbox is worth.

Apart from the first, as who runs programs needs none of it.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Iterator, Sequence

from sandbox.attacks import Attack, attacks
from sandbox.errors import SandboxError
from sandbox.probe import Probe
from sandbox.tiers import TIERS
from sandbox.trial_verdict import Verdict, run_attack
from sandbox.trial_worker import Worker

__all__ = ["Attack", "Verdict", "attacks", "run_attack", "try_attacks"]


def try_attacks(probe: Probe, chosen: Sequence[Attack], *, jobs: int = 2) -> Iterator[Verdict]:
    """Try attacks under the backend that was found, in processes of their own, in the order in which they are done.

    SandboxError at once where nothing would hold them, and at the end if what they left can't be cleared away.
    """
    if probe.tier in ("", TIERS[-1]):
        raise SandboxError(f"attacks are not tried under {probe.backend}, which holds nothing here: choose another")
    # Not the order of names: those that wait for something are all called alike.
    return _verdicts(probe, [[attack.name for attack in chosen[first::jobs]] for first in range(jobs)])


def _verdicts(probe: Probe, waiting: Sequence[Sequence[str]]) -> Iterator[Verdict]:
    with contextlib.ExitStack() as stack:

        def begun(names: Sequence[str]) -> Worker:
            worker = Worker(probe, names)
            stack.callback(worker.close)
            return worker

        workers = [begun(names) for names in waiting if names]
        while workers:
            ready, _, _ = select.select(workers, [], [], 1.0)
            for worker in list(workers):
                verdicts = worker.verdicts() if worker in ready else []
                yield from verdicts or ()
                if verdicts is None or time.monotonic() > worker.due:
                    worker.close()
                    workers.remove(worker)
                    if worker.names:
                        yield Verdict(worker.names[0], False, worker.end())
                        workers += [begun(names) for names in [worker.names[1:]] if names]
