"""Opens the counters of the processor, by which the work of others can be seen (perf_event_open).

Known by: a counter can be had.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """The clock that counts its own time in user mode: the least of them."""
    words = (ctypes.c_uint64 * 16)()
    words[0] = 1 | ctypes.sizeof(words) << 32
    words[5] = 1 << 5 | 1 << 6
    call("perf_event_open", words, 0, -1, -1, 0)
    return "a counter is open"


if __name__ == "__main__":
    attack(main)
