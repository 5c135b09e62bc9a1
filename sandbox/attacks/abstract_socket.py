"""Connects to a socket of the referee in the abstract name space.

Known by: the referee's listener takes a connection.
"""

from __future__ import annotations

import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("network-namespace", "landlock-scopes", "seccomp")


def main(target: Target) -> str:
    """Connect and say the word."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"\0{target.abstract}")
        connection.sendall(target.word.encode())
    return "connected"


if __name__ == "__main__":
    attack(main)
