"""Makes a file that says to be a tebibyte long and holds nothing: who copies or hashes it is busy for hours.

Known by: the file is there and as long.
"""

from __future__ import annotations

import os

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("rlimits",)


def main(target: Target) -> str:
    """Seek far, and write."""
    handle = os.open(scratch() / target.word, os.O_CREAT | os.O_WRONLY, 0o600)
    os.ftruncate(handle, 1 << 40)
    os.lseek(handle, 1 << 40, os.SEEK_SET)
    os.write(handle, b"x")
    return f"a file of {os.fstat(handle).st_size} bytes"


if __name__ == "__main__":
    attack(main)
