"""Reads the environment of the referee, of its parent and of the jail's first process.

Known by: the secret in the referee's environment comes back, or a variable that is none of a program's own.
"""

from __future__ import annotations

from pathlib import Path

from sandbox.attacks.jailed import Refused, Target, attack, others

STOPPED_BY = ("pid-namespace", "landlock-files")

_OWN = {"PATH", "HOME", "TMPDIR", "HOSTNAME", "PWD", "OLDPWD", "SHLVL", "_"}


def main(target: Target) -> str:
    """Look at every process that can be seen."""
    found: list[str] = []
    for pid in others(target):
        try:
            text = Path(f"/proc/{pid}/environ").read_text(errors="replace")
        except OSError:
            continue
        found += [f"{pid} {line}" for line in text.split("\0") if line and line.partition("=")[0] not in _OWN]
    if not found:
        raise Refused("no process shows a variable that is not a program's own")
    return " ".join(found)


if __name__ == "__main__":
    attack(main)
