"""What can go wrong in the sandbox.

    SandboxError        the machine's failure: no process, no memory, no descriptor, a program that can't be killed
    └── StartFailed     the program's own: it is missing, not executable, or nothing that this machine can run

The message is one sentence for whoever has to mend it.
"""

__all__ = ["SandboxError", "StartFailed"]


class SandboxError(Exception):
    """The machine failed; the program is not to blame."""


class StartFailed(SandboxError):
    """The program could not be run; ``reason`` says why."""

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        return str(self)
