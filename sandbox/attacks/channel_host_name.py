"""Passes a number to another bot by the name of the machine and that of its domain.

Known by: the number arrives.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from sandbox.attacks.jailed import Target, call, channel, open_any

PARTNERS = 2
STOPPED_BY = ("uts-namespace", "seccomp")


def send(target: Target) -> Callable[[], object]:
    """Call the machine by it."""
    name = b"n%05d" % target.number
    open_any([("host", lambda: call("sethostname", name, 6)), ("domain", lambda: call("setdomainname", name, 6))])
    return lambda: None


def receive(target: Target) -> int:
    """Ask for the name."""
    name = os.uname().nodename
    return int(name[1:]) if len(name) == 6 and name[0] == "n" and name[1:].isdigit() else 0


if __name__ == "__main__":
    channel(send, receive)
