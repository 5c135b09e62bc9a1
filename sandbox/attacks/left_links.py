"""Leaves links in its scratch folder to files of others, and puts a link in the place of the folder itself.

Known by: a file that a link names is changed or gone after the folder has been removed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, scratch

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Links to files, to folders, to a folder that holds files, in folders that can't be read."""
    top = scratch()
    for number, path in enumerate((*target.secrets, target.outside)):
        for name in (str(number), f"deep-{number}/a/b"):
            place = top / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(path)
            (place.parent / f"{place.name}-folder").symlink_to(Path(path).parent)
    for folder in top.glob("deep-*"):
        folder.chmod(0)
    with suppress(OSError):
        os.rename(top, f"{top}-moved")
        os.symlink(target.outside, top)
    return ""


if __name__ == "__main__":
    attack(main)
