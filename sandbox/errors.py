"""What can go wrong in the sandbox.

    SandboxError        the machine's failure: no process, no memory, no descriptor, a program that can't be killed
    └── StartFailed     the program's own: it is missing, not executable, or nothing that this machine can run

The message is one sentence for whoever has to mend it.
"""

from __future__ import annotations

import errno
from typing import Final

__all__ = ["MACHINE_ERRNOS", "SandboxError", "StartFailed"]

MACHINE_ERRNOS: Final = frozenset(
    {
        errno.EAGAIN,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSPC,
        errno.EROFS,
    }
)
"""What a call fails with when the machine is short of something or broken, and no program is to blame."""


class SandboxError(Exception):
    """The machine failed; the program is not to blame."""


class StartFailed(SandboxError):
    """The program could not be run; the message says why."""
