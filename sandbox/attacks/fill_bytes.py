"""Fills the scratch folder with bytes.

Known by: twice as much as it may hold is there.
"""

from __future__ import annotations

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("scratch-size",)


def main(target: Target) -> str:
    """Write several files, since one alone has a limit of its own."""
    piece = b"x" * (1 << 18)
    for number in range(8 * target.disk_mb):
        (scratch() / f"{target.word}-{number}").write_bytes(piece)
    return f"{2 * target.disk_mb} MiB are written"


if __name__ == "__main__":
    attack(main)
