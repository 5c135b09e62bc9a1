"""The files that a program may reach under Landlock, and the ruleset that says so to the kernel."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from py_landlock import (
    AccessFs,
    LandlockError,
    PathBeneathAttr,
    RulesetAttr,
    add_rule,
    create_ruleset,
    get_abi_version,
)
from py_landlock.abi import get_supported_fs, get_supported_net, get_supported_scope

from sandbox.errors import SandboxError
from sandbox.jail_root import RUNTIME_ETC, runtime_folders

__all__ = ["ruleset", "unreachable"]

_READ: Final = AccessFs.EXECUTE | AccessFs.READ_FILE | AccessFs.READ_DIR
_OWN: Final = _READ | (
    AccessFs.WRITE_FILE
    | AccessFs.TRUNCATE
    | AccessFs.MAKE_DIR
    | AccessFs.MAKE_FIFO
    | AccessFs.MAKE_REG
    | AccessFs.MAKE_SYM
    | AccessFs.REFER
    | AccessFs.REMOVE_DIR
    | AccessFs.REMOVE_FILE
)
"""For its own folder: all but sockets and devices."""
_OF_FILES: Final = AccessFs.EXECUTE | AccessFs.WRITE_FILE | AccessFs.READ_FILE | AccessFs.TRUNCATE | AccessFs.IOCTL_DEV
"""Rights that a file can have which is no folder."""

_WRITTEN_DEVICES: Final = ("/dev/full", "/dev/null", "/dev/zero")
_READ_DEVICES: Final = ("/dev/random", "/dev/urandom")
_MACHINE: Final = (
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/proc/version",
)
"""What runtimes ask of the machine. What they can do without stays shut: load, pressure, other processes."""


def ruleset(folder: Path, scratch: Path, *, writable: bool) -> int:
    """A descriptor of the rules for one program, to be closed: all that this kernel's Landlock can refuse is refused.

    `folder` may be read, and written if `writable`; `scratch` may be written. SandboxError if it can't be made.
    """
    try:
        abi = get_abi_version()
        files = get_supported_fs(abi)
        made = create_ruleset(RulesetAttr(files, get_supported_net(abi), get_supported_scope(abi)))
        try:
            for path, access in (*_runtime(), (str(folder), _OWN if writable else _READ), (str(scratch), _OWN)):
                _allow(made, path, access & files)
        except BaseException:
            os.close(made)
            raise
    except OSError as error:
        raise SandboxError(f"the rules for files can't be made: {error.strerror} ({error.filename})") from error
    except LandlockError as error:
        raise SandboxError(f"the rules of Landlock can't be made: {error}") from error
    return int(made)


@cache
def _runtime() -> tuple[tuple[str, AccessFs], ...]:
    """What all programs may reach, looked up once a process."""
    return tuple((path, access) for path, access in _wanted() if os.path.exists(path))  # noqa: PTH110


def _wanted() -> Iterator[tuple[str, AccessFs]]:
    for folder, link in runtime_folders():
        if link is None:
            yield folder, _READ
    for pattern in RUNTIME_ETC:
        for place in Path("/etc").glob(pattern):
            yield str(place), _READ
    for path in _WRITTEN_DEVICES:
        yield path, AccessFs.READ_FILE | AccessFs.WRITE_FILE | AccessFs.TRUNCATE
    for path in (*_READ_DEVICES, *_MACHINE):
        yield path, AccessFs.READ_FILE


def _allow(made: int, path: str, access: AccessFs) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            access &= _OF_FILES
        add_rule(made, PathBeneathAttr(access, place))  # type: ignore[arg-type]
    finally:
        os.close(place)


def unreachable(path: Path) -> Path | None:
    """The first folder on the way to, or at, `path` that other users can't pass through; None if they can."""
    real = path.resolve()
    shut = (place for place in (*reversed(real.parents), real) if not os.stat(place).st_mode & stat.S_IXOTH)  # noqa: PTH116
    return next(shut, None)
