"""Lists processes, to know who else runs here.

Known by: the referee's name, which is a secret, is among theirs.
"""

from __future__ import annotations

from pathlib import Path

from sandbox.attacks.jailed import Target, attack

STOPPED_BY = ("pid-namespace", "landlock-files")


def main(target: Target) -> str:
    """Say all names; who started this knows which of them is a secret."""
    names: list[str] = []
    for file in Path("/proc").glob("[0-9]*/status"):
        try:
            name = file.read_text(errors="replace").split(None, 2)[1]
        except OSError:
            continue
        names.append(f"{file.parent.name} {name}")
    print(*names)
    return ""


if __name__ == "__main__":
    attack(main)
