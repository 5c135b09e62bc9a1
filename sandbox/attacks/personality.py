"""Takes another personality: one without randomised addresses, one of older systems.

Known by: it is taken.
"""

from __future__ import annotations

from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Fixed addresses; executable data; a 32-bit machine."""
    kinds = (0x40000, 0x400000, 0x8)
    return open_any((f"{kind:#x}", partial(call, "personality", kind)) for kind in kinds)


if __name__ == "__main__":
    attack(main)
