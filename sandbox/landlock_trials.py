"""What Landlock has to refuse, tried in a throwaway process beside the trials of all backends (`sandbox.probing`)."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["TRIED", "refused"]

TRIED: Final[Mapping[str, tuple[str, ...]]] = {
    "landlock-files": ("read", "write", "truncate", "runs"),
    "landlock-network": ("connect", "bind"),
    "landlock-scopes": ("abstract", "signal"),
    "seccomp": ("filter", "no-unshare"),
    "no-new-privileges": ("no-new-privs",),
    "capabilities-dropped": ("permitted", "effective", "ambient", "no-new-privs"),
    "own-uid": ("uid",),
    "rlimits": ("rlimits",),
    "scratch-size": ("size",),
    "scratch-files": ("files",),
    "group-memory": ("memory",),
    "group-processes": ("processes",),
}
"""The words by which a layer is known to hold."""


def refused(place: Path, folder: Path, scratch: Path) -> set[str]:
    """The words for what Landlock refuses without the filter's help and without another user's rights."""
    # Needs a package that may not be there; what is tried can be told all the same.
    from sandbox.landlock_launcher import confine
    from sandbox.landlock_rules import ruleset

    canary = place / "canary"
    canary.write_text("sings")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("")
        abstract.listen()
        attempts = list(_attempts(canary, tcp.getsockname(), abstract.getsockname()))
        orders = dict.fromkeys(("join", "limits", "uid"), "")
        orders |= {"oom": "1000", "filter": "-1", "parent": str(os.getpid())}
        orders["ruleset"] = str(ruleset(folder, scratch, writable=False))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                confine(orders)
                os.write(writer, " ".join(word for word, attempt in attempts if _refused(attempt)).encode())
            finally:
                os._exit(0)
        os.close(int(orders["ruleset"]))
        os.close(writer)
        with open(reader) as file:  # noqa: PTH123 - a descriptor
            said = file.read()
        os.waitpid(child, 0)
    return set(said.split())


def _attempts(canary: Path, tcp: Any, abstract: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    us = os.getpid()
    yield "read", lambda: os.open(canary, os.O_RDONLY)
    yield "write", lambda: os.open(canary, os.O_WRONLY)
    yield "truncate", lambda: os.truncate(canary, 0)
    yield "connect", lambda: socket.socket().connect(tcp)
    yield "bind", lambda: socket.socket().bind(("127.0.0.1", 0))
    yield "abstract", lambda: socket.socket(socket.AF_UNIX).connect(abstract)
    yield "signal", lambda: os.kill(us, signal.SIGCONT)


def _refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:
        return False
    return False
