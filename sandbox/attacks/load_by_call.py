"""Times its neighbours by the load averages and the count of processes that a system call tells.

Known by: the call is answered. No tier stops it: runtimes ask it how much memory there is.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ()


def main(target: Target) -> str:
    """Ask once."""
    words = (ctypes.c_ulong * 16)()
    call("sysinfo", words)
    return f"load {words[1] / 65536:.2f}"


if __name__ == "__main__":
    attack(main)
