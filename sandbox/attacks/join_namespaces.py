"""Joins the namespaces of other processes.

Known by: one is joined.
"""

from __future__ import annotations

import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, call, open_any, others

STOPPED_BY = ("seccomp",)


def _join(path: str) -> None:
    call("setns", os.open(path, os.O_RDONLY), 0)


def main(target: Target) -> str:
    """Try those of each process that can be seen, and its own."""
    kinds = ("user", "mnt", "net", "pid")
    paths = [f"/proc/{pid}/ns/{kind}" for pid in ("self", *others(target)) for kind in kinds]
    return open_any((path, partial(_join, path)) for path in paths)


if __name__ == "__main__":
    attack(main)
