"""Sends a datagram to a port of the referee over UDP.

Known by: the referee's socket receives it; that it was sent says nothing.
"""

from __future__ import annotations

import socket

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("network-namespace", "seccomp")


def main(target: Target) -> str:
    """Send the word."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(target.word.encode(), ("127.0.0.1", target.udp))
    return ""


if __name__ == "__main__":
    attack(main)
