"""Changes files of others: appends, cuts off, renames, removes, sets modes and times.

Known by: a secret file, or one of the bot's own folder, is not what it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("read-only-root", "landlock-files")


def main(target: Target) -> str:
    """Try each way on each file; what removes it comes last."""
    paths = (*target.secrets, *map(str, Path("sandbox/attacks").glob("*.py")), "/usr/bin/env", "/etc/passwd")
    return open_any((what, attempt) for path in paths for what, attempt in _ways(path))


def _ways(path: str) -> Iterator[tuple[str, Callable[[], object]]]:
    yield f"append to {path}", lambda: os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    yield f"cut {path}", lambda: os.truncate(path, 0)
    yield f"mode of {path}", lambda: os.chmod(path, 0o777)
    yield f"times of {path}", lambda: os.utime(path, (1, 1))
    yield f"rename {path}", lambda: os.rename(path, f"{path}-")
    yield f"remove {path}", lambda: os.unlink(path)


if __name__ == "__main__":
    attack(main)
