"""Whether a file is a program that this machine can run: a binary of its kind, or a script whose runner is there."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path
from typing import Final

from sandbox.errors import MACHINE_ERRNOS, SandboxError, StartFailed
from sandbox.jail_root import runtime_folders

__all__ = ["check_format"]

_ELF: Final = b"\x7fELF"
_LITTLE = 1
_RUN = (2, 3)
"""ET_EXEC and ET_DYN of the ELF format."""
_MACHINES: Final = {"x86_64": (62, 3), "aarch64": (183, 40), "riscv64": (243,), "ppc64le": (21,), "s390x": (22,)}
"""By what the kernel calls itself the numbers of binaries that it runs (elf.h, EM_…)."""


def check_format(word: str, program: str, folder: Path, seen_as: str | None = None) -> None:
    """StartFailed for a file that is neither a binary nor a script that says what runs it, or whose runner is missing.

    For programs that a shell comes to start, which would take them for scripts of its own. `folder` is the program's,
    `seen_as` its name in the jail if it has another there. A runner is looked for where programs can see it and nowhere
    else: the answer reaches the program's author. SandboxError where the machine is short of what it takes to look.
    """
    try:
        with open(program, "rb") as file:  # noqa: PTH123
            first = file.readline(256)
    except OSError as error:
        if error.errno in MACHINE_ERRNOS:
            raise SandboxError(f"the program {word!r} can't be looked at: {error.strerror}") from error
        return  # executable and not readable: the kernel will tell
    if first.startswith(b"#!"):
        _check_runner(word, first, folder, seen_as)
    elif not _is_ours(first, program):
        raise StartFailed(
            f"the program {word!r} is nothing that this machine can run: a script needs a first line like #!/bin/sh, "
            "a binary must be of this machine's kind"
        )


def _check_runner(word: str, first: bytes, folder: Path, seen_as: str | None) -> None:
    name = os.fsdecode(re.split(rb"[ \t\n]", first[2:].strip(b" \t\n"), maxsplit=1)[0])
    # A carriage return is part of the name to the kernel.
    returns = " (its first line ends in a carriage return)" if name.endswith("\r") else ""
    told = repr(name.rstrip("\r")) + returns
    place = _place_of(name, folder, seen_as)
    if place is None or not os.path.isfile(place):  # noqa: PTH113
        raise StartFailed(f"the program {word!r} needs the interpreter {told}, which is not on this machine")


def _place_of(name: str, folder: Path, seen_as: str | None) -> str | None:
    """Where on this machine the runner of that name would lie, None where no program could see it."""
    if not name.startswith("/"):
        return os.path.join(folder, name) if name else None  # noqa: PTH118
    path = os.path.normpath(name)
    own = seen_as or str(folder)
    if path.startswith(f"{own}/"):
        return str(folder) + path[len(own) :]
    return path if any(path.startswith(f"{top}/") for top, _ in runtime_folders()) else None


def _is_ours(first: bytes, program: str) -> bool:
    """Whether this is the head of a binary that this machine's kernel takes for one."""
    if not first.startswith(_ELF):
        return False
    with open(program, "rb") as file:  # noqa: PTH123
        head = file.read(64)
    known = _MACHINES.get(os.uname().machine)
    if len(head) < 52:
        return False
    kind, machine = struct.unpack("<HH" if head[5] == _LITTLE else ">HH", head[16:20])
    return kind in _RUN and (known is None or machine in known)
