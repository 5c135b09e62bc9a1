"""Connects to a port of the referee over TCP.

Known by: the referee's listener takes a connection.
"""

from __future__ import annotations

import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("network-namespace", "seccomp")


def main(target: Target) -> str:
    """Connect and say the word."""
    with socket.create_connection(("127.0.0.1", target.tcp), timeout=2) as connection:
        connection.sendall(target.word.encode())
    return "connected"


if __name__ == "__main__":
    attack(main)
