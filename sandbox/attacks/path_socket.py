"""Connects to a socket of the referee that lies in a folder open to everybody.

Known by: the referee's listener takes a connection.
"""

from __future__ import annotations

import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("read-only-root", "seccomp")


def main(target: Target) -> str:
    """Connect and say the word."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(target.socket)
        connection.sendall(target.word.encode())
    return "connected"


if __name__ == "__main__":
    attack(main)
