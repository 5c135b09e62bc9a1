"""Leaves a program in its scratch folder that runs as its owner: whoever starts it there later gains that user.

Known by: the file has that mode.
"""

from __future__ import annotations

import os
import shutil
import stat

from sandbox.attacks.jailed import Target, attack, open_any, scratch

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """By changing its mode, and by making it so."""
    file = scratch() / target.word
    shutil.copyfile("/bin/sh", file)
    return open_any(
        (
            ("changed", lambda: _changed(str(file))),
            ("made", lambda: _mode(os.open(f"{file}-", os.O_CREAT | os.O_WRONLY, 0o6755))),
            ("node", lambda: _node(f"{file}+")),
        )
    )


def _changed(file: str) -> str:
    os.chmod(file, 0o6755)
    return _mode(os.open(file, os.O_RDONLY))


def _node(file: str) -> str:
    os.mknod(file, stat.S_IFREG | 0o6755)
    return _mode(os.open(file, os.O_RDONLY))


def _mode(handle: int) -> str:
    mode = os.fstat(handle).st_mode
    if not mode & 0o6000:
        raise OSError(0, "the mode is not taken")
    return oct(mode)


if __name__ == "__main__":
    attack(main)
