"""Has the kernel signal the referee, as the owner of a descriptor that gets ready.

Known by: the referee gets the signal.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)

_SETOWN, _SETSIG, _ASYNC = 8, 10, 0o20000


def main(target: Target) -> str:
    """Name the referee as the owner, ask for a signal of choice, and make the descriptor ready."""
    one, other = socket.socketpair()
    fcntl.fcntl(one, _SETOWN, target.referee)
    fcntl.fcntl(one, _SETSIG, signal.SIGURG)
    fcntl.fcntl(one, fcntl.F_SETFL, _ASYNC | os.O_NONBLOCK)
    other.send(b"x")
    return "another process can be named as the owner"


if __name__ == "__main__":
    attack(main)
