"""What a program in a jail sees of the machine's files: the runtimes and what they need, all of it read-only."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from sandbox.errors import SandboxError
from sandbox.system_path import system_path

__all__ = ["HIDDEN_FILES", "HIDDEN_FOLDERS", "RUNTIME_ETC", "interpreter_prefix", "prepared_etc", "runtime_folders"]

HIDDEN_FILES: Final = (
    "/proc/loadavg",
    "/proc/stat",
    "/proc/uptime",
    "/proc/schedstat",
    "/proc/interrupts",
    "/proc/softirqs",
    "/proc/diskstats",
    "/proc/vmstat",
    "/proc/zoneinfo",
    "/proc/buddyinfo",
    "/proc/locks",
    "/proc/cgroups",
    "/proc/keys",
    "/proc/key-users",
)
"""Files of /proc that everybody may read and that tell what the rest of the machine does."""
HIDDEN_FOLDERS: Final = ("/proc/pressure", "/proc/sys/fs", "/proc/sys/kernel/pty", "/proc/bus", "/proc/fs", "/proc/irq")
"""The same for folders."""

_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on a system that has merged them, folders of their own elsewhere."""

RUNTIME_ETC: Final = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "perl",
    "php",
    "python3*",
    "java*",
    "ssl/openssl.cnf",
    "lua*",
    "mono",
    "ghc",
)
"""What runtimes read of /etc; everything else there is the machine's own."""

_USERS = {
    "passwd": "root:x:0:0:root:/:/bin/false\nbot:x:1000:1000:bot:/tmp:/bin/sh\n",
    "group": "root:x:0:\nbot:x:1000:\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
}
"""What a jail's /etc says of users and names: runtimes ask for them."""


def interpreter_prefix() -> str | None:
    """The folder of the Python that programs get as python3 where that lies outside /usr, as with pyenv."""
    python = shutil.which("python3", path=system_path())
    if python is None:
        return None
    real = os.path.realpath(python)
    if real.startswith("/usr/"):
        return None
    return sys.base_prefix if real.startswith(f"{sys.base_prefix}/") else str(Path(real).parent.parent)


@cache
def runtime_folders() -> tuple[tuple[str, str | None], ...]:
    """The folders of the machine that runtimes lie in, /etc apart: each with where it links to, None for a real one.

    Looked up once a process.
    """
    found: list[tuple[str, str | None]] = [("/usr", None)]
    for name in _TOP:
        place = Path("/", name)
        if place.is_symlink():
            found.append((str(place), str(place.readlink())))
        elif place.is_dir():
            found.append((str(place), None))
    prefix = interpreter_prefix()
    if prefix is not None:
        found.append((prefix, None))
    return tuple(found)


def prepared_etc(parent: Path) -> Path:
    """An /etc for jails, made under `parent` if it is not there yet. SandboxError if it can't be.

    A copy of the little that runtimes need: one mount instead of a dozen.
    """
    made = parent / "jail-etc"
    if not made.is_dir():
        try:
            draft = Path(tempfile.mkdtemp(prefix=".jail-", dir=parent))
            _write_etc(draft)
            draft.chmod(0o755)
            try:
                draft.rename(made)
            except OSError:
                if not made.is_dir():
                    raise
                shutil.rmtree(draft)  # another process was faster
        except OSError as error:
            raise SandboxError(f"files for jails can't be written in {parent}: {error.strerror}") from error
    return made


def _write_etc(etc: Path) -> None:
    for pattern in RUNTIME_ETC:
        for place in Path("/etc").glob(pattern):
            copy = etc / place.relative_to("/etc")
            copy.parent.mkdir(exist_ok=True)
            # What a user may not read is not for a program either.
            with contextlib.suppress(OSError, shutil.Error):
                if place.is_dir():
                    shutil.copytree(place, copy, symlinks=True, ignore_dangling_symlinks=True)
                else:
                    shutil.copy(place, copy, follow_symlinks=True)
    for name, text in _USERS.items():
        (etc / name).write_text(text)
