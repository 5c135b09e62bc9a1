"""Fills the scratch folder with empty files, which take no bytes but the file system's table.

Known by: four times as many as it may hold are there.
"""

from __future__ import annotations

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("scratch-files",)
LIMITS = {"files": 100}


def main(target: Target) -> str:
    """Make them."""
    for number in range(4 * target.files):
        (scratch() / f"{target.word}-{number}").touch()
    return f"{4 * target.files} files are made"


if __name__ == "__main__":
    attack(main)
