"""Dumps core, to fill the disk or the machine's crash reports with what it likes.

Known by: the kernel says that it dumped, or there is a file.
"""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("rlimits",)


def main(target: Target) -> str:
    """In a child, with as high a limit as can be had."""
    child = os.fork()
    if child == 0:
        with suppress(OSError, ValueError):
            hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        with suppress(OSError):
            os.chdir(os.environ["TMPDIR"])
        signal.signal(signal.SIGABRT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGABRT)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WCOREDUMP(status):
        return "dumped"
    raise Refused(f"ended by {os.WTERMSIG(status)} without a dump")


if __name__ == "__main__":
    attack(main)
