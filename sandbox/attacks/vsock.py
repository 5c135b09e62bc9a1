"""Connects to a service of the machine's host, or of the machine, over vsock, which no network namespace bounds.

Known by: the referee's listener takes a connection, or a socket of the family can be had.
"""

from __future__ import annotations

import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Connect to this machine and to its host."""
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        for place in (1, 2):
            try:
                connection.connect((place, target.vsock or 1024))
                connection.sendall(target.word.encode())
            except OSError:
                continue
            return f"connected to {place}"
        return "a socket of the family"


if __name__ == "__main__":
    attack(main)
